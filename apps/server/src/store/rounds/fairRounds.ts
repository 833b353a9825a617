import { type Micros, toMicros } from '@roundhouse/contract';
import { type Outcome, refused } from '../../base/refusal.ts';
import type { Database } from '../database/database.ts';
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

/** A round of a fair draw has these facts in a proof. Amounts are micros. */
export type FairRoundRecord = {
  nonce: number;
  betID: number;
  gameID: string;
  gameVersion: string;
  /** It is in upper case. */
  mode: string;
  amount: Micros;
  payout: Micros;
  bookID: number;
  /** Hundredths. */
  payoutMultiplier: bigint;
  isVoid: boolean;
};

/** `isOpen` means that the player has not ended the round; it has no proof yet. */
export type FoundFairRound = FairRoundRecord & { isOpen: boolean; seed: FairSeedRecord };

export type FairSeedRecord = {
  seedID: bigint;
  accountID: bigint;
  serverSeedSha256: Buffer;
  sealedServerSeed: string;
  /** It is undefined while the seed is not revealed. */
  nonces: number | undefined;
};

type RoundRow = {
  id: bigint;
  fair_nonce: bigint;
  game: string;
  version: string;
  mode: string;
  amount_micros: bigint;
  payout_micros: bigint;
  book_id: bigint;
  payout_multiplier: bigint;
  is_void: boolean;
};
type SeedRow = {
  seed_id: bigint;
  account_id: bigint;
  server_seed_sha256: Uint8Array;
  sealed_server_seed: string;
  nonces: bigint | null;
};

const ROUND_COLUMNS = Prisma.sql`r.id, r.fair_nonce, g.code AS game, v.version, r.mode,
  r.amount_micros, r.payout_micros, r.book_id, r.payout_multiplier,
  r.wallet_state IS NOT DISTINCT FROM 'void' AS is_void`;
const ROUND_TABLES = Prisma.sql`
  JOIN game_versions v ON v.id = r.game_version_id
  JOIN games g ON g.id = v.game_id`;
const SEED_COLUMNS = Prisma.sql`s.id AS seed_id, s.account_id, s.server_seed_sha256, s.sealed_server_seed, s.nonces`;

/**
 * Finds a round of the account, with its server seed: `certified` for a round of the certified
 * generator, undefined when the account has no such round, or its bet has no result yet.
 */
export async function findFairRound(
  db: Database,
  { accountID, betID }: { accountID: bigint; betID: number },
): Promise<FoundFairRound | 'certified' | undefined> {
  const [row] = await db.$queryRaw<(RoundRow & Partial<SeedRow> & { is_open: boolean })[]>`
    SELECT ${ROUND_COLUMNS}, r.closed_at IS NULL AS is_open, ${SEED_COLUMNS}
    FROM all_rounds r ${ROUND_TABLES}
    LEFT JOIN fair_seeds s ON s.id = r.fair_seed_id
    WHERE r.id = ${betID} AND r.account_id = ${accountID} AND r.wallet_state IS DISTINCT FROM 'debit_pending'`;
  if (row === undefined) return undefined;
  // The join has found no seed: the columns of the account's own would be null, too.
  if (row.seed_id === undefined || row.seed_id === null) return 'certified';
  return { ...roundOf(row), isOpen: row.is_open, seed: seedOf(row as SeedRow) };
}

/** Finds a server seed of the account by its hash. */
export async function findFairSeed(
  db: Database,
  { accountID, sha256 }: { accountID: bigint; sha256: Buffer },
): Promise<FairSeedRecord | undefined> {
  const [row] = await db.$queryRaw<SeedRow[]>`
    SELECT ${SEED_COLUMNS}
    FROM fair_seeds s
    WHERE s.server_seed_sha256 = ${sha256} AND s.account_id = ${accountID}`;
  return row && seedOf(row);
}

/** Returns the client seed that holds at this nonce, with the first nonce of it. */
export async function clientSeedAt(
  db: Database,
  { seedID, nonce }: { seedID: bigint; nonce: number },
): Promise<ClientSeedRecord> {
  const [row] = await db.$queryRaw<ClientSeedRow[]>`
    SELECT from_nonce, client_seed
    FROM fair_client_seeds
    WHERE seed_id = ${seedID} AND from_nonce <= ${nonce}
    ORDER BY from_nonce DESC LIMIT 1`;
  if (row === undefined) throw new Error(`server seed ${seedID} has no client seed at nonce ${nonce}`);
  return clientSeedOf(row);
}

export type ClientSeedRecord = { from: number; clientSeed: string };
type ClientSeedRow = { from_nonce: bigint; client_seed: string };

/** One statement reads so many rows, so that it holds its connection for milliseconds. */
const ROWS_A_PAGE = 500;

/** Reads all client seeds of a server seed, ascending, page by page. */
export async function* clientSeedsOf(
  db: Database,
  { seedID }: { seedID: bigint },
  most = ROWS_A_PAGE,
): AsyncGenerator<ClientSeedRecord[]> {
  for (let after = -1; ; ) {
    const rows = await db.$queryRaw<ClientSeedRow[]>`
      SELECT from_nonce, client_seed
      FROM fair_client_seeds
      WHERE seed_id = ${seedID} AND from_nonce > ${after}
      ORDER BY from_nonce LIMIT ${most}`;
    if (rows.length > 0) yield rows.map(clientSeedOf);
    if (rows.length < most) return;
    after = Number(rows.at(-1)?.from_nonce);
  }
}

/**
 * Reads all rounds under a revealed server seed in the order of their nonces, page by page, those of
 * the archive as well. A round that is archived between two pages is read once. Nonces have no gaps,
 * so a page is a range of them: whatever the planner knows of the table, it reads no more rows.
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
    yield rows.map(roundOf);
  }
}

function roundOf(row: RoundRow): FairRoundRecord {
  return {
    nonce: Number(row.fair_nonce),
    betID: Number(row.id),
    gameID: row.game,
    gameVersion: row.version,
    mode: row.mode,
    amount: toMicros(row.amount_micros),
    payout: toMicros(row.payout_micros),
    bookID: Number(row.book_id),
    payoutMultiplier: row.payout_multiplier,
    isVoid: row.is_void,
  };
}

function seedOf(row: SeedRow): FairSeedRecord {
  return {
    seedID: row.seed_id,
    accountID: row.account_id,
    serverSeedSha256: Buffer.from(row.server_seed_sha256),
    sealedServerSeed: row.sealed_server_seed,
    nonces: row.nonces === null ? undefined : Number(row.nonces),
  };
}

function clientSeedOf({ from_nonce, client_seed }: ClientSeedRow): ClientSeedRecord {
  return { from: Number(from_nonce), clientSeed: client_seed };
}
