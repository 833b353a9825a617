// The order of the style sheets is the order of their rules.
import '@roundhouse/brand/brand.css';
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
import { ViewDialogs } from './account/viewDialogs.tsx';
import { createApi, type LobbyFacts } from './api.ts';
import { BenchDrawer } from './bench/benchDrawer.tsx';
import { Notice } from './controls.tsx';
import { ChoicesPanel } from './games/choicesPanel.tsx';
import { GameGrid } from './games/gameGrid.tsx';
import { GameStage } from './games/gameStage.tsx';
import { createLobbyModel, LobbyContext, useLobby } from './lobby.ts';
import { texts } from './texts.ts';
import { handToParent, viewOf } from './views.ts';

const model = createLobbyModel({
  api: createApi({ send: (input, init) => fetch(input, init) }),
  kept: createKeptValues(() => localStorage),
  openStream: (url) => new EventSource(url),
  // Without CORS the response cannot be read, but its arrival is enough.
  probe: (url) =>
    fetch(url, { mode: 'no-cors', cache: 'no-store' }).then(
      () => true,
      () => false,
    ),
  device: matchMedia('(pointer: coarse) and ((max-width: 620px) or (max-height: 480px))').matches
    ? 'mobile'
    : 'desktop',
  focusGame() {
    const frame = document.querySelector('iframe');
    // On a small screen the studio bench covers the game.
    if (!frame || frame.closest('[inert]')) return;
    frame.focus({ preventScroll: true });
    frame.contentWindow?.focus();
  },
});

const host = document.getElementById('lobby');
if (!host) throw new Error('the page has no #lobby');
// In a game's frame this page shows nothing: the lobby around it does.
if (!handToParent(window)) {
  model.views.listen(window);
  render(
    <LobbyContext.Provider value={model}>
      <App />
    </LobbyContext.Provider>,
    host,
  );
  const view = viewOf(location.search);
  // A reload must not open the view again.
  if (view) history.replaceState(null, '', location.pathname);
  void model.start(view);
}

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

/**
 * The interval for reading the faults while a game or the studio bench is open, and for reading the
 * games while some are being built.
 */
const REFRESH_MS = 2_000;

function columnsClass(isPlaying: boolean, isTheatre: boolean): string {
  if (!isPlaying) return 'columns';
  return isTheatre ? 'columns playing theatre' : 'columns playing';
}

function Lobby({ facts }: { facts: LobbyFacts }) {
  const { account, bench, launcher, refreshGames } = useLobby();
  const { failure } = account;
  const benchOpen = facts.bench && bench.isOpen.value;
  // On a small screen the studio bench covers the page, so the page must not get the focus.
  const isCovered = benchOpen && matchMedia('(max-width: 620px)').matches;
  const isPlaying = launcher.open.value !== undefined;
  const looksForFaults = facts.bench && (benchOpen || isPlaying);
  useEffect(() => {
    if (!looksForFaults) return;
    void bench.refresh();
    const timer = setInterval(() => void bench.refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [bench, looksForFaults]);
  const looksForGames = facts.beingBuilt.length > 0;
  useEffect(() => {
    if (!looksForGames) return;
    const timer = setInterval(() => void refreshGames(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [refreshGames, looksForGames]);
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
        <main class={columnsClass(isPlaying, launcher.isTheatre.value)}>
          <div class="stageArea">
            {failure.value && (
              <Notice action={{ label: texts.tryAgain, onPress: () => void account.resume(facts.currencies) }}>
                {texts.head.accountFailed(failure.value)}
              </Notice>
            )}
            <GameStage />
          </div>
          <StatementPanel />
          <section id="games" class="games" aria-labelledby="gamesTitle" tabIndex={-1}>
            <div class="sectionHead">
              <h2 id="gamesTitle">{texts.games.title}</h2>
              <span class="soft">{texts.games.count(facts.games.length)}</span>
              <a
                class="verifierLink"
                href={`${facts.rgsUrl}/fairness/verifier`}
                target="_blank"
                rel="noreferrer"
                title={texts.games.verifierNote}
              >
                {texts.games.verifier}
                <span class="unseen"> {texts.games.verifierNote}</span>
              </a>
            </div>
            <ChoicesPanel facts={facts} />
            <GameGrid facts={facts} />
          </section>
        </main>
      </div>
      {benchOpen && <BenchDrawer />}
      <ViewDialogs />
    </>
  );
}
