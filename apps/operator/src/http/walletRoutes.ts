import {
  type CurrencyCode,
  toMicros,
  WALLET_ERRORS,
  type WalletError,
  type WalletErrorCode,
  walletContract,
} from '@roundhouse/contract';
import { initServer } from '@ts-rest/express';
import type { TransactionRow } from '../ledger/transactions.ts';
import { credit } from '../wallet/credit.ts';
import { debit } from '../wallet/debit.ts';
import type { Outcome, Refused } from '../wallet/outcome.ts';
import { rollback } from '../wallet/rollback.ts';
import { authenticate, balance, type WalletDeps } from '../wallet/session.ts';
import { transactions } from '../wallet/transactions.ts';

/** The calls of the game server: one use case each, from the wire and back to it. */
export function walletRoutes(deps: WalletDeps) {
  return initServer().router(walletContract, {
    authenticate: async ({ body }) => {
      const outcome = await authenticate(deps, body);
      if (!outcome.ok) return refusal(outcome);
      const { playerID, country, jurisdiction, dailyLossLimit } = outcome;
      return ok({
        playerID,
        currency: outcome.currency as CurrencyCode,
        balance: toMicros(outcome.balance),
        jurisdiction,
        ...(country !== undefined && { country }),
        ...(dailyLossLimit !== undefined && { limits: { dailyLoss: toMicros(dailyLossLimit) } }),
      });
    },
    balance: async ({ body }) => moved(await balance(deps, body)),
    debit: async ({ body }) => moved(await debit(deps, body)),
    credit: async ({ body }) => moved(await credit(deps, withPlainID(body))),
    rollback: async ({ body }) => moved(await rollback(deps, withPlainID(body))),
    transactions: async ({ body }) => {
      const page = await transactions(deps, body);
      if (!page.ok) return refusal(page);
      return ok({ transactions: page.rows.map(wireTransaction), cursor: page.cursor });
    },
  });
}

export type WalletErrorResponse = { status: 400 | 500; body: WalletError };

export function walletError(code: WalletErrorCode, message: string): WalletErrorResponse {
  return { status: WALLET_ERRORS[code].status, body: { error: code, message } };
}

function refusal({ code, message }: Refused): WalletErrorResponse {
  return walletError(code, message);
}

function ok<Body>(body: Body) {
  return { status: 200 as const, body };
}

function moved(outcome: Outcome) {
  return outcome.ok ? ok({ balance: toMicros(outcome.balance) }) : refusal(outcome);
}

/** A UUID is the same in capital letters. The database knows; what is compared here has to be alike. */
function withPlainID<Body extends { debitTransactionID: string }>(body: Body): Body {
  return { ...body, debitTransactionID: body.debitTransactionID.toLowerCase() };
}

function wireTransaction(row: TransactionRow) {
  const { transactionID, kind, debitTransactionID, roundID, playerID, currency, amount, at } = row;
  return {
    transactionID,
    kind,
    ...(debitTransactionID !== null && { debitTransactionID }),
    roundID,
    playerID,
    currency: currency as CurrencyCode,
    amount: toMicros(amount),
    at: at.toISOString(),
  };
}
