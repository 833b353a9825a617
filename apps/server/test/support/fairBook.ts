import { createHash, createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../src/store/database/database.ts';
import { openServerSeed } from '../../src/store/rounds/fairSeeds.ts';
import { BOOK, PAYOUTS } from './fixtureGame.ts';

/** The fixture's table: these books in this order, each of weight 10. */
const BOOKS = Object.values(BOOK);
const WEIGHT = 10n;
const TOTAL = BigInt(BOOKS.length) * WEIGHT;

type Facts = { serverSeed: Buffer; game: string; version: string; mode: string; clientSeed: string; nonce: bigint };

/**
 * Draws a book of the fixture as docs/fairness-scheme.md says it, without the code of the server.
 */
function bookOf({ serverSeed, game, version, mode, clientSeed, nonce }: Facts): number {
  for (let attempt = 0; ; attempt += 1) {
    const message = `roundhouse-fair-1:${game}:${version}:${mode}:${nonce}:${attempt}:${clientSeed}`;
    const value = createHmac('sha256', serverSeed).update(message, 'utf8').digest().readBigUInt64BE();
    if (value < (2n ** 64n / TOTAL) * TOTAL) return BOOKS[Number((value % TOTAL) / WEIGHT)] as number;
  }
}

type FairRow = {
  id: bigint;
  seed_id: bigint;
  nonce: bigint;
  account_id: bigint;
  game: string;
  version: string;
  mode: string;
  client_seed: string;
  book_id: bigint;
  payout_multiplier: bigint;
  amount_micros: bigint;
  payout_micros: bigint;
  sealed_server_seed: string;
  server_seed_sha256: Buffer;
};

/**
 * Expects that each fair round of the database has the book of its seeds and nonce, and that the
 * nonces of each server seed are 0, 1, 2 and so on. Returns how many fair rounds there are.
 */
export async function expectFairRounds(db: Database): Promise<number> {
  const rows = await db.$queryRaw<FairRow[]>`
    SELECT r.id, r.fair_seed_id AS seed_id, r.fair_nonce AS nonce, r.account_id, g.code AS game, v.version, r.mode,
      (SELECT c.client_seed FROM fair_client_seeds c WHERE c.seed_id = r.fair_seed_id AND c.from_nonce <= r.fair_nonce
       ORDER BY c.from_nonce DESC LIMIT 1) AS client_seed,
      r.book_id, r.payout_multiplier, r.amount_micros, r.payout_micros, s.sealed_server_seed, s.server_seed_sha256
    FROM all_rounds r JOIN fair_seeds s ON s.id = r.fair_seed_id
    JOIN game_versions v ON v.id = r.game_version_id JOIN games g ON g.id = v.game_id
    ORDER BY r.fair_seed_id, r.fair_nonce`;
  const next = new Map<bigint, bigint>();
  for (const row of rows) {
    const expected = next.get(row.seed_id) ?? 0n;
    expect(row.nonce, `the nonce of round ${row.id}`).toBe(expected);
    next.set(row.seed_id, expected + 1n);
    const serverSeed = openServerSeed(db.secretKeys, row.sealed_server_seed, row.account_id);
    const sha256 = createHash('sha256').update(serverSeed).digest();
    expect(sha256.equals(row.server_seed_sha256), `the server seed of round ${row.id}`).toBe(true);
    const bookID = bookOf({ ...row, serverSeed, clientSeed: row.client_seed });
    expect(Number(row.book_id), `the book of round ${row.id}`).toBe(bookID);
    expect(Number(row.payout_multiplier)).toBe(PAYOUTS[bookID]);
    expect(row.payout_micros * 100n).toBe(row.amount_micros * BigInt(PAYOUTS[bookID] ?? -1));
  }
  return rows.length;
}

/** Returns all server seeds, and every value of every table as one text. */
export async function readEveryText(db: Database): Promise<{ texts: string; seeds: Buffer[] }> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await db.$queryRawUnsafe<{ text: string }[]>(`SELECT t::text AS text FROM ${name} t`);
    texts.push(...rows.map(({ text }) => text));
  }
  const stored = await db.fairSeed.findMany();
  const seeds = stored.map((each) => openServerSeed(db.secretKeys, each.sealedServerSeed, each.accountId));
  return { texts: texts.join('\n'), seeds };
}
