import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

/** What is given. bets are micros by currency. */
export type StoredTerms = {
  gameIDs: string[];
  /** In upper case. */
  mode: string;
  bets: Readonly<Record<string, number>>;
  rounds: number;
  startsAt: Date;
  endsAt: Date;
  playWithinHours: number | null;
  automatic: boolean;
  paidAtEnd: boolean;
};

export type StoredCampaign = StoredTerms & {
  rowID: number;
  campaignID: string;
  createdAt: Date;
  cancelledAt: Date | null;
  grants: number;
  used: number;
  left: number;
};

const CAMPAIGNS = Prisma.sql`
  SELECT c.id AS "rowID", c.external_id AS "campaignID",
    ARRAY(SELECT g.code FROM unnest(c.game_ids) WITH ORDINALITY AS i (id, place) JOIN games g USING (id) ORDER BY i.place) AS "gameIDs",
    c.mode, c.bets, c.rounds, c.starts_at AS "startsAt", c.ends_at AS "endsAt", c.play_within_hours AS "playWithinHours",
    c.automatic, c.paid_at_end AS "paidAtEnd", c.created_at AS "createdAt", c.cancelled_at AS "cancelledAt",
    t.grants, t.used, t."left"
  FROM campaigns c
  CROSS JOIN LATERAL (
    SELECT count(*)::float8 AS grants, coalesce(sum(used), 0)::float8 AS used, coalesce(sum("left"), 0)::float8 AS "left"
    FROM grants WHERE campaign_id = c.id
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
    UPDATE campaigns SET cancelled_at = now() WHERE id = ${rowID} AND cancelled_at IS NULL`;
  return changed === 1;
}

/** Returns up to `limit` open grants of a campaign, in the order of their rows. */
export async function openGrantsOfCampaign(
  db: Database,
  { rowID, after, limit }: { rowID: number; after: bigint; limit: number },
): Promise<bigint[]> {
  const grants = await db.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM grants WHERE campaign_id = ${rowID} AND id > ${after} AND state IN ('offered', 'accepted')
    ORDER BY id LIMIT ${limit}`;
  return grants.map(({ id }) => id);
}
