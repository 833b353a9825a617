import { type Outcome, refused } from '../../base/refusal.ts';
import type { Database } from '../database/database.ts';
import {
  bytes,
  column,
  micros,
  optionalNumber,
  type RecordOf,
  type RowOf,
  rowShape,
  safeNumber,
} from '../database/rowShape.ts';
import { Prisma } from '../generated/client.ts';

/** A session reads seeds and proofs of its account as long as it could read its history. */
export async function judgeReader(
  db: Database,
  { sessionRowID }: { sessionRowID: bigint },
): Promise<Outcome<{ accountID: bigint }>> {
  const [row] = await db.$queryRaw<{ account_id: bigint; refusal: string | null }[]>`
    SELECT account_id, refusal
    FROM session_refusals
    WHERE session_id = ${sessionRowID}`;
  if (row === undefined) return refused('session_invalid');
  return row.refusal === null ? { ok: true, accountID: row.account_id } : refused(row.refusal);
}

/** A round of a fair draw has these facts in a proof. The columns are those of ROUND_TABLES. */
const FAIR_ROUND = rowShape({
  nonce: safeNumber('r.fair_nonce'),
  betID: safeNumber('r.id'),
  gameID: column<string>('g.code'),
  gameVersion: column<string>('v.version'),
  /** It is in upper case. */
  mode: column<string>('r.mode'),
  amount: micros('r.amount_micros'),
  payout: micros('r.payout_micros'),
  bookID: safeNumber('r.book_id'),
  /** Hundredths. */
  payoutMultiplier: column<bigint>('r.payout_multiplier'),
  isVoid: column<boolean>(`r.wallet_state IS NOT DISTINCT FROM 'void'`),
});
export type FairRoundRecord = RecordOf<typeof FAIR_ROUND>;
type RoundRow = RowOf<typeof FAIR_ROUND>;

const FAIR_SEED = rowShape({
  seedID: column<bigint>('s.id'),
  accountID: column<bigint>('s.account_id'),
  serverSeedSha256: bytes('s.server_seed_sha256'),
  sealedServerSeed: column<string>('s.sealed_server_seed'),
  /** It is undefined while the seed is not revealed. */
  nonces: optionalNumber('s.nonces'),
});
export type FairSeedRecord = RecordOf<typeof FAIR_SEED>;
type SeedRow = RowOf<typeof FAIR_SEED>;

const CLIENT_SEED = rowShape({
  from: safeNumber('from_nonce'),
  clientSeed: column<string>('client_seed'),
});
export type ClientSeedRecord = RecordOf<typeof CLIENT_SEED>;
type ClientSeedRow = RowOf<typeof CLIENT_SEED>;

/** `isOpen` means that the player has not ended the round; it has no proof yet. */
export type FoundFairRound = FairRoundRecord & { isOpen: boolean; seed: FairSeedRecord };

const ROUND_COLUMNS = Prisma.raw(FAIR_ROUND.columns);
const ROUND_TABLES = Prisma.sql`JOIN game_versions v ON v.id = r.game_version_id JOIN games g ON g.id = v.game_id`;
const SEED_COLUMNS = Prisma.raw(FAIR_SEED.columns);
const CLIENT_SEED_COLUMNS = Prisma.raw(CLIENT_SEED.columns);

/**
 * Finds a round of the account, with its server seed: `certified` for a round of the certified
 * generator, undefined when the account has no such round, or its bet has no result yet.
 */
export async function findFairRound(
  db: Database,
  { accountID, betID }: { accountID: bigint; betID: number },
): Promise<FoundFairRound | 'certified' | undefined> {
  const [row] = await db.$queryRaw<(RoundRow & SeedRow & { isOpen: boolean })[]>`
    SELECT ${ROUND_COLUMNS}, r.ended_at IS NULL AS "isOpen", ${SEED_COLUMNS}
    FROM all_rounds r ${ROUND_TABLES} LEFT JOIN fair_seeds s ON s.id = r.fair_seed_id
    WHERE r.id = ${betID} AND r.account_id = ${accountID} AND r.wallet_state IS DISTINCT FROM 'debit_pending'`;
  if (row === undefined) return undefined;
  // The join has found no seed. The columns of the account would also be null then.
  if (row.seedID === null) return 'certified';
  return { ...FAIR_ROUND.read(row), isOpen: row.isOpen, seed: FAIR_SEED.read(row) };
}

/** Finds a server seed of the account by its hash. */
export async function findFairSeed(
  db: Database,
  { accountID, sha256 }: { accountID: bigint; sha256: Buffer },
): Promise<FairSeedRecord | undefined> {
  const [row] = await db.$queryRaw<SeedRow[]>`
    SELECT ${SEED_COLUMNS} FROM fair_seeds s WHERE s.server_seed_sha256 = ${sha256} AND s.account_id = ${accountID}`;
  return row && FAIR_SEED.read(row);
}

/** Returns the client seed that holds at this nonce, with the first nonce of it. */
export async function clientSeedAt(
  db: Database,
  { seedID, nonce }: { seedID: bigint; nonce: number },
): Promise<ClientSeedRecord> {
  const [row] = await db.$queryRaw<ClientSeedRow[]>`
    SELECT ${CLIENT_SEED_COLUMNS} FROM fair_client_seeds WHERE seed_id = ${seedID} AND from_nonce <= ${nonce}
    ORDER BY from_nonce DESC LIMIT 1`;
  if (row === undefined) throw new Error(`server seed ${seedID} has no client seed at nonce ${nonce}`);
  return CLIENT_SEED.read(row);
}

/**
 * The number of rows that one statement reads, so that it holds its connection for milliseconds.
 */
const ROWS_A_PAGE = 500;

/** Reads all client seeds of a server seed, ascending, page by page. */
export async function* clientSeedsOf(
  db: Database,
  { seedID }: { seedID: bigint },
  most = ROWS_A_PAGE,
): AsyncGenerator<ClientSeedRecord[]> {
  for (let after = -1; ; ) {
    const rows = await db.$queryRaw<ClientSeedRow[]>`
      SELECT ${CLIENT_SEED_COLUMNS} FROM fair_client_seeds WHERE seed_id = ${seedID} AND from_nonce > ${after}
      ORDER BY from_nonce LIMIT ${most}`;
    if (rows.length > 0) yield rows.map(CLIENT_SEED.read);
    if (rows.length < most) return;
    after = Number(rows.at(-1)?.from);
  }
}

/**
 * Reads all rounds under a revealed server seed in the order of their nonces, page by page, those
 * of the archive as well. A round that is archived between two pages is read once. Nonces have no
 * gaps, so a page is a range of them: whatever the planner knows of the table, it reads no more
 * rows.
 */
export async function* roundsOfSeed(
  db: Database,
  { seedID, nonces = 0 }: Pick<FairSeedRecord, 'seedID' | 'nonces'>,
  most = ROWS_A_PAGE,
): AsyncGenerator<FairRoundRecord[]> {
  for (let first = 0; first < nonces; first += most) {
    const rows = await db.$queryRaw<RoundRow[]>`
      SELECT ${ROUND_COLUMNS}
      FROM all_rounds r ${ROUND_TABLES}
      WHERE r.fair_seed_id = ${seedID} AND r.fair_nonce >= ${first} AND r.fair_nonce < ${first + most}
      ORDER BY r.fair_nonce`;
    yield rows.map(FAIR_ROUND.read);
  }
}
