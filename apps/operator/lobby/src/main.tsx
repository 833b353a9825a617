// The order of the style sheets is the order of their rules.
import './styles/base.css';
import './styles/controls.css';
import './styles/page.css';
import './styles/games.css';
import './styles/statement.css';
import './styles/bench.css';
// Makes Preact draw a component again when a signal that it has read changes.
import '@preact/signals';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { createKeptValues } from './account/account.ts';
import { Head } from './account/head.tsx';
import { StatementPanel } from './account/statementPanel.tsx';
import { createApi, type LobbyFacts } from './api.ts';
import { BenchDrawer } from './bench/benchDrawer.tsx';
import { Notice } from './controls.tsx';
import { ChoicesPanel } from './games/choicesPanel.tsx';
import { GameGrid } from './games/gameGrid.tsx';
import { GameStage } from './games/gameStage.tsx';
import { createLobbyModel, LobbyContext, useLobby } from './lobby.ts';
import { texts } from './texts.ts';

const model = createLobbyModel({
  api: createApi({ send: (input, init) => fetch(input, init) }),
  kept: createKeptValues(() => localStorage),
  openStream: (url) => new EventSource(url),
});

const host = document.getElementById('lobby');
if (!host) throw new Error('the page has no #lobby');
render(
  <LobbyContext.Provider value={model}>
    <App />
  </LobbyContext.Provider>,
  host,
);
void model.start();

function App() {
  const { state, start } = useLobby();
  const { value } = state;
  if (value.kind === 'ready') return <Lobby facts={value.facts} />;
  return (
    <main class="startScreen" aria-busy={value.kind === 'loading'}>
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

function Lobby({ facts }: { facts: LobbyFacts }) {
  const { account, bench } = useLobby();
  const { failure } = account;
  const benchOpen = facts.bench && bench.isOpen.value;
  // On a small screen the studio bench covers the page, which then must not get the focus.
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
        <div class="columns">
          <main class="mainColumn">
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
              <ChoicesPanel facts={facts} />
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
