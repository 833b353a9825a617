import type { Database } from '../database/database.ts';
import { Prisma } from '../generated/client.ts';
import { LAST_CHARACTER } from './playerPages.ts';

type Reader = Pick<Database, '$queryRaw'>;

/** undefined finds what belongs to any operator. */
export type SearchScope = { operatorID: number | undefined };

/** Each kind has at most this many hits. */
const MOST_HITS = 5;

// Each statement finds its few rows by an index. With an operator unknown it goes through the few
// operators, and looks into the index for each.

function operatorsOf({ operatorID }: SearchScope): Prisma.Sql {
  return operatorID === undefined
    ? Prisma.sql`operators o`
    : Prisma.sql`(SELECT * FROM operators WHERE id = ${operatorID}) o`;
}

function isOf({ operatorID }: SearchScope): Prisma.Sql {
  return operatorID === undefined ? Prisma.sql`true` : Prisma.sql`o.id = ${operatorID}`;
}

export type FoundRound = { roundID: bigint; operator: string; playerID: string; gameID: string; isOpen: boolean };

/** Finds a round by its betID. */
export function searchRound(
  db: Reader,
  { roundID, ...scope }: SearchScope & { roundID: bigint },
): Promise<FoundRound[]> {
  return db.$queryRaw<FoundRound[]>`
    SELECT r.id AS "roundID", o.code AS operator, p.external_id AS "playerID", g.code AS "gameID",
      r.ended_at IS NULL AS "isOpen"
    FROM all_rounds r
    JOIN players p ON p.id = r.player_id
    JOIN operators o ON o.id = p.operator_id
    JOIN games g ON g.id = r.game_id
    WHERE r.id = ${roundID} AND ${isOf(scope)}`;
}

export type FoundTransaction = {
  transactionID: string;
  roundID: bigint;
  operator: string;
  kind: string;
  state: string;
};

/** Finds wallet transactions by the wallet's own id, or by the transactionID. */
export function searchWalletTransactions(
  db: Reader,
  { reference, transactionID, ...scope }: SearchScope & { reference: string; transactionID: string | undefined },
): Promise<FoundTransaction[]> {
  return db.$queryRaw<FoundTransaction[]>`
    SELECT w.transaction_id::text AS "transactionID", w.round_id AS "roundID", o.code AS operator, w.kind::text,
      w.state::text
    FROM all_wallet_transactions w
    JOIN all_rounds r ON r.id = w.round_id
    JOIN accounts a ON a.id = r.account_id
    JOIN operators o ON o.id = a.operator_id
    WHERE (w.wallet_reference = ${reference} OR w.transaction_id = ${transactionID ?? null}::uuid) AND ${isOf(scope)}
    LIMIT ${MOST_HITS}`;
}

export type SessionHit = {
  operator: string;
  /** NULL for a launch that names no player. */
  playerID: string | null;
  gameID: string;
  state: string;
  createdAt: Date;
};

/** Finds a session, or else its launch, by the hash of the sessionID. */
export async function searchSession(
  db: Reader,
  { tokenSha256, ...scope }: SearchScope & { tokenSha256: Uint8Array<ArrayBuffer> },
): Promise<SessionHit[]> {
  const sessions = await db.$queryRaw<SessionHit[]>`
    SELECT o.code AS operator, p.external_id AS "playerID", g.code AS "gameID",
      CASE WHEN s.state = 'authenticated' AND s.expires_at <= now() THEN 'expired' ELSE s.state::text END AS state,
      s.created_at AS "createdAt"
    FROM sessions s
    JOIN players p ON p.id = s.player_id
    JOIN operators o ON o.id = p.operator_id
    JOIN games g ON g.id = s.game_id
    WHERE s.token_sha256 = ${tokenSha256} AND ${isOf(scope)}`;
  if (sessions.length > 0) return sessions;
  return db.$queryRaw<SessionHit[]>`
    SELECT o.code AS operator, l.external_id AS "playerID", g.code AS "gameID",
      CASE WHEN l.revoked THEN 'revoked' WHEN l.expires_at <= now() THEN 'expired' ELSE 'launched' END AS state,
      l.created_at AS "createdAt"
    FROM launches l
    JOIN operators o ON o.id = l.operator_id
    JOIN game_versions v ON v.id = l.game_version_id
    JOIN games g ON g.id = v.game_id
    WHERE l.token_sha256 = ${tokenSha256} AND ${isOf(scope)}`;
}

/**
 * Finds players by the beginning of the name that the operator gives them; an exact one is first.
 */
export function searchPlayers(
  db: Reader,
  { text, ...scope }: SearchScope & { text: string },
): Promise<{ operator: string; playerID: string }[]> {
  return db.$queryRaw<{ operator: string; playerID: string }[]>`
    SELECT o.code AS operator, p.external_id AS "playerID"
    FROM ${operatorsOf(scope)}
    CROSS JOIN LATERAL (
      SELECT external_id
      FROM players
      WHERE operator_id = o.id AND external_id >= ${text} AND external_id <= ${text + LAST_CHARACTER}
      ORDER BY operator_id, external_id LIMIT ${MOST_HITS}
    ) p
    ORDER BY p.external_id <> ${text}, p.external_id, o.code LIMIT ${MOST_HITS}`;
}

/** Finds games by a part of their id or title. The table is small. */
export function searchGames(db: Reader, text: string): Promise<{ gameID: string; title: string }[]> {
  return db.$queryRaw<{ gameID: string; title: string }[]>`
    SELECT g.code AS "gameID", v.title
    FROM games g
    CROSS JOIN LATERAL (SELECT title FROM game_versions WHERE game_id = g.id ORDER BY id DESC LIMIT 1) v
    WHERE strpos(lower(g.code), lower(${text})) > 0 OR strpos(lower(v.title), lower(${text})) > 0
    ORDER BY g.code <> ${text}, g.code LIMIT ${MOST_HITS}`;
}

/** Finds operators by a part of their code or name. The table is small. */
export function searchOperators(
  db: Reader,
  { text, ...scope }: SearchScope & { text: string },
): Promise<{ code: string; name: string }[]> {
  return db.$queryRaw<{ code: string; name: string }[]>`
    SELECT o.code, o.name
    FROM operators o
    WHERE (strpos(lower(o.code), lower(${text})) > 0 OR strpos(lower(o.name), lower(${text})) > 0) AND ${isOf(scope)}
    ORDER BY o.code <> ${text}, o.code LIMIT ${MOST_HITS}`;
}

/** Finds campaigns by the id that the operator gave. */
export function searchCampaigns(
  db: Reader,
  { text, ...scope }: SearchScope & { text: string },
): Promise<{ operator: string; campaignID: string }[]> {
  return db.$queryRaw<{ operator: string; campaignID: string }[]>`
    SELECT o.code AS operator, c.external_id AS "campaignID"
    FROM ${operatorsOf(scope)}
    CROSS JOIN LATERAL (SELECT * FROM campaigns WHERE operator_id = o.id AND external_id = ${text} LIMIT 1) c
    ORDER BY o.code LIMIT ${MOST_HITS}`;
}

export type FoundGrant = {
  operator: string;
  grantID: string;
  campaignID: string | null;
  playerID: string;
  state: string;
};

/** Finds grants by the id that the operator gave. */
export function searchGrants(db: Reader, { text, ...scope }: SearchScope & { text: string }): Promise<FoundGrant[]> {
  return db.$queryRaw<FoundGrant[]>`
    SELECT o.code AS operator, f.external_id AS "grantID", c.external_id AS "campaignID",
      p.external_id AS "playerID", f.state::text
    FROM ${operatorsOf(scope)}
    CROSS JOIN LATERAL (SELECT * FROM grants WHERE operator_id = o.id AND external_id = ${text} LIMIT 1) f
    JOIN accounts a ON a.id = f.account_id
    JOIN players p ON p.id = a.player_id
    LEFT JOIN campaigns c ON c.id = f.campaign_id
    ORDER BY o.code LIMIT ${MOST_HITS}`;
}
