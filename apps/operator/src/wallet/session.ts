import type { PartialJurisdiction, WalletAuthenticateRequest, WalletBalanceRequest } from '@roundhouse/contract';
import type { Ledger } from '../ledger/database.ts';
import { authenticateSession, readBalance, sha256 } from '../ledger/sessions.ts';
import { type Outcome, outcomeOf, type Refused, refused } from './outcome.ts';

/** What the wallet needs. */
export type WalletDeps = {
  ledger: Ledger;
  rules: OperatorRules;
};

type OperatorRules = {
  /** The session's timeout in milliseconds. Authenticate and debit start it again. */
  sessionTimeoutMs: number;
  /** ISO 3166-1 codes in upper case, separated by commas. Players there are refused. */
  blockedCountries: string;
};

export type Authenticated = {
  ok: true;
  playerID: string;
  currency: string;
  balance: bigint;
  country: string | undefined;
  jurisdiction: PartialJurisdiction;
  dailyLossLimit: bigint | undefined;
};

/** Verifies a session; prisma/functions/authenticate_session.sql has the rules. */
export async function authenticate(
  { ledger, rules }: WalletDeps,
  { sessionID, gameID, token }: WalletAuthenticateRequest,
): Promise<Authenticated | Refused> {
  const row = await authenticateSession(ledger.db, {
    sessionSha256: sha256(sessionID),
    tokenSha256: token === undefined ? null : sha256(token),
    gameID,
    ...rules,
  });
  if (row.refusal !== null) return refused(row.refusal);
  return {
    ok: true,
    playerID: row.player_id,
    currency: row.currency,
    balance: row.balance,
    country: row.country ?? undefined,
    jurisdiction: row.jurisdiction,
    dailyLossLimit: row.daily_loss_limit ?? undefined,
  };
}

/** Reads the balance; prisma/functions/read_balance.sql has the rules. */
export async function balance({ ledger, rules }: WalletDeps, request: WalletBalanceRequest): Promise<Outcome> {
  const { sessionID, playerID, currency, gameID } = request;
  const { blockedCountries } = rules;
  const asked = { sessionSha256: sha256(sessionID), playerID, currency, gameID, blockedCountries };
  return outcomeOf(await readBalance(ledger.db, asked));
}
