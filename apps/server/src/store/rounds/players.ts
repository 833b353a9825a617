import { type CurrencyCode, type Micros, type PlayerLimits, toMicros } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { endSessions, type SessionFacts } from './sessions.ts';

export type PlayerKey = { operatorCode: string; externalID: string };

/** undefined keeps a limit, null removes it. Both count one day of UTC. */
export type DailyLimits = { wagerMicros?: Micros | null; lossMicros?: Micros | null };

async function findPlayerID(db: Database, { operatorCode, externalID }: PlayerKey): Promise<bigint | undefined> {
  const player = await db.player.findFirst({
    where: { externalId: externalID, operator: { code: operatorCode } },
    select: { id: true },
  });
  return player?.id;
}

export async function hasPlayer(
  db: Database,
  { operatorID, externalID }: { operatorID: number; externalID: string },
): Promise<boolean> {
  return (await db.player.count({ where: { operatorId: operatorID, externalId: externalID } })) > 0;
}

export type KnownPlayer = { playerID: bigint; externalID: string; movedTo: number | null };

/** Finds those of the operator's players that the database has, also those who have moved. */
export function findKnownPlayers(
  db: Pick<Database, '$queryRaw'>,
  { operatorID }: { operatorID: number },
  externalIDs: readonly string[],
): Promise<KnownPlayer[]> {
  return db.$queryRaw<KnownPlayer[]>`
    SELECT id AS "playerID", external_id AS "externalID", moved_to AS "movedTo" FROM players
    WHERE operator_id = ${operatorID} AND external_id = ANY (${[...externalIDs]}::text[])`;
}

type NewPlayer = { operatorID: number; externalID: string; fleetVersion: number | undefined };

/**
 * Returns the player, created when new; undefined when the database has another version of the
 * fleet, or the player has moved. Only openPlayer calls it: another cell may serve the player.
 */
export async function createPlayer(
  db: Database,
  { operatorID, externalID, fleetVersion }: NewPlayer,
): Promise<bigint | undefined> {
  await db.$executeRaw`
    INSERT INTO players (operator_id, external_id)
    SELECT ${operatorID}::integer, ${externalID}
    WHERE (SELECT fleet_version FROM cell FOR SHARE) IS NOT DISTINCT FROM ${fleetVersion ?? null}::integer
    ON CONFLICT DO NOTHING`;
  const player = await db.player.findUnique({
    where: { operatorId_externalId: { operatorId: operatorID, externalId: externalID } },
    select: { id: true, movedTo: true },
  });
  return player === null || player.movedTo !== null ? undefined : player.id;
}

/** Returns false when there is no such player with an account in this currency. */
export async function setDailyLimits(
  db: Database,
  player: PlayerKey & { currency: CurrencyCode },
  limits: DailyLimits,
): Promise<boolean> {
  const playerId = await findPlayerID(db, player);
  if (playerId === undefined) return false;
  return writeDailyLimits(db, { playerId, currency: player.currency }, limits);
}

/** Returns false when there is no such account. */
async function writeDailyLimits(
  db: Database,
  account: { playerId: bigint; currency: CurrencyCode },
  { wagerMicros, lossMicros }: DailyLimits,
): Promise<boolean> {
  const { count } = await db.account.updateMany({
    where: account,
    data: {
      ...(wagerMicros !== undefined && { dailyWagerLimitMicros: wagerMicros }),
      ...(lossMicros !== undefined && { dailyLossLimitMicros: lossMicros }),
    },
  });
  return count > 0;
}

/** null: the login does not expire. Returns false when there is no such player. */
export async function setLoginExpiry(db: Database, player: PlayerKey, loginExpiresAt: Date | null): Promise<boolean> {
  const id = await findPlayerID(db, player);
  if (id === undefined) return false;
  await updateWithAccounts(db, id, { loginExpiresAt });
  return true;
}

/**
 * Plays read these columns from the account, so that they read no page of players. The player comes
 * first: openAccount locks it, so a new account has its values or is updated here.
 */
async function updateWithAccounts(
  db: Database,
  playerId: bigint,
  data: { loginExpiresAt: Date | null } | { country: string },
): Promise<void> {
  await db.$transaction([
    db.player.update({ where: { id: playerId }, data }),
    // Every command locks them in this order.
    db.$executeRaw`SELECT 1 FROM accounts WHERE player_id = ${playerId} ORDER BY id FOR NO KEY UPDATE`,
    db.account.updateMany({ where: { playerId }, data }),
  ]);
}

/**
 * Ends every session of the player. Returns how many there were, undefined when there is no such
 * player.
 */
export async function endSessionsOfPlayer(
  db: Database,
  { operatorCode, externalID }: PlayerKey,
): Promise<number | undefined> {
  const operator = await db.operator.findUnique({ where: { code: operatorCode }, select: { id: true } });
  return operator === null ? undefined : endSessions(db, { operatorID: operator.id, externalID });
}

type NewAccount = { operatorId: number; playerId: bigint; currency: CurrencyCode; balance: bigint | null };

/**
 * Returns the player's account in the currency, created when new. It has no balance where the
 * operator keeps the money. With a balance, openHouseAccounts comes first.
 * @throws when the player has just moved to another cell: no account may come after it
 */
export async function openAccount(
  db: Database,
  { operatorId, playerId, currency, balance }: NewAccount,
): Promise<{ accountId: bigint; isNew: boolean }> {
  const created = await db.$executeRaw`
    INSERT INTO accounts (operator_id, kind, player_id, currency, balance_micros,
      house_account_id,
      login_expires_at, country)
    SELECT ${operatorId}, 'player', id, ${currency}, ${balance}::bigint,
      (SELECT id FROM accounts WHERE operator_id = ${operatorId} AND kind = 'house' AND currency = ${currency}),
      login_expires_at, country
    FROM players
    WHERE id = ${playerId} AND moved_to IS NULL
    FOR SHARE
    ON CONFLICT DO NOTHING`;
  const account = await db.account.findUniqueOrThrow({
    where: { playerId_currency: { playerId, currency } },
    select: { id: true },
  });
  return { accountId: account.id, isNew: created === 1 };
}

/**
 * Opens the accounts at the other end of every transfer: the house (bets, payouts) and the cashier
 * (deposits, withdrawals).
 */
export async function openHouseAccounts(db: Database, operatorId: number, currency: CurrencyCode): Promise<void> {
  await db.$executeRaw`
    INSERT INTO accounts (operator_id, kind, currency)
    VALUES (${operatorId}, 'house', ${currency}), (${operatorId}, 'cashier', ${currency})
    ON CONFLICT DO NOTHING`;
}

/**
 * An operator says this about a player at each session verification. A member that it leaves out
 * stays as it is. `limits` names all limits: one that it leaves out is removed.
 */
export type PlayerNews = { country?: string | undefined; limits?: PlayerLimits | undefined };

export async function updatePlayer(
  db: Database,
  { playerID, currency }: Pick<SessionFacts, 'playerID' | 'currency'>,
  { country, limits }: PlayerNews,
): Promise<void> {
  if (country !== undefined) await updateWithAccounts(db, playerID, { country: country.toUpperCase() });
  if (limits === undefined) return;
  const { dailyWager, dailyLoss } = limits;
  const account = { playerId: playerID, currency };
  const all: Required<DailyLimits> = {
    wagerMicros: dailyWager === undefined ? null : toMicros(dailyWager),
    lossMicros: dailyLoss === undefined ? null : toMicros(dailyLoss),
  };
  if (!(await writeDailyLimits(db, account, all))) throw new Error(`the player ${playerID} has no account`);
}
