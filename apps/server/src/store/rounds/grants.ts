import type { CurrencyCode, GrantState } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';

export type StoredGrant = {
  rowID: bigint;
  grantID: string;
  campaignID: string | null;
  /** The operator knows the player by this name. */
  playerID: string;
  currency: CurrencyCode;
  gameIDs: string[];
  mode: string;
  amount: bigint;
  automatic: boolean;
  paidAtEnd: boolean;
  state: GrantState;
  given: number;
  used: number;
  left: number;
  expired: number;
  cancelled: number;
  won: bigint;
  startsAt: Date;
  expiresAt: Date;
  createdAt: Date;
  endedAt: Date | null;
  /** NULL until publish_grant_changes has numbered the last change. */
  changeSeq: bigint | null;
};

const GRANTS = Prisma.sql`
  SELECT g.id AS "rowID", g.external_id AS "grantID", c.external_id AS "campaignID", p.external_id AS "playerID",
    a.currency,
    ARRAY(
      SELECT o.code
      FROM unnest(g.game_ids) WITH ORDINALITY AS i (id, place)
      JOIN games o USING (id)
      ORDER BY i.place
    ) AS "gameIDs",
    g.mode, g.amount_micros AS amount, g.automatic, g.paid_at_end AS "paidAtEnd", g.state, g.given, g.used, g."left",
    g.expired, g.cancelled, g.won_micros AS won, g.starts_at AS "startsAt", g.expires_at AS "expiresAt",
    g.created_at AS "createdAt", g.ended_at AS "endedAt", g.change_seq AS "changeSeq"
  FROM grants g
  JOIN accounts a ON a.id = g.account_id
  JOIN players p ON p.id = a.player_id
  LEFT JOIN campaigns c ON c.id = g.campaign_id`;

/** Returns those of the operator's grants that exist. */
export async function findGrants(
  db: Pick<Database, '$queryRaw'>,
  { operatorID, grantIDs }: { operatorID: number; grantIDs: readonly string[] },
): Promise<Map<string, StoredGrant>> {
  const grants = await db.$queryRaw<StoredGrant[]>`
    ${GRANTS} WHERE g.operator_id = ${operatorID} AND g.external_id = ANY (${[...grantIDs]}::text[])`;
  return new Map(grants.map((grant) => [grant.grantID, grant]));
}

export type GrantsWanted = {
  operatorID: number;
  playerID: string | undefined;
  campaignID: string | undefined;
  state: GrantState | undefined;
  /** Only rows before this one are read: the end of the previous page. */
  before: bigint | undefined;
  limit: number;
};

/** Lists grants, newest first. */
export function listGrantRows(
  db: Database,
  { operatorID, playerID, campaignID, state, before, limit }: GrantsWanted,
): Promise<StoredGrant[]> {
  const conditions = [
    // With = PostgreSQL may walk the primary key past all grants of other operators: it takes them
    // for evenly spread. This order has one index only, (operator_id, id).
    Prisma.sql`g.operator_id BETWEEN ${operatorID} AND ${operatorID}`,
    ...(playerID === undefined
      ? []
      : [
          Prisma.sql`g.account_id IN (SELECT a.id FROM accounts a JOIN players p ON p.id = a.player_id
            WHERE p.operator_id = ${operatorID} AND p.external_id = ${playerID})`,
        ]),
    ...(campaignID === undefined
      ? []
      : [
          Prisma.sql`g.campaign_id = (
            SELECT id
            FROM campaigns
            WHERE operator_id = ${operatorID} AND external_id = ${campaignID}
          )`,
        ]),
    ...(state === undefined ? [] : [Prisma.sql`g.state = ${state}::grant_state`]),
    ...(before === undefined ? [] : [Prisma.sql`g.id < ${before}`]),
  ];
  return db.$queryRaw<StoredGrant[]>`
    ${GRANTS} WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY g.operator_id DESC, g.id DESC LIMIT ${limit}`;
}

/**
 * Returns the grants that changed after the change `after`, in the order of their changes. A change
 * that is committed later has a higher number: see publish_grant_changes.
 */
export async function listChangedGrants(
  db: Database,
  { operatorID, after, limit }: { operatorID: number; after: bigint; limit: number },
): Promise<StoredGrant[]> {
  await db.$executeRaw`SELECT publish_grant_changes(${operatorID}::integer, ${limit}::integer)`;
  return db.$queryRaw<StoredGrant[]>`
    ${GRANTS} WHERE g.operator_id = ${operatorID} AND g.change_seq > ${after} ORDER BY g.change_seq LIMIT ${limit}`;
}

export type GrantsToGive = {
  operatorID: number;
  campaignRowID: number | null;
  grants: readonly { grantID: string; playerID: string; currency: CurrencyCode; amount: number }[];
  gameRowIDs: readonly number[];
  mode: string;
  rounds: number;
  automatic: boolean;
  paidAtEnd: boolean;
  startsAt: Date;
  expiresAt: Date;
  now: Date;
  /** The version of the fleet in which this cell serves the players; undefined without a fleet. */
  fleetVersion: number | undefined;
};

/** cancelled: the campaign is. fleet_changed: by now another cell may serve the players. */
export type InsertedGrants = 'given' | 'cancelled' | 'fleet_changed';

/**
 * Gives all of these grants, or none.
 * @throws 23505 when a grant of such an id exists.
 */
export async function insertGrants(db: Pick<Database, '$queryRaw'>, give: GrantsToGive): Promise<InsertedGrants> {
  const { operatorID, campaignRowID, grants, gameRowIDs, mode, rounds, automatic, paidAtEnd } = give;
  const [row] = await db.$queryRaw<{ given: InsertedGrants }[]>`
    SELECT give_grants(
      ${operatorID}::integer, ${campaignRowID}::integer, ${grants.map(({ grantID }) => grantID)}::text[],
      ${grants.map(({ playerID }) => playerID)}::text[], ${grants.map(({ currency }) => currency)}::text[],
      ${grants.map(({ amount }) => BigInt(amount))}::bigint[],
      ${[...gameRowIDs]}::integer[], ${mode}, ${rounds}::integer, ${automatic}, ${paidAtEnd},
      ${give.startsAt}::timestamptz, ${give.expiresAt}::timestamptz, ${give.now}::timestamptz,
      ${give.fleetVersion ?? null}::integer
    ) AS given`;
  if (row === undefined) throw new Error('give_grants returned nothing');
  return row.given;
}

/** Cancels the unused rounds of the open ones. Returns how many grants it has cancelled. */
export async function cancelGrantRows(db: Pick<Database, '$queryRaw'>, rowIDs: readonly bigint[]): Promise<number> {
  const [row] = await db.$queryRaw<{ ended: bigint }[]>`
    SELECT end_grants(${[...rowIDs]}::bigint[], 'cancelled') AS ended`;
  return Number(row?.ended ?? 0n);
}
