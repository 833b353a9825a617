import type { Database } from '../database/database.ts';

type Queries = Pick<Database, '$queryRaw'>;

/** Returns the codes of operators. */
export async function listPlayerOperators(db: Queries): Promise<string[]> {
  return (await db.$queryRaw<{ code: string }[]>`SELECT code FROM operators ORDER BY code`).map(({ code }) => code);
}

/**
 * Lists players of the operator who have not moved to another cell, in the order of their bytes.
 */
export async function listLivePlayers(
  db: Queries,
  { operator, after, limit }: { operator: string; after: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db.$queryRaw<{ externalID: string }[]>`
    SELECT external_id AS "externalID"
    FROM players
    WHERE operator_id = (SELECT id FROM operators WHERE code = ${operator})
      AND external_id > ${after ?? ''} AND moved_to IS NULL
    ORDER BY operator_id, external_id LIMIT ${limit}`;
  return rows.map(({ externalID }) => externalID);
}

/** Returns whether the player is in this database, and has not moved to another cell. */
export async function livesHere(
  db: Queries,
  { operator, playerID }: { operator: string; playerID: string },
): Promise<boolean> {
  const [row] = await db.$queryRaw<{ is: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM players p
      JOIN operators o ON o.id = p.operator_id
      WHERE o.code = ${operator} AND p.external_id = ${playerID} AND p.moved_to IS NULL
    ) AS is`;
  return row?.is === true;
}
