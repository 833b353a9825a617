import { createHash } from 'node:crypto';
import { type Micros, toMicros, type WalletErrorCode } from '@roundhouse/contract';
import type { DialectTraits, WalletContext, WalletResult } from '@roundhouse/dialects';
import { inSpan, type TraceSpan } from '@roundhouse/service';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { Database } from '../../../store/database/database.ts';
import { openWalletToken } from '../../../store/database/secretKeys.ts';
import type { WalletOperator } from '../../../store/operators/operators.ts';
import type { ResultCode, Settler, WalletTransaction } from '../../../store/rounds/walletTransaction.ts';
import { findSendable, findUnpaidWinnings } from '../../../store/rounds/walletTransactions.ts';
import type { RoundTraces } from '../../../watch/tracing/roundTraces.ts';
import type { WalletClient } from './walletClient.ts';
import type { WalletOperators } from './walletOperators.ts';
import { isUnknownDebit, storedResult } from './walletResult.ts';

/**
 * The steps of a wallet transaction at which tests stop the process. stored: it is committed, and
 * not sent yet. responded: the response has arrived, and is not stored yet. settled: the result is
 * stored, and the caller does not have it yet. closing: the credit of 0 of a round of auto-close;
 * gathered: it is in its group.
 */
export type Failpoint =
  | `${'debit' | 'credit' | 'rollback' | 'winnings' | 'closing'}_${'stored' | 'responded' | 'settled'}`
  | 'closing_gathered';

/**
 * pending: it has no final result, so it is sent again later, or parked. isDown: it was not sent
 * this time. If another sender has settled it before, it is not pending either.
 */
type SendOutcome =
  | { pending: false; roundID: bigint; balance: Micros | undefined }
  | { pending: true; code: WalletErrorCode | undefined; isDown: boolean };

/** The fields that every request needs besides its kind. */
type SentFields =
  | 'transactionID'
  | 'debitTransactionID'
  | 'roundID'
  | 'playerID'
  | 'externalID'
  | 'gameID'
  | 'operatorID';
type Sendable = Pick<WalletTransaction, SentFields | 'currency' | 'amount' | 'reason'> & {
  grantID: string | null | undefined;
  /** It is undefined when the caller has just stored it, or read it without its time. */
  createdAt?: Date;
  /** The token of the launch, sealed. */
  walletToken?: string | null;
  debitCreatedAt?: Date;
  /** When its retries began; undefined when they begin now. */
  retriedSince?: Date;
};

type SentKind = 'credit' | 'rollback' | 'winnings';

/**
 * The span of the request that needs it, if that is traced; 'recovery' when no request needs it any
 * more.
 */
type Cause = TraceSpan | 'recovery' | undefined;

/**
 * Sends stored credits, rollbacks and winnings, from any node: their rows have all that a request
 * needs. It abandons a stored debit: only the node that took the bet sends it.
 */
export type TransactionSender = {
  send(transactionID: string, cause?: Cause): Promise<SendOutcome>;
  /**
   * Sends a credit that the caller has just stored or found, without looking it up. It has no
   * token, so it is only for a wallet that needs none.
   */
  sendCredit(credit: Omit<Sendable, 'reason'>, trace?: TraceSpan): Promise<SendOutcome>;
  /**
   * Sends the winnings that are stored with a round, if its completion has ended a grant. Returns
   * the balance after them if the response gives it; undefined when nothing was paid.
   */
  sendWinnings(roundID: bigint, trace?: TraceSpan): Promise<{ balance: Micros | undefined } | undefined>;
  /** Sends it and returns no result; recovery retries what fails. */
  sendInBackground(transactionID: string, cause?: Cause): void;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
};

type SenderDeps = {
  db: Database;
  ledger: Ledger;
  client: WalletClient;
  operators: WalletOperators;
  failpoint: (name: Failpoint) => void;
  onError: (error: unknown, transactionID: string) => void;
  /** If set, requests of recovery have a separate trace, linked to that of the play. */
  traces?: RoundTraces | undefined;
};

export function createTransactionSender(deps: SenderDeps): TransactionSender {
  const inFlight = new Set<Promise<unknown>>();
  const track = (work: Promise<SendOutcome>) => {
    const sending = work.finally(() => inFlight.delete(sending));
    inFlight.add(sending);
    return sending;
  };
  const send = (transactionID: string, cause?: Cause) => track(sendTransaction(deps, transactionID, cause));
  return {
    send,
    sendCredit: (credit, trace) => track(sendKnown(deps, 'credit', { ...credit, reason: null }, trace)),
    async sendWinnings(roundID, trace) {
      const transactionID = await findUnpaidWinnings(deps.db, roundID);
      const sent = transactionID === undefined ? undefined : await send(transactionID, trace);
      return sent?.pending === false ? sent : undefined;
    },
    sendInBackground: (transactionID, cause) =>
      void send(transactionID, cause).catch((error: unknown) => deps.onError(error, transactionID)),
    async idle() {
      while (inFlight.size > 0) await Promise.allSettled([...inFlight]);
    },
  };
}

/** Looks up what is stored, and sends it if it has no result yet. */
async function sendTransaction(deps: SenderDeps, transactionID: string, cause: Cause): Promise<SendOutcome> {
  const transaction = await findSendable(deps.db, transactionID);
  if (transaction === undefined) throw new Error(`there is no wallet transaction ${transactionID}`);
  const { kind, roundID } = transaction;
  if (transaction.settledAt !== null) return { pending: false, roundID, balance: undefined };
  const sendTraced = (span: TraceSpan | undefined) =>
    kind === 'debit' ? abandonDebit(deps, transaction, span) : sendKnown(deps, kind, transaction, span);
  if (cause !== 'recovery') return sendTraced(cause);
  const span = await deps.traces?.startRecovery({ transactionID, roundID, kind });
  return inSpan(span, () => sendTraced(span));
}

/** Makes one attempt: sends the request, and settles the transaction by the result. */
async function sendKnown(
  deps: SenderDeps,
  kind: SentKind,
  transaction: Sendable,
  trace: TraceSpan | undefined,
): Promise<SendOutcome> {
  const { transactionID, roundID, playerID } = transaction;
  deps.failpoint(`${kind}_stored`);
  const operator = await deps.operators.find(transaction.operatorID);
  const traits = deps.client.traits(operator);
  const ageMs = msSince(transaction.createdAt);
  // It is due again when the lease of this attempt ends.
  if (kind === 'rollback' && ageMs < traits.rollbackAfterMs) return { pending: true, code: undefined, isDown: false };
  const result = await sendRequest(deps, operator, { transaction, kind, trace });
  deps.failpoint(`${kind}_responded`);
  const told = result.kind === 'accepted' ? result.body.balance : undefined;
  const balance = told === undefined ? undefined : toMicros(told);
  const isUnknown = kind === 'rollback' && isUnknownDebit(result) && ageMs >= traits.unknownDebitAfterMs;
  const isDone = result.kind === 'accepted' || isUnknown;
  await deps.ledger.settleWalletTransaction(
    {
      playerID,
      transactionID,
      result: isDone ? 'accepted' : isFinal(result, traits, msSince(transaction.retriedSince)) ? 'final' : 'failed',
      settledBy: 'operator',
      ...storedResult(result),
      settlementNote: undefined,
      reportedBalance: balance,
      rollbackID: undefined,
    },
    trace,
  );
  deps.failpoint(`${kind}_settled`);
  if (!isDone) {
    const code = result.kind === 'refused' ? result.code : undefined;
    return { pending: true, code, isDown: result.kind === 'not_sent' };
  }
  return { pending: false, roundID, balance };
}

function msSince(instant: Date | undefined): number {
  return instant === undefined ? 0 : Date.now() - instant.getTime();
}

/** Returns whether no further attempt can succeed, or may be made. */
function isFinal(result: WalletResult, traits: DialectTraits, retriedMs: number): boolean {
  if (retriedMs >= traits.retryMs) return true;
  if (result.kind !== 'refused') return false;
  const isOfSession = result.code === 'ERR_IS' || result.code === 'ERR_ATE';
  return result.final === true || (isOfSession && !traits.settlesWithoutSession);
}

/**
 * Abandons a debit whose lease has expired, because its node is lost. Recovery rolls it back and
 * never sends it again (decision 005).
 */
async function abandonDebit(
  deps: SenderDeps,
  transaction: Sendable,
  trace: TraceSpan | undefined,
): Promise<SendOutcome> {
  const operator = await deps.operators.find(transaction.operatorID);
  if (deps.client.traits(operator).closedDebitsStand)
    return settleLostDebit(deps, operator, { debit: transaction, trace });
  await settleUncertain(deps, transaction, NODE_LOST, trace);
  return { pending: false, roundID: transaction.roundID, balance: undefined };
}

const NODE_LOST = {
  settledBy: 'recovery',
  resultCode: 'node_lost',
  resultDetail: 'the node that sent it stopped before it stored a result',
  rollbackID: undefined,
} as const;

/**
 * The wallet cannot roll back a debit that has closed its round. So it is asked to before the round
 * is void: when it refuses, the debit is accepted, and the round is lost (decision 027).
 */
async function settleLostDebit(
  deps: SenderDeps,
  operator: WalletOperator,
  { debit, trace }: { debit: Sendable; trace: TraceSpan | undefined },
): Promise<SendOutcome> {
  const { transactionID, roundID } = debit;
  const rollbackID = rollbackIDOf(transactionID);
  const transaction = { ...debit, transactionID: rollbackID, debitTransactionID: transactionID };
  const result = await sendRequest(deps, operator, { transaction, kind: 'rollback', trace });
  if (result.kind === 'refused' && result.debitStands) {
    const { httpStatus } = result;
    const closed = { autoClose: true, closed: true, walletTimeoutMs: operator.timeoutMs };
    const told = { reportedBalance: undefined, reference: undefined };
    await deps.ledger.acceptDebit({ transactionID, httpStatus, ...closed, ...told }, trace);
    return { pending: false, roundID, balance: undefined };
  }
  const isKnown = result.kind === 'accepted' || isUnknownDebit(result);
  if (!isKnown && !isFinal(result, deps.client.traits(operator), msSince(debit.createdAt)))
    // The next sweep takes it when its lease has expired.
    return { pending: true, code: undefined, isDown: result.kind === 'not_sent' };
  await settleUncertain(deps, debit, { ...UNCERTAIN_DEBIT, rollbackID }, trace);
  return { pending: false, roundID, balance: undefined };
}

const UNCERTAIN_DEBIT = {
  settledBy: 'operator',
  resultCode: 'ERR_UE',
  resultDetail: 'it had no certain result; a rollback is stored for it',
} as const;

/** Each attempt has the same id, without being stored: a UUID of version 8. */
function rollbackIDOf(debitID: string): string {
  const hex = createHash('sha256').update(`rollback ${debitID}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

type Uncertain = { settledBy: Settler; resultCode: ResultCode; resultDetail: string; rollbackID: string | undefined };

/** The round is void, and recovery sends the rollback. */
async function settleUncertain(
  { ledger }: SenderDeps,
  { transactionID, playerID }: Sendable,
  uncertain: Uncertain,
  trace: TraceSpan | undefined,
): Promise<void> {
  const nothing = {
    httpStatus: undefined,
    settlementNote: undefined,
    reportedBalance: undefined,
    reference: undefined,
  };
  await ledger.settleWalletTransaction(
    { playerID, transactionID, result: 'uncertain', ...uncertain, ...nothing },
    trace,
  );
}

async function sendRequest(
  { client, db }: SenderDeps,
  operator: WalletOperator,
  { transaction, kind, trace }: { transaction: Sendable; kind: SentKind; trace: TraceSpan | undefined },
): Promise<WalletResult<'credit' | 'rollback'>> {
  const { transactionID, debitTransactionID, roundID, externalID, gameID, currency, amount, reason, grantID } =
    transaction;
  const { walletToken } = transaction;
  const { keepsTokens } = operator;
  const context: WalletContext & { trace: TraceSpan | undefined } = {
    token: keepsTokens && walletToken ? openWalletToken(db.secretKeys, walletToken, operator.code) : undefined,
    amount,
    storedAt: transaction.createdAt,
    debitStoredAt: transaction.debitCreatedAt,
    trace,
  };
  const body = {
    transactionID,
    debitTransactionID,
    roundID: String(roundID),
    playerID: externalID,
    gameID,
    currency,
  };
  if (kind === 'rollback')
    return client.send(operator, 'rollback', { ...body, reason: reason ?? 'the bet is given back' }, context);
  const ofGrant = grantID != null && { grantID, ...(kind === 'winnings' && { grantClosed: true as const }) };
  return client.send(operator, 'credit', { ...body, amount, roundClosed: true, ...ofGrant }, context);
}
