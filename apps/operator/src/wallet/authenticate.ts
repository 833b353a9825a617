import type { PartialJurisdiction, WalletAuthenticateRequest } from '@roundhouse/contract';
import { lockAccount } from '../ledger/accounts.ts';
import { inTransaction } from '../ledger/books.ts';
import { findLiveSession, keepAlive } from '../ledger/sessions.ts';
import { judgeSession } from './judgeSession.ts';
import { type Refused, refuse } from './outcome.ts';
import type { WalletParts } from './walletParts.ts';

export type Authenticated = {
  ok: true;
  playerID: string;
  currency: string;
  balance: bigint;
  country: string | undefined;
  jurisdiction: PartialJurisdiction;
  dailyLossLimit: bigint | undefined;
};

/** Says who plays in a session. The token of the launch has to be the right one when it is shown. */
export async function authenticate(
  { books, house }: WalletParts,
  { sessionID, gameID, token }: WalletAuthenticateRequest,
): Promise<Authenticated | Refused> {
  return inTransaction(books, async (entry) => {
    const found = await findLiveSession(entry.sql, sessionID);
    if (found !== undefined && token !== undefined && !found.isTokenOf(token)) {
      return refuse('ERR_ATE', 'the token is not that of the launch');
    }
    const judged = judgeSession(found, house);
    if (!judged.ok) return judged;
    const { session } = judged;
    if (session.gameID !== gameID) return refuse('ERR_VAL', 'the session is for another game');
    const account = await lockAccount(entry, session);
    if (account === undefined) return refuse('ERR_IS', 'the player of the session is gone');
    await keepAlive(entry, sessionID, house.sessionTimeoutMs);
    return {
      ok: true,
      playerID: session.playerID,
      currency: session.currency,
      balance: account.balance,
      country: session.country,
      jurisdiction: session.jurisdiction,
      dailyLossLimit: account.dailyLossLimit ?? undefined,
    };
  });
}
