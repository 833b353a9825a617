import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { openClient } from '@roundhouse/service';
import { expect } from 'vitest';
import { isRunning, temporaryFolder } from '../../support/roundhouse.ts';

/** `kill` ends the machine, with its PostgreSQL, Patroni and etcd. */
export const FAULTS = ['kill', 'switchover'] as const;
export type Fault = (typeof FAULTS)[number];

const run = promisify(execFile);
const NAMES = ['db1', 'db2', 'db3'] as const;
/** Debian puts PostgreSQL there. */
const BINARIES = '/usr/lib/postgresql';
const TTL_SECONDS = 20;

type Machine = { name: string; ip: string; folder: string; pids: number[] };
type Member = { name: string; role: string; state: string; lag?: number };

/**
 * Starts three machines with PostgreSQL, Patroni and etcd, and HAProxy before them. They are the
 * packages of Debian, each machine on its own loopback address, with the usual ports.
 */
export async function startPatroni() {
  const folder = path.join(await temporaryFolder('patroni'), 'cluster');
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const user = process.getuid?.() === 0 ? await userPostgres() : undefined;
  const password = randomBytes(12).toString('hex');
  await mkdir(folder);
  if (user) await chown(folder, user.uid, user.gid);
  const machines: Machine[] = NAMES.map((name, place) => ({
    name,
    ip: `${network}.${place + 1}`,
    folder: path.join(folder, name),
    pids: [],
  }));
  const proxyIP = `${network}.10`;
  const config = ({ folder }: Machine) => path.join(folder, 'patroni.yml');

  /** The program ends with our process; Patroni stops its PostgreSQL then. */
  async function start(command: string, args: readonly string[], logFile: string): Promise<number> {
    const log = await open(logFile, 'a');
    const asUser = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...asUser, command, ...args], {
      cwd: '/',
      env: { PATH: process.env.PATH },
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    });
    await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error))]);
    await log.close();
    return child.pid as number;
  }

  async function startMachine(machine: Machine): Promise<void> {
    const { name, ip, folder } = machine;
    const etcd = await start(
      'etcd',
      [
        ['name', name],
        ['data-dir', path.join(folder, 'etcd')],
        ['listen-client-urls', `http://${ip}:2379`],
        ['advertise-client-urls', `http://${ip}:2379`],
        ['listen-peer-urls', `http://${ip}:2380`],
        ['initial-advertise-peer-urls', `http://${ip}:2380`],
        ['initial-cluster', machines.map(({ name, ip }) => `${name}=http://${ip}:2380`).join()],
      ].map(([option, value]) => `--${option}=${value}`),
      path.join(folder, 'etcd.log'),
    );
    machine.pids = [etcd, await start('patroni', [config(machine)], path.join(folder, 'patroni.log'))];
  }

  /** Kills all of its processes at once. */
  async function killMachine({ folder, pids }: Machine): Promise<void> {
    const pidFile = await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8').catch(() => '');
    const postmaster = Number(pidFile.split('\n')[0]);
    // Stopped processes start nothing more.
    const parents = postmaster > 0 ? [...pids, postmaster] : pids;
    for (const pid of parents) send(pid, 'SIGSTOP');
    const found = await run('pgrep', ['-P', parents.join()]).catch(() => ({ stdout: '' }));
    for (const pid of [...found.stdout.split('\n').filter(Boolean).map(Number), ...parents]) send(pid, 'SIGKILL');
  }

  /** Returns the members as the first machine to respond sees them. */
  async function members(): Promise<Member[]> {
    const ask = async ({ ip }: Machine) => {
      const response = await fetch(`http://${ip}:8008/cluster`, { signal: AbortSignal.timeout(1_000) });
      return ((await response.json()) as { members: Member[] }).members;
    };
    return Promise.any(machines.map(ask)).catch(() => []);
  }

  /** Waits for a leader, a synchronous standby and another standby; returns the first two. */
  async function whole(): Promise<{ leader: Machine; candidate: Machine }> {
    let found: Member[] = [];
    const state = async () => {
      found = await members();
      const isWell = ({ state, lag = 0 }: Member) => ['running', 'streaming'].includes(state) && lag < 1_000_000;
      return found.map((each) => (isWell(each) ? each.role : `${each.role} not yet`)).sort();
    };
    await expect.poll(state, { timeout: 240_000, interval: 200 }).toEqual(['leader', 'replica', 'sync_standby']);
    const withRole = (role: string) => {
      const name = found.find((member) => member.role === role)?.name;
      return machines.find((machine) => machine.name === name) as Machine;
    };
    return { leader: withRole('leader'), candidate: withRole('sync_standby') };
  }

  const version = (await readdir(BINARIES)).sort((one, other) => Number(one) - Number(other)).at(-1) as string;
  for (const { name, ip, folder } of machines) {
    await mkdir(folder);
    const options = { name, ip, folder, password, binaries: path.join(BINARIES, version, 'bin') };
    const etcd = machines.map(({ ip }) => `${ip}:2379`);
    await writeFile(path.join(folder, 'patroni.yml'), JSON.stringify(patroniConfig({ ...options, etcd }), null, 2));
    if (user) await chown(folder, user.uid, user.gid);
  }
  const proxyFile = path.join(folder, 'haproxy.cfg');
  await writeFile(proxyFile, proxyConfig(proxyIP, machines));
  const proxy = await start('haproxy', ['-db', '-f', proxyFile], path.join(folder, 'haproxy.log'));

  async function close(): Promise<void> {
    send(proxy, 'SIGKILL');
    await Promise.all(machines.map(killMachine));
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await Promise.all(machines.map(startMachine));
    await whole();
    const admin = await openClient(`postgresql://postgres:${password}@${proxyIP}:5432/postgres`);
    await admin.query(`CREATE ROLE roundhouse LOGIN PASSWORD '${password}' IN ROLE pg_read_all_stats`);
    await admin.query('CREATE DATABASE roundhouse OWNER roundhouse');
    await admin.end();
  } catch (error) {
    await close();
    throw error;
  }

  return {
    urls: {
      hosts: `postgresql://roundhouse:${password}@${machines.map(({ ip }) => `${ip}:5432`)}/roundhouse`,
      haproxy: `postgresql://roundhouse:${password}@${proxyIP}:5432/roundhouse`,
    },
    /** Returns when another machine is the leader. */
    async fail(fault: Fault): Promise<void> {
      const { leader, candidate } = await whole();
      if (fault === 'kill') await killMachine(leader);
      else {
        const names = ['--leader', leader.name, '--candidate', candidate.name];
        await run('patronictl', ['-c', config(candidate), 'switchover', 'roundhouse', ...names, '--force']);
      }
      const next = async () => (await members()).find(({ role }) => role === 'leader')?.name ?? leader.name;
      await expect.poll(next, { timeout: 120_000, interval: 50 }).not.toBe(leader.name);
    },
    /** Starts the machine that was killed. Patroni makes a standby of it. */
    async rebuild(): Promise<void> {
      for (const machine of machines) if (!machine.pids.every(isRunning)) await startMachine(machine);
      await whole();
    },
    /** Counts how often Patroni has rebuilt a standby: from what was there, or from nothing. */
    async rebuilt(): Promise<{ rewound: number; copied: number }> {
      const logs = await Promise.all(machines.map(({ folder }) => readFile(path.join(folder, 'patroni.log'), 'utf8')));
      const count = (pattern: RegExp) => logs.join('\n').match(pattern)?.length ?? 0;
      // Two of the first three are copies.
      return { rewound: count(/pg_rewind exit code=0/g), copied: count(/replica has been created/g) - 2 };
    },
    close,
  };
}

function patroniConfig(options: {
  name: string;
  ip: string;
  folder: string;
  password: string;
  binaries: string;
  etcd: string[];
}) {
  const { name, ip, folder, password, binaries, etcd } = options;
  return {
    scope: 'roundhouse',
    name,
    etcd3: { hosts: etcd },
    restapi: { listen: `${ip}:8008`, connect_address: `${ip}:8008` },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: 5,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${ip}:5432`,
      connect_address: `${ip}:5432`,
      data_dir: path.join(folder, 'data'),
      bin_dir: binaries,
      // By default all machines of one user share a file, and each writes its leader into it.
      pgpass: path.join(folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
      },
      pg_hba: ['host all all 127.0.0.0/8 scram-sha-256', 'host replication replicator 127.0.0.0/8 scram-sha-256'],
      parameters: { unix_socket_directories: '' },
    },
  };
}

function proxyConfig(ip: string, machines: readonly Machine[]): string {
  return `defaults
  mode tcp
  timeout connect 1s
  timeout client 24h
  timeout server 24h
  timeout check 1s
listen primary
  bind ${ip}:5432
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${machines.map(({ name, ip }) => `  server ${name} ${ip}:5432 check port 8008\n`).join('')}`;
}

async function userPostgres(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}
