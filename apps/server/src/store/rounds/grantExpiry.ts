import type { Database } from '../database/database.ts';

/** Expires grants that are due, `most` at once. Returns whether there may be more. */
export async function expireGrants(db: Database, most: number): Promise<boolean> {
  const [row] = await db.$queryRaw<{ more: boolean }[]>`SELECT expire_grants(${most}::integer) AS more`;
  return row?.more ?? false;
}
