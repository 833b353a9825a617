import { type Grant, type Micros, type RoundFairness, toMicros } from '@roundhouse/contract';
import { type Outcome, refused } from '../base/refusal.ts';
import {
  batchCommand,
  bigint,
  boolean,
  type CommandOf,
  integer,
  jsonb,
  numeric,
  text,
  uuid,
} from '../store/database/batchCommand.ts';
import { instantOrNull, microsOrNull } from '../store/database/rowShape.ts';
import { ROUND_OF_GAME, type RoundOfGame, roundOfGame } from '../store/rounds/rounds.ts';
import type { ResultCode, Settler } from '../store/rounds/walletTransaction.ts';

// These are the commands of a round. A function that changes an account locks its players first
// (lock_players). accept_debits and settle_closings change none and lock nobody. The ledger runs at
// most one command of a kind at a time for a player; commands of two kinds wait for each other at
// the lock. Where the operator keeps the money, `balance` is undefined. freeRoundCommands.ts has
// the commands that only free rounds need.

export const SESSION = { playerID: bigint, sessionRowID: bigint };

/** The session of the command was deleted. */
export const NO_SESSION = refused('session_invalid');

/**
 * Authenticates a session, even an idle one. `round` is the active one of the account and game,
 * else the last completed one.
 */
export const authenticateSessions = batchCommand({
  name: 'authenticate_sessions',
  columns: SESSION,
  returns: {
    outcome: text,
    balance_micros: bigint.as<bigint | null>(),
    round_id: bigint.as<bigint | null>(),
    // Null when there is no round.
    ...ROUND_OF_GAME,
    max_stake_micros: bigint.as<bigint | null>(),
    round_grant_id: text.as<string | null>(),
    grants: jsonb.as<Grant[] | null>(),
  },
  outcomeOf: (row): AuthenticateOutcome => {
    const { outcome, round_id, max_stake_micros } = row;
    if (outcome !== 'authenticated') return refused(outcome);
    const round = round_id === null ? undefined : roundOfGame({ ...row, id: round_id, grant_id: row.round_grant_id });
    const maxStake = max_stake_micros === null ? undefined : toMicros(max_stake_micros);
    return { ok: true, balance: balanceOf(row), round, maxStake, grants: grantsOf(row) };
  },
  withoutRow: NO_SESSION,
});
/** maxStake is the highest cost of one play; undefined for no limit. */
type AuthenticateOutcome = Outcome<{
  balance: Micros | undefined;
  round: RoundOfGame | undefined;
  maxStake: Micros | undefined;
  /** The open grants of the account and game. */
  grants: Grant[];
}>;

/** Reads the balance of a live session. Does not extend the session, because clients poll it. */
export const readBalances = batchCommand({
  name: 'read_balances',
  columns: { sessionRowID: bigint },
  returns: { outcome: text, balance_micros: bigint.as<bigint | null>() },
  outcomeOf: (row): Outcome<{ balance: Micros | undefined }> =>
    row.outcome === 'read' ? { ok: true, balance: balanceOf(row) } : refused(row.outcome),
  withoutRow: NO_SESSION,
});

const OPENED: ReadonlySet<string> = new Set(['opened', 'opened_before', 'replayed']);

/** The facts with which a round is opened. */
export const BET = {
  ...SESSION,
  /** The mode is in upper case. */
  mode: text,
  costMultiplier: numeric,
  amount: bigint.as<Micros>(),
  debit: bigint.as<Micros>(),
  bookID: bigint.as<number>(),
  /** The unit is hundredths: a book's 150 pays 1.5 times the amount. */
  payoutMultiplier: bigint,
  payout: bigint.as<Micros>(),
  /** The round is completed at once when it pays nothing. */
  autoClose: boolean,
  /**
   * A play sooner than this after the player's last one in this game is refused; 0 means no limit.
   */
  minimumRoundDurationMs: bigint.as<number>(),
  playKey: text.as<string | undefined>(),
  /** The operator's wallet does not respond: a bet that needs a debit there is refused. */
  walletDown: boolean,
  /** The fair draw of the book: its client seed, and its nonce. Undefined for a certified draw. */
  fairClientSeedID: bigint.as<bigint | undefined>(),
  fairNonce: bigint.as<bigint | undefined>(),
};

/** The columns of a bet that only sessions with fair draws have. */
export const FAIR_COLUMNS: readonly (keyof typeof BET)[] = ['fairClientSeedID', 'fairNonce'];

export const OPENED_ROUND = {
  outcome: text,
  round_id: bigint.as<bigint | null>(),
  balance_micros: bigint.as<bigint | null>(),
  debit_id: uuid.as<string | null>(),
};

/**
 * Opens a round and debits its bet. Where the operator keeps the money, it stores the debit, which
 * is then sent, and returns its id. If an automatic grant may pay the bet, it opens nothing and the
 * outcome is free_round.
 */
export const openRounds = batchCommand({
  name: 'open_rounds',
  columns: BET,
  returns: OPENED_ROUND,
  outcomeOf: openedRound,
  withoutRow: NO_SESSION,
  repeats: 'finds_first_run_by_batch',
  ofSql: ['_automatic boolean'],
  rare: FAIR_COLUMNS,
});

/** Reads the row of a command that opens rounds. */
export function openedRound(row: OpenedRow): OpenRoundOutcome {
  const { outcome, round_id, debit_id } = row;
  if (round_id === null || !OPENED.has(outcome)) return refused(outcome);
  return {
    ok: true,
    roundID: round_id,
    replayed: outcome === 'replayed',
    balance: balanceOf(row),
    debitID: debit_id ?? undefined,
    grantID: undefined,
  };
}

type OpenedRow = { outcome: string; round_id: bigint | null; balance_micros: bigint | null; debit_id: string | null };

/**
 * Refuses a bet that breaks the rules, unless something that comes before the rules applies. It
 * also finds the round that the same key has opened before, under other rules.
 */
export const refuseBets = batchCommand({
  name: 'refuse_bets',
  columns: {
    sessionRowID: bigint,
    /** The mode is in upper case. */
    mode: text,
    amount: bigint.as<Micros>(),
    playKey: text.as<string | undefined>(),
  },
  returns: { outcome: text, round_id: bigint.as<bigint | null>(), balance_micros: bigint.as<bigint | null>() },
  outcomeOf: (row): Outcome<{ roundID: bigint; balance: Micros | undefined }> =>
    row.outcome === 'replayed' && row.round_id !== null
      ? { ok: true, roundID: row.round_id, balance: balanceOf(row) }
      : refused(row.outcome),
  withoutRow: NO_SESSION,
});
export type RefuseBetCommand = CommandOf<typeof refuseBets>;
export type OpenRoundCommand = CommandOf<typeof openRounds>;
export type OpenRoundOutcome = Outcome<{
  roundID: bigint;
  replayed: boolean;
  balance: Micros | undefined;
  debitID: string | undefined;
  /** A free round has a grant; the id is the operator's. */
  grantID: string | undefined;
}>;

/**
 * Completes the open round and credits its payout, or stores the credit to be sent. Idempotent:
 * nothing is paid twice. completedRoundID is null when no round was open, and while the operator
 * has not accepted the credit.
 */
export const endRounds = batchCommand({
  name: 'end_rounds',
  columns: SESSION,
  returns: {
    outcome: text,
    round_id: bigint.as<bigint | null>(),
    balance_micros: bigint.as<bigint | null>(),
    payout_micros: bigint.as<bigint | null>(),
    credit_id: uuid.as<string | null>(),
    debit_id: uuid.as<string | null>(),
    grant_id: text.as<string | null>(),
  },
  outcomeOf: (row): EndRoundOutcome => {
    const { outcome, round_id: roundID, payout_micros: payout, credit_id, debit_id } = row;
    const balance = balanceOf(row);
    const grantID = row.grant_id ?? undefined;
    if (outcome === 'completed') return { ok: true, completedRoundID: roundID, balance, credit: undefined, grantID };
    if (outcome === 'nothing_open') return { ok: true, completedRoundID: null, balance, credit: undefined, grantID };
    if (outcome !== 'owed' || roundID === null || payout === null || credit_id === null || debit_id === null)
      return refused(outcome);
    const ids = { transactionID: credit_id, debitTransactionID: debit_id };
    const credit = { ...ids, roundID, amount: toMicros(payout), grantID };
    return { ok: true, completedRoundID: null, balance, credit, grantID };
  },
  withoutRow: NO_SESSION,
});
type EndRoundOutcome = Outcome<{
  completedRoundID: bigint | null;
  balance: Micros | undefined;
  credit: OwedCredit | undefined;
  /** A free round has a grant; the id is the operator's. */
  grantID: string | undefined;
}>;
/** A stored credit that is still to be sent. */
export type OwedCredit = {
  transactionID: string;
  debitTransactionID: string;
  roundID: bigint;
  amount: Micros;
  grantID: string | undefined;
};

/** Stores the next event of the player in the open round. */
export const recordEvents = batchCommand({
  name: 'record_events',
  columns: { ...SESSION, event: text },
  returns: { outcome: text },
  outcomeOf: ({ outcome }): Outcome<object> => (outcome === 'recorded' ? { ok: true } : refused(outcome)),
  withoutRow: NO_SESSION,
  repeats: 'returns_first_run',
});

/** What a player sees of a round afterwards. */
export type PastRound = {
  roundID: number;
  gameVersion: string;
  mode: string;
  /** Exact decimal text. */
  costMultiplier: string;
  amount: Micros;
  /** A void round has the payout that it would have paid. */
  payout: Micros;
  /** Hundredths. */
  payoutMultiplier: bigint;
  bookID: number;
  isVoid: boolean;
  /** The grant of a free round, by the operator's id; null for a paid one. */
  grantID: string | null;
  openedAt: Date;
  /** It is null while the round is active. */
  endedAt: Date | null;
  /** The balance of the account just before the bet; null when it is unknown. */
  balanceBefore: Micros | null;
  /** It is null for a round of the certified generator. */
  fairness: RoundFairness | null;
};

/** A JSON array has no bigint and no date. Each number is below 2^53. */
type PastRoundRow = {
  id: number;
  version: string;
  mode: string;
  cost_multiplier: string;
  amount_micros: number;
  payout_micros: number;
  payout_multiplier: number;
  book_id: number;
  is_void: boolean;
  grant_id: string | null;
  opened_at: string;
  ended_at: string | null;
  balance_before_micros: number | null;
  fairness: RoundFairness | null;
};

/** Reads rounds of the player, newest first. Does not extend the session. */
export const readHistories = batchCommand({
  name: 'read_histories',
  columns: {
    sessionRowID: bigint,
    /** Only rounds with a lower id are read. */
    before: bigint.as<number>(),
    /** The largest number of rounds in the page. */
    most: bigint.as<number>(),
  },
  returns: { outcome: text, rounds: jsonb.as<PastRoundRow[] | null>() },
  outcomeOf: ({ outcome, rounds }): Outcome<{ rounds: PastRound[] }> =>
    outcome === 'read' && rounds !== null ? { ok: true, rounds: rounds.map(pastRoundOf) } : refused(outcome),
  withoutRow: NO_SESSION,
});

function pastRoundOf(row: PastRoundRow): PastRound {
  return {
    roundID: row.id,
    gameVersion: row.version,
    mode: row.mode,
    costMultiplier: row.cost_multiplier,
    amount: toMicros(row.amount_micros),
    payout: toMicros(row.payout_micros),
    payoutMultiplier: BigInt(row.payout_multiplier),
    bookID: row.book_id,
    isVoid: row.is_void,
    grantID: row.grant_id,
    openedAt: new Date(row.opened_at),
    endedAt: instantOrNull(row.ended_at),
    balanceBefore: microsOrNull(row.balance_before_micros),
    fairness: row.fairness,
  };
}

/** late: another caller has settled the wallet transaction before, and nothing changed. */
type Settled = { late: boolean };
const LATE: Accepted = { late: true };

/** The wallet's own id of the transaction; undefined when it gives none. */
const REFERENCE = text.as<string | undefined>();

/** The facts with which an accepted debit is settled. */
export const ACCEPTED_DEBIT = {
  columns: {
    transactionID: uuid,
    httpStatus: integer.as<number | undefined>(),
    /** The round is completed at once when it pays nothing. */
    autoClose: boolean,
    /** The operator's time-out: this node has the closing for that time and 3 seconds. */
    walletTimeoutMs: integer,
    /** The response gives the balance after the debit; undefined when it cannot be read. */
    reportedBalance: bigint.as<Micros | undefined>(),
    /** The debit has closed the round at the operator, so no credit of 0 is sent. */
    closed: boolean,
    reference: REFERENCE,
  },
  returns: { closing_id: uuid.as<string | null>() },
  outcomeOf: ({ closing_id }: { closing_id: string | null }): Accepted => ({
    late: false,
    closingID: closing_id ?? undefined,
  }),
  withoutRow: LATE,
  repeats: 'returns_first_run' as const,
  rare: ['reference'],
};

/**
 * Settles debits that the operator has accepted. closingID names the credit of 0 that the same
 * transaction stored, which is then sent.
 */
export const acceptDebits = batchCommand({ name: 'accept_debits', ...ACCEPTED_DEBIT });

type Accepted = Settled & { closingID?: string | undefined };

/** Stores the results of credits of 0 that acceptDebits has stored. */
export const settleClosings = batchCommand({
  name: 'settle_closings',
  columns: {
    transactionID: uuid,
    resultCode: text.as<ResultCode>(),
    httpStatus: integer.as<number | undefined>(),
    /** It is for people: no decision reads it. */
    resultDetail: text.as<string | undefined>(),
    reference: REFERENCE,
  },
  returns: {},
  outcomeOf: (): Settled => ({ late: false }),
  withoutRow: LATE,
  rare: ['reference'],
});

/**
 * A debit is refused (certainly nothing moved) or uncertain (a rollback follows). A credit,
 * rollback or winnings is accepted, failed (it is retried) or final (it is parked at once).
 */
type Result = 'accepted' | 'refused' | 'uncertain' | 'failed' | 'final';

/** Stores the other results of wallet transactions, and changes the rounds accordingly. */
export const settleWalletTransactions = batchCommand({
  name: 'settle_wallet_transactions',
  columns: {
    playerID: bigint,
    transactionID: uuid,
    result: text.as<Result>(),
    /** Who settles it. It is not stored with failed and final, which settle nothing. */
    settledBy: text.as<Settler>(),
    /** It is undefined when a person settles: then the result of the last attempt stays. */
    resultCode: text.as<ResultCode | undefined>(),
    httpStatus: integer.as<number | undefined>(),
    /** It is for people: no decision reads it. */
    resultDetail: text.as<string | undefined>(),
    /** The reason of the person who settles it. */
    settlementNote: text.as<string | undefined>(),
    /** The balance after it, as the response reports it; undefined without such a response. */
    reportedBalance: bigint.as<Micros | undefined>(),
    /** An uncertain debit is rolled back with this id; without one the function makes it. */
    rollbackID: uuid.as<string | undefined>(),
    reference: REFERENCE,
  },
  returns: {},
  outcomeOf: (): Settled => ({ late: false }),
  withoutRow: LATE,
  repeats: 'returns_first_run',
  rare: ['reference'],
});

function balanceOf({ balance_micros }: { balance_micros: bigint | null }): Micros | undefined {
  return balance_micros === null ? undefined : toMicros(balance_micros);
}

/** A JSON array has no date: PostgreSQL writes an instant as text with microseconds. */
export function grantsOf({ grants }: { grants: Grant[] | null }): Grant[] {
  return (grants ?? []).map((grant) => ({
    ...grant,
    startsAt: new Date(grant.startsAt).toISOString(),
    expiresAt: new Date(grant.expiresAt).toISOString(),
  }));
}
