import type { PartialJurisdiction, WalletAuthenticateRequest, WalletBalanceRequest } from '@roundhouse/contract';
import { findAccount, lockAccount } from '../ledger/accounts.ts';
import { type Books, inTransaction } from '../ledger/books.ts';
import { findLiveSession, keepAlive, type LiveSession } from '../ledger/sessions.ts';
import { type Outcome, type Refused, refuse } from './outcome.ts';

/** What the wallet works with. */
export type WalletDeps = {
  books: Books;
  house: HouseRules;
};

export type HouseRules = {
  /** Inactivity after which a session is over, in milliseconds. Authenticate and debit begin it anew. */
  sessionTimeoutMs: number;
  /** Upper-case ISO 3166-1 codes of places from which nobody may play here. */
  blockedCountries: ReadonlySet<string>;
};

/** Whether somebody may play in this session, in the order in which the wire answers: session, login, location. */
export function checkSession(
  session: LiveSession | undefined,
  { blockedCountries }: HouseRules,
): { ok: true; session: LiveSession } | Refused {
  if (session === undefined) return refuse('ERR_IS', 'the session is not known or has timed out');
  if (session.loginHasExpired) return refuse('ERR_ATE', 'the login of the player has expired');
  if (session.country !== undefined && blockedCountries.has(session.country)) {
    return refuse('ERR_LOC', 'play is not allowed from the location of the player');
  }
  return { ok: true, session };
}

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
  { books, house }: WalletDeps,
  { sessionID, gameID, token }: WalletAuthenticateRequest,
): Promise<Authenticated | Refused> {
  return inTransaction(books, async (entry) => {
    const found = await findLiveSession(entry.sql, sessionID);
    if (found !== undefined && token !== undefined && !found.isTokenOf(token)) {
      return refuse('ERR_ATE', 'the token is not that of the launch');
    }
    const checked = checkSession(found, house);
    if (!checked.ok) return checked;
    const { session } = checked;
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

/** Reads the balance. It moves nothing and keeps no session alive, because clients poll it. */
export async function balance({ books, house }: WalletDeps, request: WalletBalanceRequest): Promise<Outcome> {
  const checked = checkSession(await findLiveSession(books.db, request.sessionID), house);
  if (!checked.ok) return checked;
  const account = await findAccount(books.db, request);
  if (account?.id !== checked.session.accountId || checked.session.gameID !== request.gameID) {
    return refuse('ERR_VAL', 'the session is for another player, game or currency');
  }
  return { ok: true, balance: account.balance };
}
