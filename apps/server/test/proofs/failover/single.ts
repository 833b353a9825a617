import { execFile } from 'node:child_process';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startEmbeddedPostgres, startTemporaryStandby } from '@roundhouse/dev-postgres';
import { expect } from 'vitest';
import { isRunning, preparedDataFolder, temporaryFolder } from '../../support/roundhouse.ts';
import { startSilentProxy } from '../../support/silentProxy.ts';
import { queryOf } from './pair.ts';

const run = promisify(execFile);

/** It has room for the database and for what players add, most of it write-ahead log. */
const DISK = '400m';
// The settings are in a file and not in a command line, so that they stay changeable.
const SETTINGS = ["min_wal_size = '32MB'", "max_wal_size = '64MB'", "wal_keep_size = '64MB'"];
const NO_SPACE = /No space left on device/;
const PANIC = /PANIC/;

/**
 * Starts one PostgreSQL as in production, on a small disk: durable, without a standby. It keeps its
 * address when it starts again.
 */
export async function startSingle() {
  const dataFolder = await preparedDataFolder('single');
  let postgres = await startEmbeddedPostgres({ dataFolder });
  for (const setting of SETTINGS) await query(`ALTER SYSTEM SET ${setting}`);
  await postgres.stop();
  const disk = await moveToSmallDisk(postgres.folder);
  postgres = await startEmbeddedPostgres({ dataFolder });
  const proxy = await startSilentProxy(postgres.url);

  function query(statement: string): Promise<unknown[]> {
    return queryOf(postgres, statement);
  }
  const pidFile = () => readFile(path.join(postgres.folder, 'postmaster.pid'), 'utf8');
  const log = () => readFile(path.join(dataFolder, 'postgres.log'), 'utf8');
  const start = async () => {
    postgres = await startEmbeddedPostgres({ dataFolder });
    proxy.retarget(postgres.url);
  };

  return {
    url: proxy.url,
    /** `fast`: PostgreSQL writes everything first. `immediate`: it recovers at its start. */
    async restart(how: 'fast' | 'immediate', downMs: number): Promise<void> {
      if (how === 'immediate') process.kill(Number.parseInt(await pidFile(), 10), 'SIGQUIT');
      await postgres.stop();
      await pause(downMs);
      await start();
    },
    /** Ends the connections of every client, the nodes and the operator. */
    async endConnections(): Promise<void> {
      const others = "backend_type = 'client backend' AND pid <> pg_backend_pid()";
      await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
    },
    /**
     * Fills the disk until PostgreSQL can extend no table, or write no log and ends. Makes room
     * again afterwards, and starts PostgreSQL again when it has ended.
     */
    async fillDisk(lacks: 'tables' | 'log', meanwhile: () => Promise<unknown>): Promise<void> {
      const postmaster = Number.parseInt(await pidFile(), 10);
      const { length: logged } = await log();
      const filling = disk.fill();
      const symptom = lacks === 'tables' ? NO_SPACE : PANIC;
      await expect
        .poll(
          async () => {
            // Each takes a new file of the log, where there is one.
            if (lacks === 'log')
              await query("SELECT pg_logical_emit_message(true, '', ''), pg_switch_wal()").catch(() => {});
            return (await log()).slice(logged);
          },
          { timeout: 200_000, interval: 50 },
        )
        .toMatch(symptom);
      await meanwhile();
      await filling.stop();
      // After a PANIC PostgreSQL restarts, and ends when the disk is full then.
      await expect
        .poll(
          async () => {
            if (isRunning(postmaster)) return query('SELECT 1').catch(() => []);
            await postgres.stop();
            await start();
            return query('SELECT 1');
          },
          { timeout: 200_000, interval: 50 },
        )
        .toHaveLength(1);
    },
    /** Makes every commit wait for a standby that applies it after this time. */
    async slowDown(commitMs: number, meanwhile: () => Promise<unknown>): Promise<void> {
      const standby = await startTemporaryStandby(postgres, {
        settings: ['synchronous_commit=on', `recovery_min_apply_delay=${commitMs}ms`],
      });
      try {
        await set('synchronous_commit = remote_apply', "synchronous_standby_names = '*'");
        await meanwhile();
      } finally {
        await set("synchronous_standby_names = ''", 'synchronous_commit = on');
        await standby.stop();
      }
    },
    async close(): Promise<void> {
      await proxy.close();
      await postgres.stop();
      await disk.remove();
    },
  };

  async function set(...settings: string[]): Promise<void> {
    for (const setting of settings) await query(`ALTER SYSTEM SET ${setting}`);
    await query('SELECT pg_reload_conf()');
  }
}

/** @throws where this user cannot mount. */
async function moveToSmallDisk(folder: string) {
  const { uid, gid } = await stat(folder);
  const before = `${folder}.before`;
  await rename(folder, before);
  await mkdir(folder);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=700,uid=${uid},gid=${gid}`, 'tmpfs', folder]);
  await run('cp', ['-a', `${before}/.`, folder]);
  await rm(before, { recursive: true });
  const filler = path.join(folder, 'filler');
  return {
    /** Takes all room, and what becomes free meanwhile, until it is stopped. */
    fill() {
      let isOver = false;
      const filling = (async () => {
        const file = await open(filler, 'w');
        try {
          while (!isOver) {
            const { bytesWritten } = await file.write(Buffer.alloc(1 << 20)).catch(ifFull);
            if (bytesWritten === 0) await pause(10);
          }
        } finally {
          await file.close();
          await rm(filler);
        }
      })();
      return {
        async stop(): Promise<void> {
          isOver = true;
          await filling;
        },
      };
    },
    remove: () => run('umount', [folder]),
  };
}

function ifFull(error: NodeJS.ErrnoException): { bytesWritten: number } {
  if (error.code === 'ENOSPC') return { bytesWritten: 0 };
  throw error;
}

/** Returns whether this user can mount a file system, which only root can. */
export async function canMount(): Promise<boolean> {
  const folder = await temporaryFolder('mount');
  const mounted = await run('mount', ['-t', 'tmpfs', 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  if (mounted) await run('umount', [folder]);
  return mounted;
}
