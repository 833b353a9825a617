import {
  type CurrencyCode,
  checkBet,
  type FreeRoundTerms,
  isStorableText,
  KNOWN_CURRENCY_CODES,
  MAX_MICROS,
  mergeJurisdictions,
  toMicros,
} from '@roundhouse/contract';
import { dialectOf } from '@roundhouse/dialects';
import { instantOf } from '../../base/http/instant.ts';
import type { Database } from '../../store/database/database.ts';
import { findGiver, type Giver } from '../../store/operators/operators.ts';
import type { StoredTerms } from '../../store/rounds/campaigns.ts';
import { findOfferedVersions, isCurrencyOffered, type OfferedVersion } from '../../store/rounds/games.ts';
import { modeKey } from '../games/catalogue.ts';

/**
 * unknown: the operator has no such campaign or grant. taken: the id belongs to a grant of other
 * content. Nothing has changed.
 */
export type FreeRoundsRefused = {
  ok: false;
  refusal: 'unknown' | 'taken' | 'invalid';
  detail: string;
  /** It is there when the request breaks a rule. */
  issue?: Issue;
};

/** The rule that is broken; `field` is that of the request: `bets.USD`. */
export type Issue = { field?: string; text: string };

export type OperatorKey = {
  operatorID: number;
  operatorCode: string;
  /** The actor for the log; without it, that of the connection. */
  actor?: string | undefined;
};

export type Asking = OperatorKey & {
  /**
   * The versions that new players get; without it, the newest of each game that is not withdrawn.
   */
  served?: readonly { gameID: string; version: string }[] | undefined;
};

export function invalid(issue: Issue): FreeRoundsRefused {
  const { field, text } = issue;
  return { ok: false, refusal: 'invalid', detail: field === undefined ? text : `${field}: ${text}`, issue };
}

/** Returns the terms as they are stored. Without `startsAt` they start `now`. */
export function storedTerms({ gameIDs, mode, bets, ...terms }: FreeRoundTerms, now: Date): StoredTerms {
  return {
    gameIDs: [...new Set(gameIDs)],
    mode: modeKey(mode),
    bets,
    rounds: terms.rounds,
    startsAt: terms.startsAt === undefined ? now : instantOf(terms.startsAt),
    endsAt: instantOf(terms.endsAt),
    playWithinHours: terms.playWithinHours ?? null,
    automatic: terms.automatic,
    paidAtEnd: terms.paidAtEnd,
  };
}

export type JudgedTerms = { ok: true; gameRowIDs: number[] } | FreeRoundsRefused;

/** Returns the first rule that the terms break, in a sentence for the operator. */
export async function judgeTerms(
  db: Database,
  { operatorID, served, terms, now }: Asking & { terms: StoredTerms; now: Date },
): Promise<JudgedTerms> {
  const giver = await findGiver(db, operatorID);
  const issue = giverIssue(giver) ?? shapeIssue(terms, giver) ?? periodIssue(terms, now) ?? amountIssue(terms, giver);
  if (issue !== undefined) return invalid(issue);
  const versions = await findOfferedVersions(db, terms.gameIDs.filter(isStorableText));
  const gameRowIDs: number[] = [];
  for (const gameID of terms.gameIDs) {
    const ofGame = versions.filter((version) => version.gameID === gameID);
    const game =
      served === undefined
        ? ofGame.at(-1)
        : ofGame.find(({ version }) => served.some((each) => each.gameID === gameID && each.version === version));
    if (game === undefined) return invalid({ field: 'gameIDs', text: 'there is no such game here' });
    const issue = gameIssue(game, { terms, giver });
    if (issue !== undefined) return invalid(issue);
    gameRowIDs.push(game.gameRowID);
  }
  return { ok: true, gameRowIDs };
}

function giverIssue({ isDisabled, knowsFreeRounds }: Giver): Issue | undefined {
  if (isDisabled) return { text: 'the operator is disabled: nobody plays there' };
  if (!knowsFreeRounds)
    return {
      text: 'the wallet of this operator does not know free rounds: `operator set --free-rounds` says that it does',
    };
  return undefined;
}

/** A dialect has one way to pay what a grant wins. */
function shapeIssue({ paidAtEnd }: StoredTerms, { dialect }: Giver): Issue | undefined {
  const { freeRounds } = dialectOf(dialect).traits;
  if (freeRounds === 'none') return { text: 'the wallet of this operator speaks a protocol that has no free rounds' };
  if (freeRounds === 'at_end' && !paidAtEnd)
    return { field: 'paidAtEnd', text: 'the wallet of this operator takes the wins of a grant together' };
  if (freeRounds === 'each_round' && paidAtEnd)
    return { field: 'paidAtEnd', text: 'the wallet of this operator takes the win of each round' };
  return undefined;
}

function periodIssue({ startsAt, endsAt }: StoredTerms, now: Date): Issue | undefined {
  if (endsAt <= now) return { field: 'endsAt', text: 'is in the past' };
  if (endsAt <= startsAt) return { field: 'endsAt', text: 'must come after startsAt' };
  return undefined;
}

function amountIssue({ bets, rounds }: StoredTerms, { maxFreeRounds }: Giver): Issue | undefined {
  if (Object.keys(bets).length === 0) return { field: 'bets', text: 'must name a currency' };
  if (rounds > maxFreeRounds) return { field: 'rounds', text: `this operator gives at most ${maxFreeRounds} at once` };
  return undefined;
}

function gameIssue(game: OfferedVersion, { terms, giver }: { terms: StoredTerms; giver: Giver }): Issue | undefined {
  const { gameID, modeReturns, jurisdiction } = game;
  const mode = modeReturns[terms.mode];
  if (mode === undefined)
    return {
      field: 'mode',
      text: `game ${gameID} has no such mode; it has ${Object.keys(modeReturns).sort().join(', ')}`,
    };
  if (mode.feature && mergeJurisdictions(jurisdiction, giver.jurisdiction).disabledBuyFeature)
    return {
      field: 'mode',
      text: `${terms.mode} of game ${gameID} is a bought feature, which the jurisdiction does not allow`,
    };
  for (const [currency, amount] of Object.entries(terms.bets)) {
    const text = betIssue(game, { terms, giver, currency, amount });
    if (text !== undefined) return { field: `bets.${currency}`, text };
  }
  return undefined;
}

type Bet = { terms: StoredTerms; giver: Giver; currency: CurrencyCode; amount: number };

function betIssue(game: OfferedVersion, { terms, giver, currency, amount }: Bet): string | undefined {
  const { gameID, betLimits } = game;
  const limits = betLimits[currency] ?? betLimits.default;
  if (!KNOWN_CURRENCY_CODES.includes(currency) && !game.currencies.includes(currency))
    return `${currency} is not a currency of ISO 4217, and game ${gameID} is offered in none of this code`;
  if (
    limits === undefined ||
    !game.currencies.includes(currency) ||
    !isCurrencyOffered(currency, { game, operator: giver })
  )
    return `game ${gameID} is not offered to this operator in ${currency}`;
  const { betLevels } = limits;
  if (betLevels.length > 0 && !betLevels.includes(amount))
    return `${amount} is not a bet level of game ${gameID}; these are: ${betLevels.join(', ')}`;
  if (checkBet(amount, limits) !== undefined)
    return `${amount} is not a bet of game ${gameID}: from ${limits.minBet} to ${limits.maxBet} in steps of ${limits.stepBet}`;
  const liability = liabilityOf({ rounds: terms.rounds, amount, maxPayout: game.maxPayouts[terms.mode] ?? 0n });
  const limit = giver.maxLiabilities.get(currency) ?? MAX_MICROS;
  if (liability > BigInt(limit))
    return `${terms.rounds} rounds of game ${gameID} can pay ${liability} together; the limit is ${limit}`;
  return undefined;
}

const HUNDREDTHS = 100n;

/** Returns the most that the rounds of one grant can pay together, in micros, rounded up. */
export function liabilityOf({
  rounds,
  amount,
  maxPayout,
}: {
  rounds: number;
  amount: number;
  maxPayout: bigint;
}): bigint {
  return (BigInt(rounds) * BigInt(toMicros(amount)) * maxPayout + HUNDREDTHS - 1n) / HUNDREDTHS;
}
