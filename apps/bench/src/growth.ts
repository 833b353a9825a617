import { booksBalance } from '../../server/dist/store/books/booksBalance.js';
import { sessionOf, type Workload } from './benchGame.ts';
import type { Filling } from './fillDatabase.ts';
import { type Medians, measureInTurn, type Probe } from './measureInTurn.ts';
import { type Bench, probeOf } from './probes.ts';
import { startRoundhouse } from './servers.ts';
import { openSibling, type StagedDatabase, stageDatabase } from './stage.ts';

/** `pastRounds` are completed, each with its bet, and one in four with a payout. */
type GrowthFacts = { workload: Workload; players: number; pastRounds: number; connections: number };
export type GrowthCell = GrowthFacts & Medians;

/** The proof takes long in a large database. The same statements fill all of them. */
const MOST_PROVEN_ROUNDS = 1_000_000;
/** The playing ones are spread over all players: of many players few play at a moment. */
const PLAYING = 1_000;
/** Large databases read their pages in, and write each once after the checkpoint, meanwhile. */
const WARM_UP_SAMPLES = 3;

/**
 * Measures the same plays and rounds in databases of every size, side by side in one PostgreSQL
 * with a server on each.
 */
export async function measureGrowth(bench: Bench, connections: number): Promise<GrowthCell[]> {
  const { stage, cleanUp, options, say } = bench;
  const { growthPlayers, growthRounds } = options.sizes;
  const proven: StagedDatabase[] = [];
  const probes: Probe<GrowthFacts>[] = [];
  for (const pastRounds of growthRounds) {
    for (const players of growthPlayers) {
      const name = `growth_${players}_${pastRounds}`;
      const database = await stageSibling(bench, name, { players, pastRounds });
      if (pastRounds <= MOST_PROVEN_ROUNDS) proven.push(database);
      say(`filled a database with ${players} players and ${pastRounds} past rounds`);
      const server = await startRoundhouse(cleanUp, { databaseUrl: database.url, folders: stage.folders, ...options });
      const playing = Math.min(PLAYING, players);
      const sessions = Array.from({ length: playing }, (_, index) =>
        sessionOf(1 + Math.floor((index * players) / playing)),
      );
      for (const workload of options.workloads.filter((each) => each === 'play' || each === 'round')) {
        const probe = probeOf(bench, { server, sessions, workload, connections, name });
        probes.push({ ...probe, facts: { workload, players, pastRounds, connections } });
      }
    }
  }
  // The checkpoint puts what the filling wrote on the disk before anything is measured.
  await stage.db.$executeRaw`CHECKPOINT`;
  const cells = await measureInTurn(probes, { ...bench, warmUpSeconds: WARM_UP_SAMPLES * bench.seconds });
  for (const database of proven) await prove(database);
  return cells;
}

/** Creates another database in the same PostgreSQL, in which the bench's game is published. */
export async function stageSibling(
  { stage, cleanUp, signal }: Bench,
  name: string,
  filling: Filling,
): Promise<StagedDatabase> {
  const url = await openSibling(stage, name);
  const interrupt = () => void interruptFilling(stage, name);
  // A stop does not wait for the statement that fills a database.
  signal.addEventListener('abort', interrupt);
  return stageDatabase(cleanUp, { url, folders: stage.folders, ...filling });
}

async function interruptFilling({ db }: StagedDatabase, name: string): Promise<void> {
  await db.$executeRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`.catch(() => {});
}

/** @throws Error when the books of a filled database do not balance after the plays. */
export async function prove({ db }: StagedDatabase): Promise<void> {
  // Statistics from before the plays would plan the proof for accounts without wagers today.
  await db.$executeRaw`ANALYZE accounts`;
  const { imbalances } = await booksBalance(db);
  if (imbalances.length > 0) throw new Error(`a filled database does not balance: ${JSON.stringify(imbalances)}`);
}
