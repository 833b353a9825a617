import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { limitsOf, openPool, Writer } from '@roundhouse/service';
import type { QueryResult } from 'pg';
import { prismaFolder } from './migrate.ts';

/** A catalog of many extensions takes long; a database that is silent must not keep the check. */
const STATEMENT_MS = 60_000;

/**
 * Returns SHA-256 in hexadecimal digits of each function, view, table, column, constraint, index,
 * trigger and the like in the schema of the database, by `database/<kind> <name>`.
 */
export async function readElements(url: string): Promise<Map<string, string>> {
  const sql = await readFile(path.join(prismaFolder(), 'elements.sql'), 'utf8');
  const limits = limitsOf(STATEMENT_MS);
  const writer = new Writer(url, limits.awayMs);
  const pool = openPool({ writer, connections: 1, limits, application_name: 'roundhouse verify-install' });
  try {
    // Without values the driver takes several statements, and returns the result of each.
    const results = (await pool.query(sql)) as unknown as QueryResult<{ name: string; sha256: string }>[];
    return new Map(results.flatMap(({ rows }) => rows).map(({ name, sha256 }) => [name, sha256]));
  } finally {
    await pool.end();
    writer.close();
  }
}
