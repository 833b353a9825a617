import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '../dist/ledger/database.js';

/** Linux counts a process's time in ticks of this length, whatever the kernel's own clock does. */
const TICK_SECONDS = 0.01;

export type CpuClock = () => Promise<number | undefined>;

type Times = { parent: number; ownTicks: number; endedChildrenTicks: number };

/** Seconds of processor time that a process has used so far; undefined where there is no /proc. */
export function processClock(pid: number): CpuClock {
  return async () => {
    const times = await timesOf(pid);
    return times && times.ownTicks * TICK_SECONDS;
  };
}

/** The same for PostgreSQL: its main process and every one that it has started, those that have ended included. */
export async function postgresClock(db: Database): Promise<CpuClock> {
  const [backend] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const main = backend && (await timesOf(backend.pid))?.parent;
  if (main === undefined) return async () => undefined;
  return async () => {
    const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
    const all = await Promise.all(pids.map(async (pid) => ({ pid, times: await timesOf(pid) })));
    let ticks = 0;
    for (const { pid, times } of all) {
      if (pid === main) ticks += (times?.ownTicks ?? 0) + (times?.endedChildrenTicks ?? 0);
      else if (times?.parent === main) ticks += times.ownTicks;
    }
    return ticks * TICK_SECONDS;
  };
}

async function timesOf(pid: number): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // After the name, which may hold spaces and parentheses: state, ppid, … utime, stime, cutime, cstime (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksAt = (index: number) => Number(fields[index]);
  return {
    parent: ticksAt(1),
    ownTicks: ticksAt(11) + ticksAt(12),
    endedChildrenTicks: ticksAt(13) + ticksAt(14),
  };
}
