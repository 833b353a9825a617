import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '../dist/ledger/database.js';

/** Linux counts a process's time in ticks of this length, whatever the kernel's own clock does. */
const TICK_SECONDS = 0.01;

/** Seconds of processor time used so far; undefined where there is no /proc. */
export type CpuClock = () => Promise<number | undefined>;

type Times = { parent: number; ownTicks: number; endedChildrenTicks: number };

/**
 * A process with all that it has started, and what they have started; those that have ended
 * included.
 */
export function treeClock(root: number): CpuClock {
  return async () => {
    const all = await timesOfAll();
    if (!all.has(root)) return undefined;
    let ticks = 0;
    for (const [pid, times] of all) {
      if (isBelow(root, pid, all)) ticks += times.ownTicks + times.endedChildrenTicks;
    }
    return ticks * TICK_SECONDS;
  };
}

/** The programs that this process has run and that have ended. */
export async function endedProgramsClock(): Promise<number | undefined> {
  const times = await timesOf(process.pid);
  return times && times.endedChildrenTicks * TICK_SECONDS;
}

/** PostgreSQL: its main process and every one that it has started. */
export async function postgresClock(db: Database): Promise<CpuClock> {
  const [backend] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const main = backend && (await timesOf(backend.pid))?.parent;
  return main === undefined ? async () => undefined : treeClock(main);
}

function isBelow(root: number, pid: number, all: ReadonlyMap<number, Times>): boolean {
  for (let at: number | undefined = pid; at !== undefined; at = all.get(at)?.parent) if (at === root) return true;
  return false;
}

async function timesOfAll(): Promise<Map<number, Times>> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  const all = await Promise.all(pids.map(async (pid) => [pid, await timesOf(pid)] as const));
  return new Map(all.filter((entry): entry is [number, Times] => entry[1] !== undefined));
}

async function timesOf(pid: number): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // After the name, which may hold spaces and parentheses: state, ppid, … utime, stime, cutime,
  // cstime (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksAt = (index: number) => Number(fields[index]);
  return {
    parent: ticksAt(1),
    ownTicks: ticksAt(11) + ticksAt(12),
    endedChildrenTicks: ticksAt(13) + ticksAt(14),
  };
}
