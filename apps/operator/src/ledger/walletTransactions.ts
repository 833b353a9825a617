import type { CreditRequest, DebitRequest, RollbackRequest } from '@roundhouse/contract';
import { Batcher, type WriterPool } from '@roundhouse/service';
import type { RefusalName } from '../wallet/outcome.ts';
import { type SqlFunction, sqlFunction } from './sqlFunction.ts';

/** The functions for a debit, a credit and a rollback return this. */
type Moved = {
  refusal: RefusalName | null;
  /** The current balance, in micros. */
  balance: bigint;
  /** This account has a new row in the journal. Some refusals have one, too. */
  moved_account_id: bigint | null;
};

type TakeBet = Omit<DebitRequest, 'sessionID'> & {
  sessionSha256: Buffer;
  sessionTimeoutMs: number;
  /** The codes are in upper case, with commas. */
  blockedCountries: string;
};

const REQUEST = { transactionID: 'uuid', playerID: 'text', currency: 'text', roundID: 'text', gameID: 'text' } as const;
const LOCKS = { lockOrder: 'playerID' } as const;

const takeBet = sqlFunction<TakeBet, Moved>(
  'take_bet',
  {
    ...REQUEST,
    mode: 'text',
    amount: 'bigint',
    grantID: 'text',
    freeBet: 'bigint',
    roundClosed: 'boolean',
    sessionSha256: 'bytea',
    sessionTimeoutMs: 'bigint',
    blockedCountries: 'text',
  },
  LOCKS,
);
const payRound = sqlFunction<CreditRequest, Moved>(
  'pay_round',
  {
    ...REQUEST,
    debitTransactionID: 'uuid',
    amount: 'bigint',
    roundClosed: 'boolean',
    grantID: 'text',
    grantClosed: 'boolean',
  },
  LOCKS,
);
const returnBet = sqlFunction<Omit<RollbackRequest, 'reason'>, Moved>(
  'return_bet',
  { ...REQUEST, debitTransactionID: 'uuid' },
  LOCKS,
);

const GROUPS = { maxBatchSize: 64, maxInFlight: 2 };

/** The game server requests these wallet transactions. */
export type WalletTransactions = {
  takeBet(request: TakeBet): Promise<Moved>;
  payRound(request: CreditRequest): Promise<Moved>;
  /** Returns the same for a group, in one statement. */
  payRounds(requests: readonly CreditRequest[]): Promise<Moved[]>;
  returnBet(request: RollbackRequest): Promise<Moved>;
};

/** Calls `onMoved` after the commit, for each account with a new row. */
export function createWalletTransactions(pool: WriterPool, onMoved: (accountId: bigint) => void): WalletTransactions {
  const committed = <Request>(run: SqlFunction<Request, Moved>) => {
    return async (requests: readonly Request[]) => {
      const rows = await run(pool, requests);
      for (const { moved_account_id } of rows) if (moved_account_id !== null) onMoved(moved_account_id);
      return rows;
    };
  };
  const payRounds = committed(payRound);
  const bets = new Batcher({ name: 'take_bet', run: committed(takeBet), ...GROUPS });
  const payouts = new Batcher({ name: 'pay_round', run: payRounds, ...GROUPS });
  const returns = new Batcher({ name: 'return_bet', run: committed(returnBet), ...GROUPS });
  return {
    takeBet: (request) => bets.submit(request),
    payRound: (request) => payouts.submit(request),
    payRounds,
    returnBet: (request) => returns.submit(request),
  };
}
