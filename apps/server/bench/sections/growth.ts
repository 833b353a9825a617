import { booksBalance } from '../../dist/ledger/queries/booksBalance.js';
import { startRoundhouse } from '../servers/roundhouse.ts';
import { gather } from '../stage/crowd.ts';
import { type StagedDatabase, stageDatabase } from '../stage/stage.ts';
import { playerOf } from '../workload.ts';
import type { Bench } from './bench.ts';
import { type Figures, measureInTurn, type Probe } from './measureInTurn.ts';

export type GrowthSizes = {
  players: readonly number[];
  /** Closed rounds, each with its bet and one in four with a payout. */
  pastRounds: readonly number[];
  /** Who plays, spread over all players: a large house has many players and, at a moment, few who play. */
  active: number;
};

type GrowthFacts = { players: number; pastRounds: number; active: number; connections: number; proven: boolean };

export type GrowthCell = GrowthFacts & Figures;

const PREFIX = 'growth';
/** The proof reads everything several times over, which takes long where there is much; the same statements have filled all. */
const MOST_PROVEN_ROUNDS = 1_000_000;

/** The same plays in databases of every size, side by side in one PostgreSQL with a server on each, measured in turn. */
export async function measureGrowth(
  bench: Bench,
  { sizes, connections }: { sizes: GrowthSizes; connections: number },
): Promise<GrowthCell[]> {
  // To be stopped in the middle of filling is not to wait for the statement.
  bench.signal.addEventListener('abort', () => void interrupt(bench.stage));
  const databases: { filled: Filled; database: StagedDatabase }[] = [];
  for (const pastRounds of sizes.pastRounds) {
    for (const players of sizes.players) {
      const filled = { players, pastRounds, active: Math.min(sizes.active, players) };
      databases.push({ filled, database: await makeDatabase(bench, filled) });
    }
  }
  // What was written by filling is on the disk before anything is measured.
  await bench.stage.db.$executeRaw`CHECKPOINT`;
  const probes: Probe<Omit<GrowthFacts, 'proven'>>[] = [];
  for (const each of databases) probes.push(await probeOf(bench, { ...each, connections }));
  const cells = await measureInTurn(probes, bench);
  const proven: boolean[] = [];
  for (const { filled, database } of databases) proven.push(await prove(filled, database));
  return cells.map((cell, index) => ({ ...cell, proven: proven[index] ?? false }));
}

async function interrupt({ db }: StagedDatabase): Promise<void> {
  await db.$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE starts_with(datname, ${PREFIX})`.catch(
    () => {},
  );
}

type Filled = { players: number; pastRounds: number; active: number };

async function makeDatabase({ cleanUp, stage, say }: Bench, { players, pastRounds }: Filled): Promise<StagedDatabase> {
  const startedMs = performance.now();
  const name = `${PREFIX}_${players}_${pastRounds}`;
  await stage.db.$executeRawUnsafe(`CREATE DATABASE ${name}`);
  const url = new URL(stage.url);
  url.pathname = `/${name}`;
  const database = await stageDatabase(cleanUp, { url: url.href, folders: stage.folders, players, pastRounds });
  const tookSeconds = Math.round((performance.now() - startedMs) / 1000);
  say(`filled a database with ${players} players and ${pastRounds} past rounds in ${tookSeconds} s`);
  return database;
}

async function probeOf(
  { cleanUp, stage, http, settings }: Bench,
  { filled, database, connections }: { filled: Filled; database: StagedDatabase; connections: number },
): Promise<Probe<Omit<GrowthFacts, 'proven'>>> {
  const server = await startRoundhouse(cleanUp, { databaseUrl: database.url, folders: stage.folders }, settings);
  const { players, pastRounds, active } = filled;
  const apart = players / active;
  const playing = Array.from({ length: active }, (_, index) => playerOf(1 + Math.floor(index * apart)));
  const crowd = await gather(stage.folders.root, `growth-${players}-${pastRounds}`, playing);
  return {
    facts: { ...filled, connections },
    title: `play ${connections} at once, ${players} players, ${pastRounds} past rounds`,
    warmedWith: database.url,
    load: (length) => http.load({ url: server.url, workload: 'play', crowd, connections, seconds: length }),
    clocks: { generator: http.clockFor('play'), server: server.clock },
  };
}

async function prove({ pastRounds }: Filled, { db }: StagedDatabase): Promise<boolean> {
  if (pastRounds > MOST_PROVEN_ROUNDS) return false;
  // Statistics from before the plays say that nobody has wagered today: the proof would be planned for no such account.
  await db.$executeRaw`ANALYZE accounts`;
  const { imbalances } = await booksBalance(db);
  if (imbalances.length > 0)
    throw new Error(`the books of a filled database do not balance: ${JSON.stringify(imbalances)}`);
  return true;
}
