import { useEffect } from 'preact/hooks';
import type { LobbyFacts } from '../api/apiTypes.ts';
import { texts } from '../texts.ts';
import { BenchDrawer } from './bench/benchDrawer.tsx';
import { GameGrid } from './games/gameGrid.tsx';
import { PlayChoicesPanel } from './games/playChoicesPanel.tsx';
import { Head } from './head/head.tsx';
import { useLobby } from './lobbyContext.ts';
import { Notice } from './parts/notice.tsx';
import { GameStage } from './stage/gameStage.tsx';
import { StatementPanel } from './statement/statementPanel.tsx';

export function App() {
  const { state, start } = useLobby();
  const { value } = state;
  if (value.kind === 'ready') return <House facts={value.facts} />;
  return (
    <main class="threshold" aria-busy={value.kind === 'loading'}>
      {value.kind === 'loading' ? (
        <p role="status">{texts.page.loading}</p>
      ) : (
        <>
          <h1>{texts.page.unreachableTitle}</h1>
          <p role="alert">
            {value.failure.kind === 'unreachable' ? texts.page.unreachableText : texts.failure(value.failure)}
          </p>
          <button type="button" class="button" onClick={() => void start()}>
            {texts.tryAgain}
          </button>
        </>
      )}
    </main>
  );
}

function House({ facts }: { facts: LobbyFacts }) {
  const { account, bench } = useLobby();
  const { failure } = account;
  const benchOpen = facts.bench && bench.isOpen.value;
  // On a small screen the bench covers all else, which must then not be reached behind it.
  const isCovered = benchOpen && matchMedia('(max-width: 620px)').matches;
  useEffect(() => {
    document.title = facts.operator.name;
  }, [facts.operator.name]);
  return (
    <>
      <div class={benchOpen ? 'page withBench' : 'page'} inert={isCovered}>
        <a class="skip" href="#games">
          {texts.page.skipToGames}
        </a>
        <Head facts={facts} />
        <div class="rooms">
          <main class="floor">
            {failure.value && (
              <Notice action={{ label: texts.tryAgain, onPress: () => void account.resume(facts.currencies) }}>
                {texts.head.accountFailed(failure.value)}
              </Notice>
            )}
            <GameStage />
            <section id="games" class="games" aria-labelledby="gamesTitle" tabIndex={-1}>
              <div class="sectionHead">
                <h2 id="gamesTitle">{texts.games.title}</h2>
                <span class="soft">{texts.games.count(facts.games.length)}</span>
              </div>
              <PlayChoicesPanel facts={facts} />
              <GameGrid games={facts.games} />
            </section>
          </main>
          <StatementPanel />
        </div>
      </div>
      {benchOpen && <BenchDrawer />}
    </>
  );
}
