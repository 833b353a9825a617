import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { Database } from './database.ts';
import { catchUp, findHome, findRoundIDs } from './databaseHome.ts';

/**
 * The number of round ids that a restore leaves out: a week of 1,600 rounds a second, and a
 * nine-millionth of all ids (decision 008).
 */
export const SKIPPED_ROUND_IDS = 1_000_000_000n;

const LOOK_MS = 1_000;

/**
 * The mark is the last round id that a node has seen of a database. It is kept beside the database,
 * because it must outlive a restore.
 */
type RoundMark = { lineage: string; roundID: string };

/**
 * Throws a StartError on a database whose next round ids operators may know. `markFile` is this
 * node's.
 */
export async function requireOwnHome(db: Database, markFile: string): Promise<void> {
  const { isRestored, lineage } = await findHome(db);
  if (isRestored) {
    throw new StartError(
      'The database was restored or copied: operators may know the ids of its next rounds already. Run `roundhouse after-restore` first.',
    );
  }
  const seen = await readMark(markFile, lineage);
  const { last } = await findRoundIDs(db);
  if (seen > last) {
    throw new StartError(
      `The database has gone back: this node has seen round ${seen}, it knows none after ${last}. Run \`roundhouse after-restore\` first.`,
    );
  }
}

/**
 * Writes the mark once a second. When the database goes back meanwhile, as after a failover to a
 * standby without the latest commits, the ids go on above those that were seen, because no id may
 * come twice.
 */
export function keepRoundMark({ db, file, log }: { db: Database; file: string; log: Logger }): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  let known: { lineage: string; seen: bigint } | undefined;
  let fails = false;

  async function look(): Promise<void> {
    known ??= await readKnown(db, file);
    const { kept, last } = await findRoundIDs(db);
    if (last < known.seen) {
      const { seen } = known;
      await catchUp(db, { seen, skip: SKIPPED_ROUND_IDS });
      log.error({ seen: `${seen}`, found: `${last}` }, 'the database has gone back: rounds are missing in it');
    } else if (kept > known.seen) {
      // This is not the last id that was given: after a crash the database may give that one again
      // (decision 008).
      await writeMark(file, { lineage: known.lineage, roundID: `${kept}` });
      known.seen = kept;
    }
    fails = false;
  }
  async function tryToLook(): Promise<void> {
    await look().catch((error: Error) => {
      if (!fails) log.warn({ error: error.message }, 'the last round id could not be noted');
      fails = true;
    });
  }
  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tryToLook();
      await wait(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
    await tryToLook();
  }

  const kept = keep();
  return {
    async stop() {
      stopping.abort();
      await kept;
    },
  };
}

async function readKnown(db: Database, file: string) {
  const { lineage } = await findHome(db);
  return { lineage, seen: await readMark(file, lineage) };
}

/** Returns 0 when nothing was seen of this database. */
async function readMark(file: string, lineage: string): Promise<bigint> {
  try {
    const mark = JSON.parse(await readFile(file, 'utf8')) as RoundMark;
    return mark.lineage === lineage ? BigInt(mark.roundID) : 0n;
  } catch {
    return 0n;
  }
}

/** Writes the mark whole or not at all. Nodes on one machine may share the folder. */
async function writeMark(file: string, mark: RoundMark): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(mark)}\n`);
  await rename(unfinished, file);
}
