import type { PartialJurisdiction, WalletAuthenticateRequest, WalletBalanceRequest } from '@roundhouse/contract';
import { findAccount, lockAccount } from '../ledger/accounts.ts';
import { inTransaction, type Ledger } from '../ledger/database.ts';
import { findLiveSession, keepAlive, type LiveSession } from '../ledger/sessions.ts';
import { type Outcome, type Refused, refuse } from './outcome.ts';

/** What the wallet works with. */
export type WalletDeps = {
  ledger: Ledger;
  rules: OperatorRules;
};

export type OperatorRules = {
  /** The session's timeout in milliseconds. Authenticate and debit start it again. */
  sessionTimeoutMs: number;
  /** Upper-case ISO 3166-1 codes. A player there is refused. */
  blockedCountries: ReadonlySet<string>;
};

/** Checks a session in the order of the protocol: session, login, location. */
export function checkSession(
  session: LiveSession | undefined,
  { blockedCountries }: OperatorRules,
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

/** Verifies a session. A token in the request must be that of the launch. */
export async function authenticate(
  { ledger, rules }: WalletDeps,
  { sessionID, gameID, token }: WalletAuthenticateRequest,
): Promise<Authenticated | Refused> {
  return inTransaction(ledger, async (tx) => {
    const found = await findLiveSession(tx.sql, sessionID);
    if (found !== undefined && token !== undefined && !found.isTokenOf(token)) {
      return refuse('ERR_ATE', 'the token is not that of the launch');
    }
    const checked = checkSession(found, rules);
    if (!checked.ok) return checked;
    const { session } = checked;
    if (session.gameID !== gameID) return refuse('ERR_VAL', 'the session is for another game');
    const account = await lockAccount(tx, session);
    if (account === undefined) return refuse('ERR_IS', 'the account of the session does not exist');
    await keepAlive(tx, sessionID, rules.sessionTimeoutMs);
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
export async function balance({ ledger, rules }: WalletDeps, request: WalletBalanceRequest): Promise<Outcome> {
  const checked = checkSession(await findLiveSession(ledger.db, request.sessionID), rules);
  if (!checked.ok) return checked;
  const account = await findAccount(ledger.db, request);
  if (account?.id !== checked.session.accountId || checked.session.gameID !== request.gameID) {
    return refuse('ERR_VAL', 'the session is for another player, game or currency');
  }
  return { ok: true, balance: account.balance };
}
