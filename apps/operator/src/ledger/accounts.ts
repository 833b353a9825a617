import type { Database, DatabaseTransaction, Ledger } from './database.ts';

/** A player's account, locked until the transaction ends. */
export type LockedAccount = {
  id: bigint;
  balance: bigint;
  cashierId: bigint;
};

export type AccountName = { playerID: string; currency: string };

/**
 * Locks the account of a player in a currency; undefined if it does not exist. Every transaction
 * starts with it, so what is read after it stays true until the transaction ends.
 */
export async function lockAccount({ sql }: DatabaseTransaction, name: AccountName): Promise<LockedAccount | undefined> {
  const [account] = await sql.$queryRaw<LockedAccount[]>`
    SELECT a.id, a.balance_micros AS balance, c.id AS "cashierId"
    FROM accounts a
    JOIN players p ON p.id = a.player_id
    JOIN accounts c ON c.kind = 'cashier' AND c.currency = a.currency
    WHERE p.external_id = ${name.playerID} AND a.currency = ${name.currency}
    FOR NO KEY UPDATE OF a`;
  return account;
}

/**
 * Creates the player and the accounts if they are missing. `isNew` is about the player's account.
 */
export async function makeAccount(
  { sql }: DatabaseTransaction,
  { playerID, currency }: AccountName,
): Promise<{ isNew: boolean }> {
  await sql.$executeRaw`INSERT INTO players (external_id) VALUES (${playerID}) ON CONFLICT DO NOTHING`;
  await sql.$executeRaw`
    INSERT INTO accounts (kind, currency)
    VALUES ('house', ${currency}), ('cashier', ${currency})
    ON CONFLICT DO NOTHING`;
  const made = await sql.$executeRaw`
    INSERT INTO accounts (kind, player_id, currency, balance_micros)
    SELECT 'player', id, ${currency}, 0
    FROM players
    WHERE external_id = ${playerID}
    ON CONFLICT DO NOTHING`;
  return { isNew: made === 1 };
}

export type Balance = { currency: string; balance: bigint };

/** Reads the player's balances by currency; undefined when there is no such player. */
export async function readBalances(db: Database, playerID: string): Promise<Balance[] | undefined> {
  const player = await db.player.findUnique({
    where: { externalId: playerID },
    select: { accounts: { orderBy: { currency: 'asc' }, select: { currency: true, balanceMicros: true } } },
  });
  return player?.accounts.map(({ currency, balanceMicros }) => ({ currency, balance: balanceMicros ?? 0n }));
}

export async function findAccount(
  db: Database,
  { playerID, currency }: AccountName,
): Promise<{ id: bigint; balance: bigint } | undefined> {
  const account = await db.account.findFirst({
    where: { currency, player: { externalId: playerID } },
    select: { id: true, balanceMicros: true },
  });
  return account === null ? undefined : { id: account.id, balance: account.balanceMicros ?? 0n };
}

/** A missing field keeps the rule; null removes it. */
export type PlayerRules = {
  dailyLossLimit?: bigint | null | undefined;
  country?: string | null | undefined;
  loginExpiresAt?: Date | null | undefined;
};

/** Returns false without such an account. The loss limit is per currency, the rest per player. */
export async function setPlayerRules(
  { db }: Ledger,
  { playerID, currency }: AccountName,
  { dailyLossLimit, country, loginExpiresAt }: PlayerRules,
): Promise<boolean> {
  const account = await findAccount(db, { playerID, currency });
  if (account === undefined) return false;
  await db.account.update({
    where: { id: account.id },
    data: {
      ...(dailyLossLimit !== undefined && { dailyLossLimitMicros: dailyLossLimit }),
      player: {
        update: {
          ...(country !== undefined && { country }),
          ...(loginExpiresAt !== undefined && { loginExpiresAt }),
        },
      },
    },
  });
  return true;
}
