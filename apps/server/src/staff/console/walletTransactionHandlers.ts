import type { AdminWalletTransaction, adminContract, WalletTransactionQuery } from '@roundhouse/contract/admin';
import { dialectOf, isDialectName } from '@roundhouse/dialects';
import type { Handlers } from '../../base/http/endpoints.ts';
import { errorResponse, notFoundResponse, ok } from '../../base/http/responses.ts';
import { retryParked, settleParked } from '../../ledger/parked.ts';
import {
  findShownTransaction,
  findShownTransactions,
  lastChangesByPerson,
  listOfRounds,
  listUnsettled,
  type ShownTransaction,
  type TransactionsPage,
} from '../../store/staff/walletTransactionList.ts';
import type { AdminDeps } from './adminDeps.ts';
import { filteredScope, scopeOf } from './operatorScope.ts';
import { readPlace, writePlace } from './transactionPlace.ts';

type WalletTransactionHandlers = Pick<
  Handlers<typeof adminContract>,
  'listWalletTransactions' | 'retryWalletTransactions' | 'settleWalletTransaction'
>;

const NONE: TransactionsPage = { transactions: [], next: undefined };

/** Lists, retries and settles as `roundhouse parked` does, by the same functions. */
export function walletTransactionHandlers({ db }: AdminDeps): WalletTransactionHandlers {
  return {
    listWalletTransactions: async ({ query, res }) => {
      const { operatorCode: operator = query.operator } = scopeOf(res);
      const refused = whyNot({ ...query, operator });
      if (refused !== undefined) return errorResponse('ERR_VAL', refused);
      const scope = await filteredScope(db, res, operator);
      return ok(pageOnWire(scope === undefined ? NONE : await list(query, scope.operatorID)));
    },

    retryWalletTransactions: async ({ body, res }) => {
      const { operatorID } = scopeOf(res);
      const transactionIDs = [...new Set(body.transactionIDs)];
      const retried = await retryParked(db, { transactionIDs, operatorID });
      const left = transactionIDs.filter((id) => !retried.includes(id));
      return ok({ retried, notRetried: await whatHappened(left, operatorID) });
    },

    settleWalletTransaction: async ({ params: { transactionID }, body: { reason }, res }) => {
      const key = { transactionID, operatorID: scopeOf(res).operatorID };
      const state = await settleParked(db, { ...key, note: reason });
      const settled = state === undefined ? undefined : await findShownTransaction(db, key);
      if (settled === undefined) return notFoundResponse('there is no such wallet transaction');
      if (state === 'settled') return ok(transactionOnWire(settled));
      const [change] = await whatHappened([transactionID], key.operatorID);
      const { body: error } = errorResponse('ERR_VAL', `the wallet transaction is not parked: it is ${settled.state}`);
      return { status: 409, body: { ...error, by: change?.by ?? null, at: change?.at ?? null } };
    },
  };

  function list(query: WalletTransactionQuery, operatorID: number | undefined): Promise<TransactionsPage> {
    const { state, kind, player, betID, from, to, minAmount, maxAmount, limit, cursor } = query;
    const wanted = {
      operatorID,
      externalID: player,
      kind,
      minAmount,
      maxAmount,
      limit,
      after: readPlace(cursor),
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    };
    const isUnsettled = state === 'pending' || state === 'parked';
    return isUnsettled && betID === undefined
      ? listUnsettled(db, state, wanted)
      : listOfRounds(db, state, { ...wanted, roundID: betID === undefined ? undefined : BigInt(betID) });
  }

  /** Says of each the state that it has now, and who brought it there, if a person did. */
  async function whatHappened(transactionIDs: readonly string[], operatorID: number | undefined) {
    if (transactionIDs.length === 0) return [];
    const found = await findShownTransactions(db, { transactionIDs, operatorID });
    const states = new Map(found.map(({ transactionID, state }) => [transactionID, state]));
    const changes = await lastChangesByPerson(db, [...states.keys()]);
    return transactionIDs.map((transactionID) => {
      const change = changes.get(transactionID);
      const state = states.get(transactionID) ?? null;
      return { transactionID, state, by: change?.by ?? null, at: change?.at.toISOString() ?? null };
    });
  }
}

/** A list of settled ones without an end in sight would read all of them. */
function whyNot({ state, operator, player, betID, from, cursor }: WalletTransactionQuery): string | undefined {
  const isByTime = (state === 'pending' || state === 'parked') && betID === undefined;
  const place = readPlace(cursor);
  if (cursor !== undefined && place?.order !== (isByTime ? 'time' : 'round')) return 'cursor: it is not from this list';
  if (isByTime || betID !== undefined || (operator !== undefined && (player ?? from) !== undefined)) return undefined;
  return 'name a state, pending or parked; or a round; or an operator with a player or a time (from)';
}

function pageOnWire({ transactions, next }: TransactionsPage) {
  return { items: transactions.map(transactionOnWire), cursor: next === undefined ? null : writePlace(next) };
}

/** The dialect of a later version counts as the server's own. */
function retryUntil({ retriedSince, dialect }: ShownTransaction): Date {
  const { retryMs } = dialectOf(isDialectName(dialect) ? dialect : 'roundhouse').traits;
  return new Date(retriedSince.getTime() + retryMs);
}

function transactionOnWire(shown: ShownTransaction): AdminWalletTransaction {
  const { transactionID, kind, state, gameID, debitTransactionID, amount, currency, attempts } = shown;
  const { resultCode, httpStatus, resultDetail, settledBy, settlementNote, reference } = shown;
  const isPending = state === 'pending';
  return {
    transactionID,
    kind,
    state,
    gameID,
    debitTransactionID,
    amount,
    currency,
    attempts,
    resultCode,
    httpStatus,
    resultDetail,
    settledBy,
    settlementNote,
    reference,
    operator: shown.operatorCode,
    playerID: shown.externalID,
    betID: Number(shown.roundID),
    resultAt: shown.resultAt?.toISOString() ?? null,
    createdAt: shown.createdAt.toISOString(),
    dueAt: isPending ? shown.dueAt.toISOString() : null,
    retryUntil: isPending ? retryUntil(shown).toISOString() : null,
    settledAt: shown.settledAt?.toISOString() ?? null,
  };
}
