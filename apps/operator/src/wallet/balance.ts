import type { WalletBalanceRequest } from '@roundhouse/contract';
import { findAccount } from '../ledger/accounts.ts';
import { findLiveSession } from '../ledger/sessions.ts';
import { judgeSession } from './judgeSession.ts';
import { type Outcome, refuse } from './outcome.ts';
import type { WalletParts } from './walletParts.ts';

/** Reads the balance. It moves nothing and keeps no session alive, because clients poll it. */
export async function balance({ books, house }: WalletParts, request: WalletBalanceRequest): Promise<Outcome> {
  const judged = judgeSession(await findLiveSession(books.db, request.sessionID), house);
  if (!judged.ok) return judged;
  const account = await findAccount(books.db, request);
  if (account?.id !== judged.session.accountId || judged.session.gameID !== request.gameID) {
    return refuse('ERR_VAL', 'the session is for another player, game or currency');
  }
  return { ok: true, balance: account.balance };
}
