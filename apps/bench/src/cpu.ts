import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Database } from '../../server/dist/store/database/database.js';

const run = promisify(execFile);

/** A page of memory has this size on Linux. */
const PAGE_BYTES = 4096;
/** Linux counts a process's time in ticks of this length, whatever the kernel's own clock does. */
const TICK_SECONDS = 0.01;

/** Returns the seconds of processor time used so far; undefined where there is no /proc. */
export type CpuClock = () => Promise<number | undefined>;

/** Stands in for what the bench cannot measure. */
export const noClock: CpuClock = async () => undefined;

/** `others` are pipes, event queues and timers. */
export type Handles = { sockets: number; files: number; others: number };

/** `ticks` counts the process and those of its children that have ended. */
type Times = { pid: number; parent: number; ticks: number; residentBytes: number };

/** Reads the time of a process with all its descendants, also those that have ended. */
export function treeClock(root: number): CpuClock {
  return async () => {
    const tree = await treeOf(root);
    return tree.length === 0 ? undefined : tree.reduce((sum, { ticks }) => sum + ticks, 0) * TICK_SECONDS;
  };
}

/** Adds what several clocks show. */
export function sumOfClocks(...clocks: readonly CpuClock[]): CpuClock {
  return async () => {
    const seconds = await Promise.all(clocks.map((read) => read()));
    return seconds.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0);
  };
}

/** Takes the time of a process, which is in the tree of the other clock, away from it. */
export function clockWithout(clock: CpuClock, part: CpuClock): CpuClock {
  return sumOfClocks(clock, async () => {
    const seconds = await part();
    return seconds && -seconds;
  });
}

/** Returns the process of a tree that runs this program; undefined where there is no /proc. */
export async function findInTree(root: number, program: string): Promise<number | undefined> {
  for (const { pid } of await treeOf(root)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.split('\0').some((word) => word.endsWith(program))) return pid;
  }
  return undefined;
}

/** Returns the memory of a process tree that is not on a disk; 0 where there is no /proc. */
export async function treeResidentBytes(root: number): Promise<number> {
  return (await treeOf(root)).reduce((sum, { residentBytes }) => sum + residentBytes, 0);
}

/** Counts open descriptors of a process and all its descendants, by kind. */
export async function treeHandles(root: number): Promise<Handles> {
  const handles: Handles = { sockets: 0, files: 0, others: 0 };
  for (const { pid } of await treeOf(root)) {
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
      handles[target.startsWith('socket:') ? 'sockets' : target.startsWith('/') ? 'files' : 'others'] += 1;
    }
  }
  return handles;
}

async function treeOf(root: number): Promise<Times[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter(Number.isInteger);
  const all = new Map<number, Times>();
  await Promise.all(
    pids.map(async (pid) => {
      const times = await timesOf(pid);
      if (times !== undefined) all.set(pid, times);
    }),
  );
  const isInTree = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined; at = all.get(at)?.parent) if (at === root) return true;
    return false;
  };
  return all.has(root) ? [...all].flatMap(([pid, times]) => (isInTree(pid) ? [times] : [])) : [];
}

/** Returns the main process of PostgreSQL; undefined where there is no /proc. */
export async function postgresPid(db: Database): Promise<number | undefined> {
  const [backend] = await db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return backend && (await timesOf(backend.pid))?.parent;
}

/** Reads the time of PostgreSQL: its main process and every one that it has started. */
export async function postgresClock(db: Database): Promise<CpuClock> {
  const main = await postgresPid(db);
  return main === undefined ? noClock : treeClock(main);
}

/**
 * Lets a process tree, with all its threads, run on this one core only. Processes that it starts
 * later inherit that.
 * @throws where there is no taskset
 */
export async function pinTree(root: number, core: number): Promise<void> {
  for (const { pid } of await treeOf(root)) {
    const pinned = run('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)]);
    // Processes of PostgreSQL come and go.
    await pinned.catch((error: Error & { stderr?: string }) => {
      if (!/No such process/.test(error.stderr ?? '')) throw error;
    });
  }
}

/** Reads how long a core has been busy with anything, whoever wanted it. */
export function coreClock(core: number): CpuClock {
  return async () => {
    const stat = await readFile('/proc/stat', 'utf8').catch(() => '');
    const line = stat.split('\n').find((each) => each.startsWith(`cpu${core} `));
    // These follow the name: user, nice, system, idle, iowait, … (proc_stat(5)).
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
      line?.split(/\s+/).slice(1).map(Number) ?? [];
    return line === undefined ? undefined : (user + nice + system + irq + softirq + steal) * TICK_SECONDS;
  };
}

async function timesOf(pid: number): Promise<Times | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // These follow the name, which may hold spaces and parentheses: state, ppid, … utime, stime,
  // cutime, cstime, … rss (proc_pid_stat(5)).
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
  const residentBytes = (fields[21] ?? 0) * PAGE_BYTES;
  return { pid, parent: Number(fields[1]), ticks: utime + stime + cutime + cstime, residentBytes };
}
