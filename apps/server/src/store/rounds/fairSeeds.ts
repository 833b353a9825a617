import { ROW_TYPES, retryConflicts } from '@roundhouse/service';
import type { Database } from '../database/database.ts';
import { column, optional, type RecordOf, type RowOf, rowShape } from '../database/rowShape.ts';
import { type SecretKeys, serverSeedOwner } from '../database/secretKeys.ts';

// The seeds of fair draws belong to an account. A server seed is in the database encrypted only.

/**
 * The next fair draw of an account is made with these. The columns are those of `fair_states f`.
 */
const FAIR_STATE = rowShape({
  seedID: column<bigint>('f.seed_id'),
  accountID: column<bigint>('f.account_id'),
  /** The server seed in use. */
  serverSeedSha256: column<Buffer>('f.server_seed_sha256'),
  sealedServerSeed: column<string>('f.sealed_server_seed'),
  /** After the next rotation it is the hash of the server seed. */
  nextSha256: column<Buffer>('f.next_sha256'),
  /** Both are undefined until the player has set the first client seed. */
  clientSeedID: optional<bigint>('f.client_seed_id'),
  clientSeed: optional<string>('f.client_seed'),
  /** The next play under the server seed has this number. */
  nonce: column<bigint>('f.nonce'),
});
export type FairState = RecordOf<typeof FAIR_STATE>;

export type OfSession = { sessionRowID: bigint };
export type OfPlayer = OfSession & { playerID: bigint };

/** Returns undefined when the account of the session has no seeds yet. */
export async function readFairState(db: Database, { sessionRowID }: OfSession): Promise<FairState | undefined> {
  const text = `SELECT ${FAIR_STATE.columns} FROM sessions s JOIN fair_states f ON f.account_id = s.account_id WHERE s.id = $1`;
  const row = await queryRow<RowOf<typeof FAIR_STATE>>(db, 'fair_state', text, [sessionRowID]);
  return row && FAIR_STATE.read(row);
}

export async function ownerOfSession(
  db: Database,
  { sessionRowID }: OfSession,
): Promise<{ playerID: bigint; accountID: bigint }> {
  const { playerId, accountId } = await db.session.findUniqueOrThrow({
    where: { id: sessionRowID },
    select: { playerId: true, accountId: true },
  });
  return { playerID: playerId, accountID: accountId };
}

/** A server seed as it is stored: its hash, and itself encrypted. */
export type NewServerSeed = { sha256: Buffer; sealed: string };

/** Stores the first two server seeds of the session's account, unless it has seeds. */
export async function insertFairSeeds(
  db: Database,
  { playerID, sessionRowID }: OfPlayer,
  seeds: readonly [NewServerSeed, NewServerSeed],
): Promise<void> {
  const hashes = seeds.map(({ sha256 }) => `\\x${sha256.toString('hex')}`);
  const sealed = seeds.map((seed) => seed.sealed);
  const text = 'SELECT start_fair_seeds($1, $2, $3, $4)';
  await queryRow(db, 'start_fair_seeds', text, [playerID, sessionRowID, hashes, sealed]);
}

/** Returns the outcome of the function change_client_seed. */
export function setClientSeed(db: Database, { playerID, sessionRowID }: OfPlayer, clientSeed: string): Promise<string> {
  const text = 'SELECT change_client_seed($1, $2, $3) AS outcome';
  return outcomeOf(db, 'change_client_seed', text, [playerID, sessionRowID, clientSeed]);
}

/** Returns the outcome of the function rotate_fair_seeds. */
export function putNextSeed(
  db: Database,
  { playerID, sessionRowID, serverSeedSha256, clientSeed }: Rotation,
  next: NewServerSeed,
): Promise<string> {
  const text = 'SELECT rotate_fair_seeds($1, $2, $3, $4, $5, $6) AS outcome';
  const values = [playerID, sessionRowID, serverSeedSha256, clientSeed, next.sha256, next.sealed];
  return outcomeOf(db, 'rotate_fair_seeds', text, values);
}

export type Rotation = OfPlayer & {
  /** The server seed to reveal: the one in use, or one that was revealed before. */
  serverSeedSha256: Buffer;
  /** The client seed under the next server seed, which is committed already. */
  clientSeed: string;
};

/** A server seed that no later round is drawn by. */
export type RevealedServerSeed = {
  /** 64 hexadecimal digits. */
  serverSeed: string;
  serverSeedSha256: Buffer;
  /** The number of plays that took a nonce under it. */
  nonces: bigint;
  revealedAt: Date;
};

/** Returns the server seeds that the session's account has revealed, the newest first. */
export async function revealedSeeds(
  db: Database,
  { sessionRowID, limit }: OfSession & { limit: number },
): Promise<RevealedServerSeed[]> {
  const session = await db.session.findUnique({ where: { id: sessionRowID }, select: { accountId: true } });
  return session === null ? [] : readRevealed(db, { accountID: session.accountId, limit });
}

type Revealed = { accountID: bigint; serverSeedSha256?: Buffer; limit: number };

export async function readRevealed(
  db: Database,
  { accountID, serverSeedSha256, limit }: Revealed,
): Promise<RevealedServerSeed[]> {
  const rows = await db.fairSeed.findMany({
    where: {
      accountId: accountID,
      revealedAt: { not: null },
      ...(serverSeedSha256 && { serverSeedSha256: Uint8Array.from(serverSeedSha256) }),
    },
    orderBy: { seq: 'desc' },
    take: limit,
  });
  return rows.map(({ sealedServerSeed, serverSeedSha256: sha256, nonces, revealedAt }) => {
    if (nonces === null || revealedAt === null) throw new Error('a revealed server seed has no end');
    const serverSeed = openServerSeed(db.secretKeys, sealedServerSeed, accountID).toString('hex');
    return { serverSeed, serverSeedSha256: Buffer.from(sha256), nonces, revealedAt };
  });
}

export const SERVER_SEED_BYTES = 32;

/**
 * Returns the 32 bytes of a stored server seed.
 * @throws SecretKeyError when its key is not here, or when it is of another account.
 */
export function openServerSeed(keys: SecretKeys, sealed: string, accountID: bigint): Buffer {
  const seed = Buffer.from(keys.open(sealed, serverSeedOwner(accountID)), 'hex');
  if (seed.length !== SERVER_SEED_BYTES)
    throw new Error(`a server seed of account ${accountID} has ${seed.length} bytes`);
  return seed;
}

/** The number of seeds that one statement encrypts anew. */
const SEALED_AT_ONCE = 1_000;

/**
 * Encrypts all server seeds with the first key, also the revealed ones. Returns how many were not.
 * @throws SecretKeyError when one cannot be decrypted; those before it are encrypted anew then.
 */
export async function sealServerSeeds(db: Database): Promise<number> {
  const { secretKeys: keys } = db;
  let changed = 0;
  for (let after = 0n; ; ) {
    const seeds = await db.fairSeed.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: SEALED_AT_ONCE,
      select: { id: true, accountId: true, sealedServerSeed: true },
    });
    const last = seeds.at(-1);
    if (last === undefined) return changed;
    after = last.id;
    const older = seeds.filter(({ sealedServerSeed }) => !keys.isCurrent(sealedServerSeed));
    const ids = older.map(({ id }) => id);
    const sealed = older.map(({ accountId, sealedServerSeed: stored }) => {
      const owner = serverSeedOwner(accountId);
      return keys.seal(keys.open(stored, owner), owner);
    });
    if (ids.length > 0)
      await db.$executeRaw`
        UPDATE fair_seeds s
        SET sealed_server_seed = c.sealed
        FROM unnest(${ids}::bigint[], ${sealed}::text[]) AS c (id, sealed)
        WHERE s.id = c.id`;
    changed += ids.length;
  }
}

/** Returns an operator or a game whose sessions have fair draws, when no launch says otherwise. */
export async function findFairSetting(db: Database): Promise<string | undefined> {
  const operator = await db.operator.findFirst({ where: { draws: 'provably_fair' }, select: { code: true } });
  if (operator !== null) return `operator ${operator.code}`;
  const version = await db.gameVersion.findFirst({
    where: { draws: 'provably_fair', OR: [{ withdrawnAt: null }, { withdrawnAt: { gt: new Date() } }] },
    select: { version: true, game: { select: { code: true } } },
  });
  return version === null ? undefined : `version ${version.version} of game ${version.game.code}`;
}

/** Returns the seed that was made last, as an example of those that must be readable. */
export async function newestServerSeed(
  db: Database,
): Promise<{ accountID: bigint; sealedServerSeed: string } | undefined> {
  const seed = await db.fairSeed.findFirst({ orderBy: { id: 'desc' } });
  return seed === null ? undefined : { accountID: seed.accountId, sealedServerSeed: seed.sealedServerSeed };
}

async function outcomeOf(db: Database, name: string, text: string, values: unknown[]): Promise<string> {
  const row = await queryRow<{ outcome: string }>(db, name, text, values);
  if (row === undefined) throw new Error(`${name} returned no row`);
  return row.outcome;
}

/** Each of these statements may run twice, so one whose connection is lost is sent again. */
async function queryRow<Row extends object>(
  { pool }: Database,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row | undefined> {
  const { rows } = await retryConflicts(() => pool.query<Row>({ name, text, values, types: ROW_TYPES }), pool);
  return rows[0];
}
