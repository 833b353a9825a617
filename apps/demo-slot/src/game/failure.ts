import { batch, effect } from '@preact/signals-core';
import { type BetConfig, isRgsError, type RgsErrorKind } from '@roundhouse/sdk';
import type { ModeName } from '../../rules.ts';
import { type ClientContext, type Context, lastBoardOf } from './context.ts';
import { showBalance } from './followClient.ts';
import type { Dialog, FailureKind, FailureRemedy } from './model.ts';
import { costOf } from './money.ts';
import type { Rounds } from './round/playRound.ts';

export type Failure = Extract<Dialog, { kind: 'failure' }>;

/**
 * What each error of the client means to the player and what the player can do. A new kind of
 * error does not compile until it is here.
 */
const FAILURES: Readonly<Record<RgsErrorKind, { failure: FailureKind; remedy: FailureRemedy }>> = {
  'session-over': { failure: 'sessionOver', remedy: 'none' },
  'insufficient-funds': { failure: 'insufficientFunds', remedy: 'close' },
  'limit-reached': { failure: 'limitReached', remedy: 'close' },
  'not-allowed-here': { failure: 'notAllowedHere', remedy: 'none' },
  'bad-request': { failure: 'badRequest', remedy: 'close' },
  maintenance: { failure: 'maintenance', remedy: 'again' },
  'server-error': { failure: 'serverFailure', remedy: 'again' },
  'no-network': { failure: 'noNetwork', remedy: 'again' },
  'launch-url': { failure: 'badLaunch', remedy: 'none' },
};

export function failureOf(error: unknown, config?: BetConfig): Failure {
  // Any other error is a bug. Authenticating again helps in that case as well.
  if (!isRgsError(error)) return failureDialog('serverFailure', 'again');
  const { failure, remedy } = FAILURES[error.kind];
  // Another game of the player may have ended the session.
  if (failure === 'sessionOver' && config?.jurisdiction.singleInstance) return failureDialog('otherGame', remedy);
  // Nothing failed when money is short, so support does not need the request id.
  const requestId = failure === 'insufficientFunds' ? undefined : error.requestId;
  return { kind: 'failure', failure, remedy, requestId };
}

/**
 * Returns the dialog that is shown in place of a round of this mode, because the balance is too
 * low.
 */
export function shortOfFunds({ store, launch }: Context, mode: ModeName): Failure | undefined {
  // The operator pays the bet of a free round.
  if (store.grant.peek()) return undefined;
  const balanceMicros = store.balanceMicros.peek();
  const costMicros = costOf(store.config.peek(), { betMicros: store.betMicros.peek(), mode });
  // The server decides when the game does not know an amount.
  if (balanceMicros === undefined || costMicros === undefined || costMicros <= balanceMicros) return undefined;
  const { minBet = 0 } = store.config.peek() ?? {};
  // If the play money covers no bet, a reload starts with new play money.
  const isUsedUp = launch.isFunMode && balanceMicros < minBet;
  return { ...failureDialog('insufficientFunds', isUsedUp ? 'reload' : 'close'), mode };
}

export function failureDialog(failure: FailureKind, remedy: FailureRemedy): Failure {
  return { kind: 'failure', failure, remedy, requestId: undefined };
}

export type Failures = {
  /**
   * Shows a dialog; `afterwards` is called when the player has pressed its button, if it has one
   * that lets the game go on.
   */
  show(failure: Failure, afterwards: () => void): void;
  remedy(): void;
};

export function createFailures({ store, audio, page }: Context): Failures {
  let goOn = () => {};
  return {
    show(failure, afterwards) {
      goOn = afterwards;
      store.autoplay.value = undefined;
      store.dialog.value = failure;
      if (failure.remedy === 'none') store.phase.value = 'blocked';
      audio.play('error');
    },
    remedy() {
      const failure = store.dialog.peek();
      if (failure?.kind !== 'failure' || failure.remedy === 'none') return;
      if (failure.remedy === 'reload' || failure.remedy === 'playHere') return page.reload();
      store.dialog.value = undefined;
      goOn();
    },
  };
}

/**
 * Closes the dialog that says what costs too much when the balance covers it. Returns the function
 * that stops it.
 */
export function followFunds(context: Context, failures: Failures): () => void {
  const { store } = context;
  return effect(() => {
    const dialog = store.dialog.value;
    void store.balanceMicros.value;
    if (dialog?.kind === 'failure' && dialog.mode && !shortOfFunds(context, dialog.mode)) failures.remedy();
  });
}

/** Brings the player back into the game after a failure. */
export type Recovery = {
  /** Runs an action. A failure becomes a dialog, whose button retries from here. */
  attempt(run: () => Promise<void>): Promise<void>;
  /** Continues the open round. */
  resumeOpenRound(): Promise<void>;
};

export function createRecovery(context: ClientContext, rounds: Rounds, failures: Failures): Recovery {
  const { client, store } = context;
  async function attempt(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      const failure = failureOf(error, client.state.config);
      const isOpenElsewhere = failure.failure === 'badRequest' && (await findsOpenRound());
      report(isOpenElsewhere ? failureDialog('openElsewhere', 'resume') : failure);
    }
  }

  /**
   * Reads the true state after a refusal. Returns whether a round is open that is not known here:
   * another window or device of the player began it.
   */
  async function findsOpenRound(): Promise<boolean> {
    const known = client.state.activeRound?.betID;
    await client.authenticate().catch(() => {});
    const { activeRound } = client.state;
    return activeRound !== undefined && activeRound.betID !== known;
  }

  // Both happen in one step, so that no round can begin before the dialog is open.
  function report(failure: Failure): void {
    batch(() => {
      store.recovering.value = false;
      store.phase.value = 'idle';
      showBalance(context);
      failures.show(failure, () => void attempt(() => goOn(failure)));
    });
    // The balance on the screen is an old one.
    if (failure.failure === 'insufficientFunds') client.balance().catch(() => {});
  }

  async function goOn({ remedy }: Failure): Promise<void> {
    store.recovering.value = true;
    if (remedy === 'again' || client.state.needsAuthenticate) {
      await client.authenticate();
      showRestingBoard(context);
    }
    store.recovering.value = false;
    await resumeOpenRound();
  }

  async function resumeOpenRound(): Promise<void> {
    const { activeRound } = client.state;
    store.openRound.value = false;
    if (activeRound) await rounds.resume(activeRound);
    else store.phase.value = 'idle';
  }

  return { attempt, resumeOpenRound };
}

/** Shows the board that the last completed round has left. */
export function showRestingBoard({ client, store, stage, setBoard, board }: ClientContext): void {
  const { round, activeRound } = client.state;
  const left = round && !activeRound ? lastBoardOf(round.state) : undefined;
  store.lines.value = undefined;
  stage.clearWins();
  stage.showBoard(left ?? board());
  setBoard(left ?? board());
}
