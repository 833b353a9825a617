import { cellOfNumber, idOf, idRangeOf } from '@roundhouse/fleet';
import { StartError } from '@roundhouse/service';
import { findCell, findIdSequences } from '../cells/cell.ts';
import { requireOwnIds } from '../cells/settleCell.ts';
import { findFairSetting, newestServerSeed, openServerSeed } from '../rounds/fairSeeds.ts';
import type { Database } from './database.ts';
import { findReplication, type Replication } from './databaseHome.ts';
import { pendingMigrations } from './migrate.ts';

/**
 * Uses the driver itself: its errors say whether the address, the password or the name is wrong;
 * see explain.ts.
 */
export async function requireMigrated(url: string): Promise<void> {
  const [first, ...more] = await pendingMigrations(url);
  if (first === undefined) return;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  throw new StartError(`The database lacks ${first}${others}. Run \`roundhouse migrate\` first.`);
}

/**
 * A cell whose sequences are outside its range would give ids that belong to another cell. A
 * database that is not a cell may give all ids.
 * @throws StartError when they are outside, CellError when rows have ids that the cell cannot have
 */
export async function requireCellIds(db: Pick<Database, 'pool'>): Promise<void> {
  const stored = await findCell(db.pool);
  if (stored === undefined) return;
  const { numbers, fleet } = stored;
  const cell = cellOfNumber(fleet, idOf(stored));
  if (cell === undefined) throw new StartError(`The stored fleet has no cell with number ${idOf(stored)}.`);
  const number = numbers.at(-1) as number;
  const { first, last } = idRangeOf(number);
  for (const { table, min, max, next } of await findIdSequences(db.pool)) {
    if (min === first && max === last && next >= first) continue;
    throw new StartError(
      `New ids of ${table} are not those of cell ${cell.name} with number ${number}: its next one is ${next}. Run \`roundhouse migrate --fleet\` first.`,
    );
  }
  await requireOwnIds(db.pool, { stored, fleet, cell });
}

/** When a primary is lost, so is a commit of it alone, although a player has seen its result. */
export async function requireSynchronousStandby(db: Database): Promise<void> {
  const why = whyNotSynchronous(await findReplication(db));
  if (why !== undefined) throw new StartError(`--require-sync: ${why}`);
}

/**
 * Without the key no play with fair draws could be drawn.
 * @throws SecretKeyError when the key of the newest server seed is not here.
 */
export async function requireSeedKey(db: Database, secretsKey: string | undefined): Promise<void> {
  const newest = await newestServerSeed(db);
  if (newest !== undefined) openServerSeed(db.secretKeys, newest.sealedServerSeed, newest.accountID);
  if (secretsKey) return;
  const fair = await findFairSetting(db);
  if (fair === undefined) return;
  throw new StartError(
    `The draws of ${fair} are provably fair, and there is no key to encrypt server seeds with: set ROUNDHOUSE_SECRETS_KEY, for example to what \`openssl rand -hex 32\` prints.`,
  );
}

/** Returns undefined when a standby confirms each commit. */
export function whyNotSynchronous({ names, commit, maySee, standbys }: Replication): string | undefined {
  if (names === '') return 'the database has no synchronous standby, set synchronous_standby_names.';
  if (commit === 'off' || commit === 'local') return `synchronous_commit is ${commit}, it must be on.`;
  if (!maySee) return 'the role may not see the standbys, grant it pg_read_all_stats.';
  if (standbys === 0) return `no standby of synchronous_standby_names (${names}) is connected.`;
  return undefined;
}
