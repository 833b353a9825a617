import {
  type BetLimitIssue,
  type BetLimits,
  checkBet,
  type Micros,
  multiplyMicros,
  payoutOf,
} from '@roundhouse/contract';
import type { DrawnBook, Random64 } from '@roundhouse/math';
import type { Outcome, Refused } from '../../base/refusal.ts';
import type { Database } from '../../store/database/database.ts';
import type { SessionFacts } from '../../store/rounds/sessions.ts';
import type { FairDraw, FairDraws } from '../fair/fairDraw.ts';
import { type Catalogue, type GameMode, type GameVersion, modeKey, notServed } from '../games/catalogue.ts';
import { fitsUnit } from '../games/fitsUnit.ts';
import type { BearerSession, Bet } from '../wallets/wallet.ts';
import { readRound, type ShownRound, showOpened } from './round.ts';

/** `release` returns the book unused, when the play is refused after all. */
type Drawn = { book: DrawnBook; fair?: FairDraw; release(): void };

/** Chooses the book of a play. */
export type Draw = {
  next(session: SessionFacts, mode: GameMode): Drawn;
  /** Local work may have chosen the book of the next play, even in a session with fair draws. */
  forced?(session: SessionFacts, mode: GameMode): Drawn | undefined;
};

/** Returns the certified draw. Sessions with fair draws use FairDraws. */
export function createDraw(random: Random64): Draw {
  const release = () => {};
  return { next: (_session, mode) => ({ book: mode.math.draw(random), release }) };
}

export type PlayDeps = {
  db: Database;
  catalogue: Catalogue;
  draw: Draw;
  fairDraws: FairDraws;
  /** Called with the time of each read of a book, in milliseconds. */
  observeBookRead: (gameID: string, ms: number) => void;
};

export type PlayRequest = BetRequest & {
  playKey: string | undefined;
  /** The grant that pays the bet, by the operator's id. */
  grantID: string | undefined;
};

/** replayed: the key of the play had opened the round before. */
export type PlayOutcome = Outcome<{ balance: Micros; round: ShownRound; replayed: boolean }>;

/** Checks the bet, draws a book, opens the round with its debit, and shows it. */
export async function play(deps: PlayDeps, session: BearerSession, request: PlayRequest): Promise<PlayOutcome> {
  const game = deps.catalogue.find(session.gameID, session.gameVersion);
  if (game === undefined) return notServed(session);

  const priced = priceBet(game, session, request);
  if (!priced.ok) {
    const { mode, detail } = priced;
    return refuseBet(deps, session, { request, mode, refused: { ok: false, refusal: 'bet_refused', detail } });
  }
  const { mode, debit } = priced;
  const drawn = session.isFair ? deps.draw.forced?.(session, mode) : deps.draw.next(session, mode);
  if (drawn === undefined) return playFair(deps, session, { request, mode, debit });
  return playDrawn(deps, session, { request, mode, debit, drawn });
}

type PricedPlay = { request: PlayRequest; mode: GameMode; debit: Micros };

/** The number of times that a play draws again, when other plays of the player took its nonce. */
const MOST_FAIR_DRAWS = 20;

/**
 * Draws by the seeds of the player. The nonce is a guess of this node. If another node has opened a
 * round or changed a seed meanwhile, nothing is stored, and the play draws again.
 */
async function playFair(deps: PlayDeps, session: BearerSession, priced: PricedPlay): Promise<PlayOutcome> {
  for (let draws = 1; ; draws += 1) {
    const drawn = await deps.fairDraws.next(session, priced.mode);
    if (!drawn.ok) return refuseBet(deps, session, { ...priced, refused: drawn });
    const outcome = await playDrawn(deps, session, { ...priced, drawn });
    if (outcome.ok || outcome.refusal !== 'nonce_moved' || draws === MOST_FAIR_DRAWS) return outcome;
  }
}

async function playDrawn(
  deps: PlayDeps,
  session: BearerSession,
  { request, mode, debit, drawn }: PricedPlay & { drawn: Drawn },
): Promise<PlayOutcome> {
  const bet = toBet({ request, session, mode, debit, drawn });
  // A book that cannot be read must not cost anything, so it is read before the debit.
  const startedMs = performance.now();
  const events = mode.math.readEvents(drawn.book.position);
  deps.observeBookRead(session.gameID, performance.now() - startedMs);
  const opened = await session.wallet.openRound(session, bet);
  if (!opened.ok || opened.replayed) drawn.release();
  if (!opened.ok) return opened;
  const { balance, roundID, grantID, replayed } = opened;
  session.trace?.set({ 'roundhouse.round_id': String(roundID), 'roundhouse.replayed': replayed });
  return {
    ok: true,
    balance,
    replayed,
    round: replayed ? await readRound(deps, roundID) : showOpened({ roundID, bet, mode, events, grantID }),
  };
}

/** Returns the key of a mode, if the game has it. */
export function knownMode(game: GameVersion, name: string): string | undefined {
  return (game.modes.get(name) ?? game.modes.get(modeKey(name)))?.key;
}

type BrokenRules = { request: PlayRequest; mode: GameMode | undefined; refused: Refused };

/**
 * Refuses a bet that breaks the rules. Only the database knows whether something that comes before
 * the rules applies instead (maintenance, session, login, location). It also knows whether the same
 * key has opened a round before, under rules that have changed since: then the response is that
 * round.
 */
async function refuseBet(
  deps: PlayDeps,
  session: BearerSession,
  { request: { amount, playKey }, mode, refused }: BrokenRules,
): Promise<PlayOutcome> {
  // The client's text is never sent: an unknown mode may contain characters that a database
  // refuses.
  const outcome = await session.wallet.refuseBet(session, { amount, playKey, mode: mode?.key ?? '' });
  if (!outcome.ok) return outcome.refusal === 'bet_refused' ? refused : outcome;
  return { ok: true, balance: outcome.balance, replayed: true, round: await readRound(deps, outcome.roundID) };
}

type DrawnPlay = PricedPlay & { session: BearerSession; drawn: Drawn };

function toBet({ request, session, drawn: { book, fair }, mode, debit }: DrawnPlay): Bet {
  const payout = payoutOf(request.amount, book.payoutMultiplier);
  // Loading the game has excluded this for every bet within the rules.
  if (payout === undefined) throw new Error(`${request.amount} × ${book.payoutMultiplier}/100 is not exact`);
  return {
    mode: mode.key,
    costMultiplier: mode.costMultiplier,
    amount: request.amount,
    debit,
    bookID: book.bookID,
    payoutMultiplier: book.payoutMultiplier,
    payout,
    autoClose: mode.autoClose,
    minimumRoundDurationMs: session.jurisdiction.minimumRoundDuration,
    playKey: request.playKey,
    grantID: request.grantID,
    fairClientSeedID: fair?.clientSeedID,
    fairNonce: fair?.nonce,
  };
}

type BetRequest = { amount: Micros; mode: string };

/** A refused bet names its mode if the game has it. */
type PricedBet =
  | { ok: true; mode: GameMode; debit: Micros }
  | { ok: false; mode: GameMode | undefined; detail: string };

/**
 * Checks the bet rules that any bet of the game must meet: mode, jurisdiction, limits and step of
 * the session's currency. maxStake is only for bets that no database judges: the maxStake of a
 * session may change, so judge_bets judges it.
 */
export function priceBet(
  game: GameVersion,
  session: Pick<SessionFacts, 'currency' | 'jurisdiction' | 'walletUnit'> & { maxStake?: Micros | undefined },
  request: BetRequest,
): PricedBet {
  const mode = game.modes.get(modeKey(request.mode));
  if (mode === undefined)
    return { ok: false, mode, detail: `the game has no such mode; it has ${Object.keys(game.betModes).join(', ')}` };
  if (mode.feature && session.jurisdiction.disabledBuyFeature) {
    return { ok: false, mode, detail: `mode ${mode.name} is a bought feature, which the jurisdiction does not allow` };
  }
  const settings = game.betSettings(session.currency);
  if (settings === undefined) return { ok: false, mode, detail: `the game is not offered in ${session.currency}` };
  const issue = checkBet(request.amount, settings);
  if (issue !== undefined) return { ok: false, mode, detail: BET_ISSUE_DETAILS[issue](settings) };

  const debit = multiplyMicros(request.amount, mode.costMultiplier);
  // Loading the game has excluded this for every bet within the rules.
  if (debit === undefined) throw new Error(`${request.amount} × ${mode.costMultiplier} is not exact`);
  const { maxStake, walletUnit } = session;
  if (walletUnit !== undefined && !fitsUnit(mode, request.amount, walletUnit))
    return {
      ok: false,
      mode,
      detail: `the wallet of the operator cannot move what a bet of ${request.amount} may cost or pay`,
    };
  if (maxStake !== undefined && debit > maxStake)
    return { ok: false, mode, detail: `the bet costs ${debit}, more than the maximum stake of ${maxStake}` };
  return { ok: true, mode, debit };
}

const BET_ISSUE_DETAILS: Readonly<Record<BetLimitIssue, (limits: BetLimits) => string>> = {
  'not-an-amount': () => 'the bet is not an amount',
  'below-minimum': ({ minBet }) => `the bet is below the minimum of ${minBet}`,
  'above-maximum': ({ maxBet }) => `the bet is above the maximum of ${maxBet}`,
  'off-step': ({ stepBet }) => `the bet is not divisible by ${stepBet}`,
};
