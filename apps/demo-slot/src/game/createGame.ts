import type { LaunchReplay } from '@roundhouse/sdk';
import { createGrants } from '@roundhouse/sdk/grants';
import { betActions } from './actions/betActions.ts';
import { comfortActions } from './actions/comfortActions.ts';
import { dialogActions } from './actions/dialogActions.ts';
import { NO_ROUND_ACTIONS, type RoundActions, roundActions } from './actions/roundActions.ts';
import { boot, showIntro } from './boot.ts';
import { type ClientContext, type Context, createContext, type GameDeps } from './context.ts';
import { createFailures, createRecovery, type Failures, failureDialog, followFunds } from './failure.ts';
import { createFairness, followFairness } from './fairness.ts';
import { followClient } from './followClient.ts';
import { followNetwork, followPage, followSession, followTabs, pressKey } from './followPage.ts';
import { followGrants } from './freeRounds.ts';
import type { GameModel } from './gameModel.ts';
import { createHistory, followHistory } from './history.ts';
import type { GameActions } from './model.ts';
import { createRealityChecks } from './realityCheck.ts';
import { createReplay } from './replay.ts';
import { followRest } from './rest.ts';
import { createRounds } from './round/playRound.ts';

export type Game = {
  readonly model: GameModel;
  readonly actions: GameActions;
  /**
   * Loads the game and shows the intro. Resolves when the intro, or a dialog with the reason, is
   * shown.
   */
  start(): Promise<void>;
  /** Removes all listeners, closes the client and frees the picture. */
  close(): void;
};

/** Makes the game. It loads and sends nothing before `start`. */
export function createGame(deps: GameDeps): Game {
  const context = createContext(deps);
  const { store, model } = context;
  const failures = createFailures(context);
  deps.texts.setSocial(model.social.peek());

  const { client } = deps.launch;
  const opened = client ? openGame({ ...context, client }, failures) : closedGame(context, failures);
  const spinOrStop = () => {
    if (model.canSpin.peek()) opened.actions.spin();
    else actions.stop();
  };
  const actions: GameActions = {
    ...betActions(context, failures),
    ...comfortActions(context),
    ...dialogActions(context, failures),
    ...opened.actions,
    spinOrStop,
  };

  const ends = [
    followPage(context),
    followRest(context),
    followNetwork(context, failures),
    deps.page.onKey((key) => pressKey(key, model, actions)),
    ...opened.ends,
  ];
  store.fullscreen.value = deps.page.isFullscreen();
  return {
    model,
    actions,
    start: opened.start,
    close() {
      for (const end of ends) end();
      client?.close();
      deps.stage.destroy();
    },
  };
}

type Opened = {
  readonly actions: RoundActions;
  readonly ends: readonly (() => void)[];
  start(): Promise<void>;
};

function openGame(context: ClientContext, failures: Failures): Opened {
  const { client, store, stage } = context;
  const realityChecks = createRealityChecks(context);
  const grants = createGrants(client);
  const rounds = createRounds(context, realityChecks, grants);
  const recovery = createRecovery(context, rounds, failures);
  const replay = createReplay(context, failures);
  const history = createHistory(context, replay);
  const fairness = createFairness(context, recovery);
  const { launch } = client;
  return {
    actions: roundActions(context, {
      ...{ rounds, recovery, failures, realityChecks, replay, history, fairness, grants },
    }),
    ends:
      launch.kind === 'replay'
        ? []
        : [
            followClient(context),
            followGrants(context, grants),
            followSession(context),
            followTabs(context),
            followFunds(context, failures),
            followHistory(context, history),
            followFairness(context, fairness),
          ],
    start: () => (launch.kind === 'replay' ? startReplay(launch) : startPlay()),
  };

  async function startPlay(): Promise<void> {
    const isShown = await boot(context, failures, async () => void (await client.authenticate()));
    if (isShown) showIntro(context);
  }

  async function startReplay(book: LaunchReplay): Promise<void> {
    const isShown = await boot(context, failures, () => replay.fetch(book));
    if (!isShown || store.phase.peek() === 'blocked') return;
    stage.showBoard(context.board());
    context.setBoard(context.board());
    stage.enter();
    store.phase.value = 'idle';
  }
}

/** The launch link is invalid: only a dialog is shown. */
function closedGame({ store }: Context, failures: Failures): Opened {
  return {
    actions: NO_ROUND_ACTIONS,
    ends: [],
    async start() {
      store.progress.value = 1;
      failures.show(failureDialog('badLaunch', 'none'), () => {});
    },
  };
}
