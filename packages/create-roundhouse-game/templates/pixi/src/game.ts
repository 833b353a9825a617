import {
  type Client,
  createRealityCheck,
  formatAmount,
  formatElapsed,
  isRgsError,
  nextBetLevel,
  previousBetLevel,
  type RealityCheck,
  type RgsError,
  type Round,
} from '@roundhouse/sdk';
import { createEventPlayer, type EventPlayer } from '@roundhouse/sdk/events';
import { type BookEvent, WIN_CAP } from '../math/rules.ts';
import { TARGETS } from '../math/targets.ts';
import type { Hud, HudAction } from './hud.ts';
import type { Sound } from './sound.ts';
import type { Stage } from './stage.ts';
import type { Texts } from './texts.ts';

const MODE = 'BASE';
const AUTOPLAY_SPINS = 10;
const BETWEEN_SPINS_MS = 500;
const LINE_MS = 650;
/** In hundredths of the bet, like the amounts of events. MODE costs the bet itself. */
const STAKE = 100;
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
  let realityCheck: RealityCheck | undefined;

  /** What the place of play demands. A replay has none. */
  const jurisdiction = () => client.state.config?.jurisdiction;

  const player: EventPlayer<BookEvent> = createEventPlayer<BookEvent>({
    reveal: async ({ board }, { onSkip }) => {
      const landed = stage.land(board, () => sound.play('stop'));
      onSkip(stage.landNow);
      canStop = true;
      refresh();
      await landed;
    },
    winInfo: async ({ wins }, { wait }) => {
      const total = wins.reduce((sum, { win }) => sum + win, 0);
      const isCelebrated = total > STAKE || !jurisdiction()?.disabledLossCelebration;
      if (isCelebrated) sound.play('win');
      for (const win of wins) {
        stage.showWin(win, { isCelebrated });
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
    const flags = config?.jurisdiction;
    const isIdle = !isBusy && !isBlocked && autoplay === undefined;
    const canSpin = isIdle && (replay !== undefined || canPlay || client.state.needsAuthenticate);
    hud().show({
      balance: balance ? money(balance.amount) : '–',
      win: winMicros > 0 ? money(winMicros) : '',
      bet: betMicros > 0 ? money(betMicros) : '–',
      isBusy,
      canStop: canStop && flags?.disabledSlamstop !== true,
      canSpin,
      canLower: isIdle && config !== undefined && previousBetLevel(betMicros, config) !== betMicros,
      canRaise: isIdle && config !== undefined && nextBetLevel(betMicros, config) !== betMicros,
      autoplay,
      // There is no choice of a loss limit here.
      hasAutoplay: replay === undefined && !flags?.disabledAutoplay && !flags?.requireAutoplayLossLimit,
      isSoundOn: sound.isOn,
      isReplay: replay !== undefined,
      notes: notes(),
    });
  }

  /** What the player must always see. */
  function notes(): string {
    const { config, sessionStartedAtMs: startedAtMs, netPositionMicros } = client.state;
    const flags = config?.jurisdiction;
    const elapsedMs = startedAtMs === undefined ? 0 : Math.max(0, Date.now() - startedAtMs);
    const rtp = new Intl.NumberFormat(launch.language, { style: 'percent', maximumFractionDigits: 2 });
    const shown = [
      flags?.displaySessionTimer && formatElapsed(elapsedMs),
      flags?.displayNetPosition && `${texts.net} ${money(netPositionMicros)}`,
      flags?.displayRTP && `RTP ${rtp.format(TARGETS.rtp)}`,
    ];
    return shown.filter(Boolean).join(' · ');
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
    await checkReality();
  }

  /** Tells how long the player has played, between two rounds, and ends an autoplay. */
  async function checkReality(): Promise<void> {
    const { sessionStartedAtMs: startedAtMs, netPositionMicros, config } = client.state;
    if (startedAtMs === undefined || config === undefined) return;
    realityCheck ??= createRealityCheck({ startedAtMs, intervalMs: config.jurisdiction.realityCheckInterval });
    if (!realityCheck.isDue()) return;
    autoplay = undefined;
    const played = `${texts.playedFor} ${formatElapsed(realityCheck.elapsedMs())}`;
    await hud().tell(`${played}\n${texts.net} ${money(netPositionMicros)}`, {
      canGoOn: true,
      links: { [texts.history]: launch.historyURL, [texts.leave]: launch.returnURL },
    });
    realityCheck.acknowledge();
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
      await hud().tell(textOf(error), { canGoOn: !isBlocked });
      return false;
    } finally {
      isBusy = false;
      refresh();
    }
  }

  function textOf({ kind }: RgsError): string {
    return kind === 'session-over' && jurisdiction()?.singleInstance ? texts.otherGame : texts[kind];
  }

  async function runAutoplay(): Promise<void> {
    const most = jurisdiction()?.maximumAutoplayRounds || AUTOPLAY_SPINS;
    for (autoplay = Math.min(AUTOPLAY_SPINS, most); autoplay !== undefined && autoplay > 0; ) {
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
      // The time of the session goes on between rounds.
      setInterval(refresh, 1000);
      await attempt(replay ? next : enter);
    },
    act: (action) => actions[action](),
  };
}
