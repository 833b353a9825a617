import type { CleanUp } from '@roundhouse/service';
import { startChild } from '../child.ts';
import { treeClock } from '../cpu.ts';
import type { NaiveJob } from '../processes/naive.ts';
import type { GameServer } from './roundhouse.ts';

/** Its best: 10 and 32 measured the same, 64 a third less. */
const DATABASE_CONNECTIONS = 10;

export async function startNaive(cleanUp: CleanUp, databaseUrl: string): Promise<GameServer> {
  // Prisma's own way of reading relations inside a transaction makes pg warn.
  const naive = startChild<NaiveJob, { url: string }>({ name: 'naive', execArgv: ['--no-deprecation'] });
  cleanUp.add(naive.stop);
  const { url } = await naive.run({ databaseUrl, connections: DATABASE_CONNECTIONS });
  return { url, clock: treeClock(naive.pid) };
}
