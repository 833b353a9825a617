import { type Client, formatAmount, isRgsError, nextBetLevel, previousBetLevel, type Round } from '@roundhouse/sdk';
import { createEventPlayer, type EventPlayer } from '@roundhouse/sdk/events';
import { type BookEvent, WIN_CAP } from '../math/rules.ts';
import type { Hud, HudAction } from './hud.ts';
import type { Sound } from './sound.ts';
import type { Stage } from './stage.ts';
import type { Texts } from './texts.ts';

const MODE = 'BASE';
const AUTOPLAY_SPINS = 10;
const BETWEEN_SPINS_MS = 500;
const LINE_MS = 650;
const BIG_WIN = 1000;

export type Game = { start(): Promise<void>; act(action: HudAction): void };

export type GameParts = { client: Client; stage: Stage; sound: Sound; texts: Texts; hud: () => Hud };

/** Bets, shows rounds and pays them. The stage, the hud and the sound do what they are told. */
export function createGame({ client, stage, sound, texts, hud }: GameParts): Game {
  const { launch } = client;
  const replay = launch.kind === 'replay' ? launch : undefined;
  let betMicros = replay?.amount ?? 0;
  let winMicros = 0;
  let isBusy = true;
  let isBlocked = false;
  let autoplay: number | undefined;
  let canStop = false;

  const player: EventPlayer<BookEvent> = createEventPlayer<BookEvent>({
    reveal: async ({ board }, { onSkip }) => {
      const landed = stage.land(board, () => sound.play('stop'));
      onSkip(stage.landNow);
      canStop = true;
      refresh();
      await landed;
    },
    winInfo: async ({ wins }, { wait }) => {
      sound.play('win');
      for (const win of wins) {
        stage.showWin(win);
        await wait(LINE_MS);
      }
    },
    finalWin: ({ amount }) => {
      winMicros = (betMicros * amount) / 100;
      if (amount < BIG_WIN) return;
      stage.announce(amount >= WIN_CAP ? texts.maxWin : texts.bigWin);
      sound.play('bigWin');
    },
  });

  const money = (micros: number) => {
    const currency = client.state.balance?.currency ?? launch.currency ?? 'USD';
    return formatAmount(micros, currency, { language: launch.language });
  };

  function refresh(): void {
    const { balance, config, canPlay } = client.state;
    const isIdle = !isBusy && !isBlocked && autoplay === undefined;
    const canSpin = isIdle && (replay !== undefined || canPlay || client.state.needsAuthenticate);
    hud().show({
      balance: balance ? money(balance.amount) : '–',
      win: winMicros > 0 ? money(winMicros) : '',
      bet: betMicros > 0 ? money(betMicros) : '–',
      isBusy,
      canStop: canStop && config?.jurisdiction.disabledSlamstop !== true,
      canSpin,
      canLower: isIdle && config !== undefined && previousBetLevel(betMicros, config) !== betMicros,
      canRaise: isIdle && config !== undefined && nextBetLevel(betMicros, config) !== betMicros,
      autoplay,
      hasAutoplay: replay === undefined && config?.jurisdiction.disabledAutoplay !== true,
      isSoundOn: sound.isOn,
      isReplay: replay !== undefined,
    });
  }

  /**
   * Turns the reels and shows the events. The events of a round come from the server or from a
   * replay.
   */
  async function showEvents(events: Promise<readonly unknown[]>): Promise<void> {
    winMicros = 0;
    stage.clearWins();
    stage.turn();
    sound.play('spin');
    refresh();
    await player.play((await events) as BookEvent[]);
  }

  async function playRound(): Promise<void> {
    const played = client.play({ amount: betMicros, mode: MODE });
    await showEvents(played.then(({ round }) => round.state));
    await finish((await played).round);
  }

  /**
   * After a reload the round is shown again from its start: it is short, and that is always right.
   */
  async function resume(round: Round): Promise<void> {
    betMicros = round.amount;
    await showEvents(Promise.resolve(round.state));
    await finish(round);
  }

  async function finish(round: Round): Promise<void> {
    if (round.active) await client.endRound();
  }

  async function enter(): Promise<void> {
    const { config } = await client.authenticate();
    betMicros ||= config.defaultBetLevel;
    if (client.state.activeRound) await resume(client.state.activeRound);
  }

  async function next(): Promise<void> {
    if (replay) return showEvents(client.replay().then(({ state }) => state));
    if (client.state.needsAuthenticate || client.state.activeRound) return enter();
    await new Promise((resolve) => setTimeout(resolve, client.msUntilNextPlay()));
    return playRound();
  }

  /**
   * Runs one action. What fails is told to the player; whatever became of the bet, the server knows
   * it.
   */
  async function attempt(action: () => Promise<void>): Promise<boolean> {
    isBusy = true;
    canStop = false;
    refresh();
    try {
      await action();
      return true;
    } catch (error) {
      if (!isRgsError(error)) throw error;
      autoplay = undefined;
      stage.rest();
      isBlocked = error.kind === 'session-over' || error.kind === 'not-allowed-here';
      await hud().tell(texts[error.kind], !isBlocked);
      return false;
    } finally {
      isBusy = false;
      refresh();
    }
  }

  async function runAutoplay(): Promise<void> {
    for (autoplay = AUTOPLAY_SPINS; autoplay !== undefined && autoplay > 0; ) {
      autoplay -= 1;
      if (!(await attempt(next))) break;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_SPINS_MS));
    }
    autoplay = undefined;
    refresh();
  }

  function changeBet(change: typeof nextBetLevel): void {
    if (client.state.config) betMicros = change(betMicros, client.state.config);
    refresh();
  }

  const actions: Record<HudAction, () => void> = {
    spin: () => {
      if (!isBusy && !isBlocked && autoplay === undefined) void attempt(next);
    },
    stop: () => player.skip(),
    lowerBet: () => changeBet(previousBetLevel),
    raiseBet: () => changeBet(nextBetLevel),
    autoplay: () => {
      if (autoplay === undefined && !isBusy) void runAutoplay();
      else autoplay = undefined;
      refresh();
    },
    sound: () => {
      sound.toggle();
      refresh();
    },
  };

  return {
    async start() {
      client.subscribe(refresh);
      await attempt(replay ? next : enter);
    },
    act: (action) => actions[action](),
  };
}
