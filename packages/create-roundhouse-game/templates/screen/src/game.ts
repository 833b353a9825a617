import {
  betLevelsOf,
  type Client,
  type HistoryRound,
  isRgsError,
  nextBetLevel,
  previousBetLevel,
  type RgsError,
  type Round,
} from '@roundhouse/sdk';
import { type AutoplayStop, stopAfterRound, stopBeforeRound } from '@roundhouse/sdk/duties';
import { MODES, type ModeName } from '../math/modes.ts';
import { SYMBOLS, WIN_CAP } from '../math/rules.ts';
import { type AutoplayOrder, openAutoplay } from './autoplay.ts';
import { openBets } from './bets.ts';
import type { Dialogs } from './dialogs.ts';
import type { Duties } from './duties.ts';
import type { Hud, HudAction } from './hud.ts';
import { type Money, payOf } from './money.ts';
import { TURBO_TEMPO } from './scene.ts';
import type { Sound } from './sound.ts';
import { fill, type Texts } from './texts.ts';
import type { Show } from './types.ts';

const SPIN_MODE = 'BASE';
/** The mode that the game offers as a round to buy, if any. */
const BUY_MODE: string | undefined = Object.keys(MODES).find((name) => name !== SPIN_MODE);
const BETWEEN_SPINS_MS = 500;
const REPLAY_END_MS = 2000;
/** The question about a round to buy shows this number of the highest symbols. */
const SHOWN_SYMBOLS = 3;
/** Hundredths of the bet, like the amounts of events. */
const BIG_WIN = 1000;

export type Game = {
  start(): Promise<void>;
  act(action: HudAction): void;
  /** Shows a round of the history again. */
  replay(round: HistoryRound): void;
  /** Another tab plays the session from now on. */
  giveUp(): Promise<void>;
  readonly betMicros: number;
};

export type GameParts = {
  client: Client;
  show: Show;
  sound: Sound;
  texts: Texts;
  money: Money;
  dialogs: Dialogs;
  duties: Duties;
  hud: () => Hud;
  openMenu: () => void;
};

/** A round to be shown; its events may be on their way. */
type ShownRound = { mode: string; amount: number; events: Promise<readonly unknown[]> };

/** Bets, shows rounds and pays them. It controls the show, the hud and the sound. */
export function createGame({ client, show, sound, texts, money, dialogs, duties, hud, openMenu }: GameParts): Game {
  const { launch } = client;
  const launchedReplay = launch.kind === 'replay' ? launch : undefined;
  let betMicros = launchedReplay?.amount ?? 0;
  let winMicros = 0;
  let isBusy = true;
  let isBlocked = false;
  let autoplay: number | undefined;
  let autoplayRun = 0;
  let canStop = false;
  let isTurbo = false;
  /** The game shows this text while it replays a round of the history. */
  let replayNote = '';

  const jurisdiction = () => client.state.config?.jurisdiction;
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  function refresh(): void {
    const { balance, config, canPlay } = client.state;
    const flags = config?.jurisdiction;
    const isIdle = !isBusy && !isBlocked && autoplay === undefined;
    hud().show({
      balance: balance ? money.text(balance.amount) : '–',
      win: winMicros > 0 || !isBusy ? money.text(winMicros) : '',
      bet: betMicros > 0 ? money.text(betMicros) : '–',
      isBusy,
      canStop: mayStop(),
      canSpin: isIdle && (launchedReplay !== undefined || canPlay || client.state.needsAuthenticate),
      canLower: isIdle && config !== undefined && previousBetLevel(betMicros, config) !== betMicros,
      canRaise: isIdle && config !== undefined && nextBetLevel(betMicros, config) !== betMicros,
      canChoose: isIdle && !launchedReplay && config !== undefined && betLevelsOf(config).length > 1,
      autoplay,
      hasAutoplay: !launchedReplay && !flags?.disabledAutoplay,
      isTurbo,
      hasTurbo: !flags?.disabledTurbo,
      isSoundOn: sound.isOn,
      price: priceText(),
      isReplay: launchedReplay !== undefined,
      notes: replayNote || duties.notes(),
    });
  }

  /** Undefined if no round can be bought. */
  function priceText(): string | undefined {
    const { config } = client.state;
    if (!BUY_MODE || !config) return undefined;
    // Engine's server names no modes.
    const { feature, costMultiplier } = config.betModes[BUY_MODE] ?? {
      feature: true,
      costMultiplier: MODES[BUY_MODE as ModeName].cost,
    };
    if (feature && config.jurisdiction.disabledBuyFeature) return undefined;
    return money.text(payOf(betMicros, 100 * costMultiplier));
  }

  /**
   * The board moves until the events come from the server, then they are shown. Resolves when the
   * player has seen the win.
   */
  async function present({ mode, amount, events }: ShownRound): Promise<void> {
    const stake = 100 * (MODES[mode as ModeName]?.cost ?? 1);
    let won = 0;
    betMicros = amount;
    winMicros = 0;
    show.begin();
    sound.play('spin');
    refresh();
    await show.play(await events, {
      textOf: (total) => money.text(payOf(amount, total)),
      isCelebrated: (total) => total > stake || !jurisdiction()?.disabledLossCelebration,
      onLanding() {
        canStop = true;
        refresh();
      },
      onWin(total) {
        won = total;
        winMicros = payOf(amount, won);
        refresh();
      },
    });
    if (won < BIG_WIN || won <= stake) return;
    await show.announce(won >= WIN_CAP ? texts.maxWin : texts.bigWin);
  }

  async function playRound(mode: string): Promise<void> {
    const played = client.play({ amount: betMicros, mode });
    await present({ mode, amount: betMicros, events: played.then(({ round }) => round.state) });
    await finish((await played).round);
  }

  /**
   * After a reload the round is shown again from its start: it is short, and that is always right.
   */
  async function resume(round: Round): Promise<void> {
    await present({ ...round, events: Promise.resolve(round.state) });
    await finish(round);
  }

  async function finish(round: Round): Promise<void> {
    if (round.active) await client.endRound();
    if (!duties.isRealityCheckDue()) return;
    autoplay = undefined;
    await duties.checkReality();
  }

  async function enter(): Promise<void> {
    if (client.state.needsAuthenticate) await client.authenticate();
    betMicros ||= client.state.config?.defaultBetLevel ?? 0;
    if (client.state.activeRound) await resume(client.state.activeRound);
  }

  async function next(mode: string): Promise<void> {
    if (launchedReplay) {
      return present({ ...launchedReplay, events: client.replay().then(({ state }) => state) });
    }
    if (client.state.needsAuthenticate || client.state.activeRound) return enter();
    await sleep(client.msUntilNextPlay());
    return playRound(mode);
  }

  /** Shows a round of the history, then restores the game. */
  async function replayOf({ gameVersion: version, mode, amount, bookID, betID }: HistoryRound): Promise<void> {
    const { gameID: game = '' } = client.state.config ?? {};
    const kept = { betMicros, winMicros };
    const book = { game, version, mode, event: String(bookID) };
    replayNote = fill(texts.replayOf, { round: betID });
    try {
      await present({ mode, amount, events: client.replay(book).then(({ state }) => state) });
      await sleep(REPLAY_END_MS);
    } finally {
      replayNote = '';
      ({ betMicros, winMicros } = kept);
      show.rest();
    }
  }

  /**
   * Runs one action. The game tells the player what fails; whatever became of the bet, the server
   * knows it.
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
      if (isBlocked) return false;
      autoplay = undefined;
      show.rest();
      isBlocked = error.kind === 'session-over' || error.kind === 'not-allowed-here';
      const isOpenElsewhere = error.kind === 'bad-request' && (await findsOpenRound());
      await dialogs.tell(isOpenElsewhere ? texts.openElsewhere : textOf(error), { canGoOn: !isBlocked });
      return isOpenElsewhere && (await attempt(enter));
    } finally {
      isBusy = false;
      refresh();
    }
  }

  /** A bet is refused while a round is open that another window or device of the player began. */
  async function findsOpenRound(): Promise<boolean> {
    const { activeRound: own, needsAuthenticate } = client.state;
    if (own !== undefined || !needsAuthenticate) return false;
    await client.authenticate().catch(() => undefined);
    return client.state.activeRound !== undefined;
  }

  function textOf({ kind }: RgsError): string {
    return kind === 'session-over' && jurisdiction()?.singleInstance ? texts.otherGame : texts[kind];
  }

  function askAutoplay(): void {
    if (!isFree()) return;
    const { maximumAutoplayRounds = 0, requireAutoplayLossLimit = false } = jurisdiction() ?? {};
    openAutoplay({
      ...{ texts, money, dialogs, stakeMicros: betMicros },
      maximumRounds: maximumAutoplayRounds,
      needsLossLimit: requireAutoplayLossLimit,
      start: (order) => void runAutoplay(order),
    });
  }

  /** Plays until the rounds are done, a limit stops it, the player does, or something fails. */
  async function runAutoplay({ rounds, ...limits }: AutoplayOrder): Promise<void> {
    if (!isFree()) return;
    autoplayRun += 1;
    const run = autoplayRun;
    const netBefore = client.state.netPositionMicros;
    let stop: AutoplayStop | undefined;
    for (autoplay = rounds; autoplay !== undefined && autoplay > 0 && stop === undefined; ) {
      const lostMicros = netBefore - client.state.netPositionMicros;
      stop = stopBeforeRound(limits, { lostMicros, stakeMicros: betMicros });
      if (stop !== undefined) break;
      autoplay -= 1;
      if (!(await attempt(() => next(SPIN_MODE))) || autoplay === undefined) break;
      stop = stopAfterRound(limits, { payoutMicros: winMicros });
      if (autoplay > 0 && stop === undefined) await sleep(BETWEEN_SPINS_MS / (isTurbo ? TURBO_TEMPO : 1));
      // The player has stopped this autoplay in the pause, and started another one.
      if (run !== autoplayRun) return;
    }
    autoplay = undefined;
    refresh();
    if (stop === undefined) return;
    await dialogs.tell(`${texts.autoplayStopped}\n${texts[`${stop}Reached`]}`, { canGoOn: true });
  }

  /** Asks first: the price is not the bet. */
  async function buy(): Promise<void> {
    const price = priceText();
    if (BUY_MODE === undefined || price === undefined || !isFree()) return;
    const pictures = SYMBOLS.slice(0, SHOWN_SYMBOLS).map(show.picture);
    const isBought = await dialogs.ask(fill(texts.buyQuestion, { price }), { yes: `${texts.buy} ${price}`, pictures });
    if (isBought && isFree()) await attempt(() => next(BUY_MODE));
  }

  function changeBet(change: typeof nextBetLevel): void {
    if (isFree() && client.state.config) betMicros = change(betMicros, client.state.config);
    refresh();
  }

  function chooseBet(): void {
    const { config } = client.state;
    if (!config || !isFree()) return;
    openBets({
      ...{ texts, money, dialogs, chosen: betMicros, levels: betLevelsOf(config) },
      choose: (level) => changeBet(() => level),
    });
  }

  const isFree = () => !isBusy && !isBlocked && autoplay === undefined;
  const mayStop = () => canStop && jurisdiction()?.disabledSlamstop !== true;

  const actions: Record<HudAction, () => void> = {
    spin: () => {
      if (isFree()) void attempt(() => next(SPIN_MODE));
      else if (isBusy && mayStop()) show.skip();
    },
    lowerBet: () => changeBet(previousBetLevel),
    raiseBet: () => changeBet(nextBetLevel),
    chooseBet,
    buy: () => void buy(),
    autoplay: askAutoplay,
    stopAutoplay: () => {
      autoplay = undefined;
      refresh();
    },
    turbo: () => {
      if (jurisdiction()?.disabledTurbo) return;
      isTurbo = !isTurbo;
      show.setTurbo(isTurbo);
      refresh();
    },
    sound: () => {
      sound.toggle();
      refresh();
    },
    menu: () => {
      // Reading the dialog does not count as play.
      autoplay = undefined;
      openMenu();
    },
  };

  return {
    async start() {
      client.subscribe(refresh);
      // The time of the session goes on between rounds.
      setInterval(refresh, 1000);
      await attempt(launchedReplay ? () => next(SPIN_MODE) : enter);
    },
    act: (action) => actions[action](),
    replay(round) {
      if (isFree()) void attempt(() => replayOf(round));
    },
    async giveUp() {
      isBlocked = true;
      autoplay = undefined;
      refresh();
      await dialogs.tell(texts.otherTab, { canGoOn: true, goOn: texts.playHere });
      location.reload();
    },
    get betMicros() {
      return betMicros;
    },
  };
}
