import type { CurrencyCode } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';

/** What is given. bets are micros by currency. */
export type StoredTerms = {
  gameIDs: string[];
  /** It is in upper case. */
  mode: string;
  bets: Readonly<Record<string, number>>;
  rounds: number;
  startsAt: Date;
  endsAt: Date;
  playWithinHours: number | null;
  automatic: boolean;
  paidAtEnd: boolean;
};

/** It lacks the state of the grants. */
export type CampaignHead = StoredTerms & {
  rowID: number;
  operatorCode: string;
  campaignID: string;
  createdAt: Date;
  cancelledAt: Date | null;
};

export type StoredCampaign = Omit<CampaignHead, 'operatorCode'> & { grants: number; used: number; left: number };

const HEAD_COLUMNS = Prisma.sql`
  c.id AS "rowID", c.external_id AS "campaignID",
    ARRAY(
      SELECT g.code
      FROM unnest(c.game_ids) WITH ORDINALITY AS i (id, place)
      JOIN games g USING (id)
      ORDER BY i.place
    ) AS "gameIDs",
    c.mode, c.bets, c.rounds, c.starts_at AS "startsAt", c.ends_at AS "endsAt",
    c.play_within_hours AS "playWithinHours", c.automatic, c.paid_at_end AS "paidAtEnd", c.created_at AS "createdAt",
    c.cancelled_at AS "cancelledAt"`;

const CAMPAIGNS = Prisma.sql`
  SELECT ${HEAD_COLUMNS}, t.grants, t.used, t."left"
  FROM campaigns c
  CROSS JOIN LATERAL (
    SELECT count(*)::float8 AS grants,
      coalesce(sum(used), 0)::float8 AS used,
      coalesce(sum("left"), 0)::float8 AS "left"
    FROM grants
    WHERE campaign_id = c.id
  ) t`;

type CampaignKey = { operatorID: number; campaignID: string };

export async function findCampaign(
  db: Pick<Database, '$queryRaw'>,
  { operatorID, campaignID }: CampaignKey,
): Promise<StoredCampaign | undefined> {
  const [campaign] = await db.$queryRaw<StoredCampaign[]>`
    ${CAMPAIGNS} WHERE c.operator_id = ${operatorID} AND c.external_id = ${campaignID}`;
  return campaign;
}

/** Returns the campaigns before the row `before`, newest first. */
export function listCampaignRows(
  db: Database,
  { operatorID, before, limit }: { operatorID: number; before: number | undefined; limit: number },
): Promise<StoredCampaign[]> {
  const older = before === undefined ? Prisma.empty : Prisma.sql`AND c.id < ${before}`;
  return db.$queryRaw<StoredCampaign[]>`
    ${CAMPAIGNS} WHERE c.operator_id = ${operatorID} ${older} ORDER BY c.id DESC LIMIT ${limit}`;
}

type HeadsWanted = {
  /** Only campaigns of this operator are read; undefined reads those of all. */
  operatorID?: number | undefined;
  operatorCode?: string | undefined;
  campaignID?: string | undefined;
  before?: number | undefined;
  limit: number;
};

/** Lists campaigns, the newest first. It reads no grant. */
export function listCampaignHeads(
  db: Pick<Database, '$queryRaw'>,
  { operatorID, operatorCode, campaignID, before, limit }: HeadsWanted,
): Promise<CampaignHead[]> {
  const conditions = [
    Prisma.sql`true`,
    ...(operatorID === undefined ? [] : [Prisma.sql`c.operator_id = ${operatorID}`]),
    ...(operatorCode === undefined ? [] : [Prisma.sql`o.code = ${operatorCode}`]),
    ...(campaignID === undefined ? [] : [Prisma.sql`c.external_id = ${campaignID}`]),
    ...(before === undefined ? [] : [Prisma.sql`c.id < ${before}`]),
  ];
  return db.$queryRaw<CampaignHead[]>`
    SELECT ${HEAD_COLUMNS}, o.code AS "operatorCode"
    FROM campaigns c
    JOIN operators o ON o.id = c.operator_id
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY c.id DESC LIMIT ${limit}`;
}

/** Sums the grants of a campaign in one currency. Amounts are micros. */
export type GrantSums = {
  currency: CurrencyCode;
  grants: bigint;
  given: bigint;
  used: bigint;
  left: bigint;
  expired: bigint;
  cancelled: bigint;
  openRounds: bigint;
  won: bigint;
};

/** Sums the grants of a campaign, for each currency. It reads each of them. */
export function sumGrants(db: Pick<Database, '$queryRaw'>, campaignRowID: number): Promise<GrantSums[]> {
  return db.$queryRaw<GrantSums[]>`
    SELECT a.currency, count(*) AS grants,
      sum(g.given)::bigint AS given,
      sum(g.used)::bigint AS used,
      sum(g."left")::bigint AS "left",
      sum(g.expired)::bigint AS expired,
      sum(g.cancelled)::bigint AS cancelled,
      sum(g.open_rounds)::bigint AS "openRounds",
      sum(g.won_micros)::bigint AS won
    FROM grants g
    JOIN accounts a ON a.id = g.account_id
    WHERE g.campaign_id = ${campaignRowID}
    GROUP BY a.currency
    ORDER BY a.currency`;
}

type NewCampaign = CampaignKey & { terms: StoredTerms; gameRowIDs: readonly number[]; now: Date };

/** Returns false when the operator has a campaign of this id. */
export async function insertCampaign(
  db: Pick<Database, 'campaign'>,
  { operatorID, campaignID, terms, gameRowIDs, now }: NewCampaign,
): Promise<boolean> {
  const { gameIDs: _names, ...columns } = terms;
  const { count } = await db.campaign.createMany({
    data: {
      ...columns,
      operatorId: operatorID,
      externalId: campaignID,
      gameIds: [...gameRowIDs],
      createdAt: now,
    },
    skipDuplicates: true,
  });
  return count === 1;
}

/** Returns false when it was cancelled before. Waits for requests that give its grants. */
export async function markCampaignCancelled(db: Pick<Database, '$executeRaw'>, rowID: number): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE campaigns
    SET cancelled_at = now()
    WHERE id = ${rowID} AND cancelled_at IS NULL`;
  return changed === 1;
}

/** Returns up to `limit` open grants of a campaign, in the order of their rows. */
export async function openGrantsOfCampaign(
  db: Database,
  { rowID, after, limit }: { rowID: number; after: bigint; limit: number },
): Promise<bigint[]> {
  const grants = await db.$queryRaw<{ id: bigint }[]>`
    SELECT id
    FROM grants
    WHERE campaign_id = ${rowID} AND id > ${after} AND state IN ('offered', 'accepted')
    ORDER BY id LIMIT ${limit}`;
  return grants.map(({ id }) => id);
}
