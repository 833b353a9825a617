import { randomBytes, randomUUID } from 'node:crypto';
import {
  type CreateSessionRequest,
  type CreateSessionResponse,
  MAX_MICROS,
  MICROS_PER_UNIT,
  type PartialJurisdiction,
} from '@roundhouse/contract';
import { type AccountName, type Balance, lockAccount, makeAccount, readBalances } from './ledger/accounts.ts';
import { type DatabaseTransaction, inTransaction, type Ledger } from './ledger/database.ts';
import { addSession, removeSession } from './ledger/sessions.ts';
import { writeTransaction } from './ledger/transactions.ts';
import type { RgsClient } from './rgsClient.ts';
import type { WalletDeps } from './wallet/session.ts';

/** What the casino around the wallet needs. */
export type CasinoDeps = WalletDeps & {
  rgs: RgsClient;
  operator: { code: string; name: string };
};

/** An account opens with a deposit of 1,000 units of its currency. */
const OPENING_BALANCE = 1_000n * BigInt(MICROS_PER_UNIT);
const SECRET_BYTES = 32;

/** Opens the account if it is missing. Returns all balances of the player. */
export async function enter(ledger: Ledger, name: AccountName): Promise<Balance[]> {
  await openAccount(ledger, name);
  return (await readBalances(ledger.db, name.playerID)) ?? [];
}

/** Returns the account's id. A new account begins with the opening balance. */
export function openAccount(ledger: Ledger, name: AccountName): Promise<bigint> {
  return inTransaction(ledger, async (tx) => {
    const { isNew } = await makeAccount(tx, name);
    const account = await lockExisting(tx, name);
    if (isNew) {
      await writeTransaction(tx, account, { transactionID: randomUUID(), kind: 'deposit', amount: OPENING_BALANCE });
    }
    return account.id;
  });
}

/** Deposits play money. Returns the balance; undefined if it would exceed the largest amount. */
export async function deposit(ledger: Ledger, name: AccountName, amount: bigint): Promise<bigint | undefined> {
  await openAccount(ledger, name);
  return inTransaction(ledger, async (tx) => {
    const account = await lockExisting(tx, name);
    const balance = account.balance + amount;
    if (balance > BigInt(MAX_MICROS)) return undefined;
    await writeTransaction(tx, account, { transactionID: randomUUID(), kind: 'deposit', amount });
    return balance;
  });
}

/** Sets the balance by one deposit or withdrawal. */
export async function setBalance(ledger: Ledger, name: AccountName, balance: bigint): Promise<void> {
  await openAccount(ledger, name);
  await inTransaction(ledger, async (tx) => {
    const account = await lockExisting(tx, name);
    const change = balance - account.balance;
    if (change === 0n) return;
    const [kind, amount] = change > 0n ? (['deposit', change] as const) : (['withdrawal', -change] as const);
    await writeTransaction(tx, account, { transactionID: randomUUID(), kind, amount });
  });
}

async function lockExisting(tx: DatabaseTransaction, name: AccountName) {
  const account = await lockAccount(tx, name);
  if (account === undefined) throw new Error('an account that was just made does not exist');
  return account;
}

export type LaunchRequest = {
  playerID: string;
  gameID: string;
  currency: CreateSessionRequest['currency'];
  lang: string;
  device: string;
  social?: boolean | undefined;
  draws?: CreateSessionRequest['draws'] | undefined;
  country?: string | undefined;
  jurisdiction?: PartialJurisdiction | undefined;
} & Pick<CreateSessionRequest, PageName>;

type PageName = 'returnURL' | 'cashierURL' | 'historyURL' | 'responsibleGamblingURL';

/** Returns the links of a game, as views of the lobby at this address. */
export function pagesOf(lobbyUrl: string): Record<PageName, string> {
  const view = (name: string) => new URL(`/?view=${name}`, lobbyUrl).href;
  return {
    returnURL: view('lobby'),
    cashierURL: view('cashier'),
    historyURL: view('statement'),
    responsibleGamblingURL: view('responsible'),
  };
}

/**
 * Opens a game for a player. The session is stored before the launch, because the server may verify
 * it before its response arrives.
 */
export async function launch(
  { ledger, rules, rgs, operator }: CasinoDeps,
  { country, social, draws, jurisdiction = {}, ...launched }: LaunchRequest,
): Promise<CreateSessionResponse> {
  // The prefix names the operator, so that a server that lost the session knows which operator
  // verifies it.
  const sessionID = `${operator.code}:${randomSecret()}`;
  const token = randomSecret();
  const accountId = await openAccount(ledger, launched);
  await addSession(ledger.db, {
    sessionID,
    token,
    accountId,
    gameID: launched.gameID,
    country,
    jurisdiction,
    timeoutMs: rules.sessionTimeoutMs,
  });
  try {
    return await rgs.createSession({
      ...launched,
      sessionID,
      token,
      jurisdiction,
      ...(country !== undefined && { country }),
      ...(social !== undefined && { social }),
      ...(draws !== undefined && { draws }),
    });
  } catch (error) {
    await removeSession(ledger.db, sessionID);
    throw error;
  }
}

const TEST_PLAYER = { playerID: 'wallet-check', currency: 'USD' } as const;

/**
 * Opens two sessions of a test player, for the check of this wallet: a live one, and one that has
 * timed out.
 */
export async function openTestSession(
  { ledger, rules, operator }: Pick<CasinoDeps, 'ledger' | 'rules' | 'operator'>,
  { gameID }: { gameID: string },
) {
  const accountId = await openAccount(ledger, TEST_PLAYER);
  const open = async (timeoutMs: number) => {
    const sessionID = `${operator.code}:${randomSecret()}`;
    const ofATest = { token: randomSecret(), country: undefined, jurisdiction: {} };
    await addSession(ledger.db, { sessionID, accountId, gameID, timeoutMs, ...ofATest });
    return sessionID;
  };
  return { sessionID: await open(rules.sessionTimeoutMs), expiredSessionID: await open(0) };
}

export type FreeRoundsRequest = {
  playerID: string;
  currency: CreateSessionRequest['currency'];
  gameID: string;
  mode: string;
  amount: number;
  automatic: boolean;
  paidAtEnd: boolean;
};

const FREE_ROUNDS = 5;
const PLAY_WITHIN_MS = 7 * 24 * 3_600_000;

/** Gives the player five free rounds of a game, for a week. Returns how many. */
export async function giveFreeRounds({ rgs }: Pick<CasinoDeps, 'rgs'>, request: FreeRoundsRequest): Promise<number> {
  const { playerID, currency, gameID, mode, amount, automatic, paidAtEnd } = request;
  const { grants } = await rgs.giveGrants({
    terms: {
      ...{ gameIDs: [gameID], mode, automatic, paidAtEnd },
      bets: { [currency]: amount },
      rounds: FREE_ROUNDS,
      endsAt: new Date(Date.now() + PLAY_WITHIN_MS).toISOString(),
    },
    // The id is ours, so a repetition of this request gives nothing twice.
    grants: [{ grantID: randomUUID(), playerID, currency }],
  });
  return grants.reduce((sum, { given }) => sum + given, 0);
}

function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
