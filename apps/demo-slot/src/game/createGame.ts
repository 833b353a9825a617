import { settingActions } from './actions.ts';
import { boot, showIntro } from './boot.ts';
import { failureDialog } from './failure/failureOf.ts';
import { createFailures, type Failures } from './failure/failures.ts';
import { followNetwork } from './failure/followNetwork.ts';
import { createRecovery } from './failure/recovery.ts';
import { followClient } from './followClient.ts';
import { followPage, followSession } from './followPage.ts';
import { pressKey } from './keys.ts';
import type { GameActions, GameModel } from './model.ts';
import { createReplay, type Replay } from './replay.ts';
import { createRounds } from './round/playRound.ts';
import { NO_ROUND_ACTIONS, type RoundActions, roundActions } from './roundActions.ts';
import { createTable, type GameParts, type OpenTable, type Table } from './table.ts';

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

/** The game. It loads and sends nothing before `start`. */
export function createGame(parts: GameParts): Game {
  const table = createTable(parts);
  const { store, model } = table;
  const failures = createFailures(table);
  parts.texts.setSocial(model.social.peek());

  const { client } = parts.launch;
  const opened = client ? openGame({ ...table, client }, failures) : closedGame(table, failures);
  const spinOrStop = () => {
    if (model.canSpin.peek()) opened.actions.spin();
    else actions.stop();
  };
  const actions: GameActions = { ...settingActions(table, failures), ...opened.actions, spinOrStop };

  const ends = [
    followPage(table),
    followNetwork(table, failures),
    parts.page.onKey((key) => pressKey(key, model, actions)),
    ...opened.ends,
  ];
  store.fullscreen.value = parts.page.isFullscreen();
  return {
    model,
    actions,
    start: opened.start,
    close() {
      for (const end of ends) end();
      client?.close();
      parts.stage.destroy();
    },
  };
}

type Opened = {
  readonly actions: RoundActions;
  readonly ends: readonly (() => void)[];
  start(): Promise<void>;
};

function openGame(table: OpenTable, failures: Failures): Opened {
  const { client, store, stage } = table;
  const rounds = createRounds(table);
  const recovery = createRecovery(table, rounds, failures);
  const replay = client.launch.kind === 'replay' ? createReplay(table, client.launch, failures) : undefined;
  return {
    actions: roundActions(table, { rounds, recovery, replay }),
    ends: replay ? [] : [followClient(table), followSession(table)],
    start: () => (replay ? startReplay(replay) : startPlay()),
  };

  async function startPlay(): Promise<void> {
    const isShown = await boot(table, failures, async () => void (await client.authenticate()));
    if (isShown) showIntro(table);
  }

  async function startReplay({ fetch }: Replay): Promise<void> {
    const isShown = await boot(table, failures, fetch);
    if (!isShown || store.phase.peek() === 'blocked') return;
    stage.showBoard(table.board());
    table.setBoard(table.board());
    stage.enter();
    store.phase.value = 'idle';
  }
}

/** The launch link is invalid: only a dialog is shown. */
function closedGame({ store }: Table, failures: Failures): Opened {
  return {
    actions: NO_ROUND_ACTIONS,
    ends: [],
    async start() {
      store.progress.value = 1;
      failures.show(failureDialog('badLaunch', 'none'), () => {});
    },
  };
}
