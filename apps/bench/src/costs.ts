import type { Database } from '../../server/dist/store/database/database.js';
import type { CpuClock } from './cpu.ts';
import { playersOfOwn } from './dialects.ts';
import { type Medians, measureInTurn, type Probe } from './measureInTurn.ts';
import { atOnceOf, type Bench, probeOf } from './probes.ts';
import { untilSettled } from './stage.ts';

type CostFacts = { wallet: 'house' | 'operator'; workload: 'play' | 'round'; connections: number };
export type CostCell = CostFacts & Medians;

/** Few players make small batches, and many make large ones. */
const CONNECTIONS = [16, 256];
const WORKLOADS = ['play', 'round'] as const;

/**
 * Measures all that a play and a round cost, for a plan of many machines: processor time of each
 * process and bytes of PostgreSQL, until every wallet transaction that they leave is settled.
 */
export async function measureCosts(bench: Bench): Promise<CostCell[]> {
  const { stage, roundhouse } = bench;
  const numbers = atOnceOf(bench, CONNECTIONS);
  const own = await playersOfOwn(bench, { code: 'costs', most: Math.max(...numbers) });
  const players: { wallet: CostFacts['wallet']; sessions: readonly string[]; walletClock?: CpuClock }[] = [
    { wallet: 'house', sessions: stage.sessions },
    { wallet: 'operator', sessions: own.sessions, walletClock: own.walletClock },
  ];
  const probes = numbers.flatMap((connections) =>
    WORKLOADS.flatMap((workload) =>
      players.map(({ wallet, sessions, walletClock }): Probe<CostFacts> => {
        const job = { server: roundhouse, sessions, workload, connections } as const;
        const probe = probeOf(bench, { ...job, name: `${wallet} wallet` });
        return {
          ...probe,
          load: (seconds) => withBytes(stage.db, () => probe.load(seconds)),
          walletClock,
          facts: { wallet, workload, connections },
        };
      }),
    ),
  );
  return measureInTurn(probes, bench);
}

/** Waits for what the load leaves to do, so that the clocks and the bytes count all of it. */
async function withBytes<Result extends { units: number }>(
  db: Database,
  load: () => Promise<Result>,
): Promise<Result & { walBytes: number; tableBytes: number }> {
  const before = await bytesOf(db);
  const result = await load();
  await untilSettled(db);
  const after = await bytesOf(db);
  const each = (from: bigint, to: bigint) => Number(to - from) / Math.max(1, result.units);
  return { ...result, walBytes: each(before.wal, after.wal), tableBytes: each(before.tables, after.tables) };
}

type Bytes = { wal: bigint; tables: bigint };

async function bytesOf(db: Database): Promise<Bytes> {
  const [bytes] = await db.$queryRaw<Bytes[]>`
    SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint AS wal,
      (SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS tables`;
  if (bytes === undefined) throw new Error('PostgreSQL does not say how large its tables are');
  return bytes;
}
