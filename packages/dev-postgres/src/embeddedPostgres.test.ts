import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openClient } from '@roundhouse/service';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  copyEmbeddedPostgres,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
  startTemporaryPostgres,
} from './embeddedPostgres.ts';

/** Holds a database that was started and stopped. Each test has a copy of it. */
let used: string;
let dataFolder: string;

beforeAll(async () => {
  used = await newFolder();
  await (await startEmbeddedPostgres({ dataFolder: used, fast: true })).stop();
});

beforeEach(async () => {
  dataFolder = await newFolder();
  await copyEmbeddedPostgres(used, dataFolder);
});

afterEach(() => removeFolder(dataFolder));
afterAll(() => removeFolder(used));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse data é '));
  await chmod(folder, 0o711);
  return folder;
}

async function removeFolder(folder: string): Promise<void> {
  await removeEmbeddedPostgres(folder);
  await rm(folder, { recursive: true });
}

it('keeps what is written between starts, durably, in UTF-8 and in the order of C', async () => {
  const first = await startEmbeddedPostgres({ dataFolder });
  await query(first.url, "CREATE TABLE kept AS SELECT 'é' AS text");
  await first.stop();
  await first.stop();
  const second = await startEmbeddedPostgres({ dataFolder });
  expect(await query(second.url, 'SELECT text FROM kept')).toEqual([{ text: 'é' }]);
  const settings =
    "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit, current_setting('server_encoding') AS encoding";
  expect(await query(second.url, settings)).toEqual([{ fsync: 'on', synchronous_commit: 'on', encoding: 'UTF8' }]);
  expect(
    await query(
      second.url,
      "SELECT 'b' < 'A' AS in_order_of_c FROM pg_database WHERE datname = 'roundhouse' AND datcollate = 'C'",
    ),
  ).toEqual([{ in_order_of_c: false }]);
  await second.stop();
});

it('lets nobody in without the password', async () => {
  const postgres = await startEmbeddedPostgres({ dataFolder, fast: true });
  const wrong = new URL(postgres.url);
  wrong.password = 'guessed';
  await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  await postgres.stop();
});

it('stops what a killed process left behind, and loses nothing of it', async () => {
  const killed = await startInChild({ dataFolder, cutLeash: true });
  await query(killed.url, 'CREATE TABLE survived AS SELECT 1 AS one');
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const lines: string[] = [];
  const next = await startEmbeddedPostgres({ dataFolder, log: (line) => lines.push(line) });
  expect(lines.join()).toMatch(/stopping the PostgreSQL \(process \d+\) that an earlier run left behind/);
  expect(await query(next.url, 'SELECT one FROM survived')).toEqual([{ one: 1 }]);
  await next.stop();
});

it('waits for one that a killed process left behind just as it was starting', async () => {
  // Its file exists, and is still empty.
  const pidFile = path.join(dataFolder, 'postgres', 'postmaster.pid');
  await writeFile(pidFile, '');
  const starting = startEmbeddedPostgres({ dataFolder, fast: true });
  const log = () => readFile(path.join(dataFolder, 'postgres.log'), 'utf8').catch(() => '');
  await expect.poll(log).toContain('lock file "postmaster.pid" is empty');
  await rm(pidFile);
  const postgres = await starting;
  expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await postgres.stop();
});

it('does not stay behind when its process is killed', async () => {
  const killed = await startInChild({ dataFolder, cutLeash: false });
  killed.child.kill('SIGKILL');
  const pidFile = path.join(dataFolder, 'postgres', 'postmaster.pid');
  await expect.poll(() => existsSync(pidFile)).toBe(false);
});

it('a process number that now belongs to somebody else neither stops the start nor that process', async () => {
  await writeFile(
    path.join(dataFolder, 'postgres', 'postmaster.pid'),
    `${process.pid}\n/elsewhere\n1\n1\n\n\n1\nready\n`,
  );
  const postgres = await startEmbeddedPostgres({ dataFolder, fast: true });
  expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await postgres.stop();
});

it('an interrupted first start is repeated', async () => {
  await rename(path.join(dataFolder, 'postgres'), path.join(dataFolder, 'postgres.new'));
  const postgres = await startEmbeddedPostgres({ dataFolder, fast: true });
  expect(await query(postgres.url, 'SELECT current_database() AS name')).toEqual([{ name: 'roundhouse' }]);
  await postgres.stop();
});

it('a cluster of another version is refused in one line', async () => {
  await writeFile(path.join(dataFolder, 'postgres', 'PG_VERSION'), '12\n');
  await expect(startEmbeddedPostgres({ dataFolder })).rejects.toThrow(
    /was made by PostgreSQL 12, this is 18: start with --fresh/,
  );
});

it('says so when the database ends unasked', async () => {
  const lines: string[] = [];
  const postgres = await startEmbeddedPostgres({ dataFolder, fast: true, log: (line) => lines.push(line) });
  const [pid] = (await readFile(path.join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGQUIT');
  await expect.poll(() => lines.join()).toContain('PostgreSQL ended by itself');
  await postgres.stop();
});

it('a temporary one leaves nothing', async () => {
  const postgres = await startTemporaryPostgres({ copyOf: used });
  const [row] = await query(
    postgres.url,
    "SELECT current_setting('fsync') AS fsync, current_setting('data_directory') AS folder",
  );
  expect(row?.fsync).toBe('off');
  await postgres.stop();
  expect(existsSync(path.dirname(String(row?.folder)))).toBe(false);
});

/**
 * Starts a child process that starts PostgreSQL on the folder and waits. With `cutLeash`,
 * PostgreSQL runs on when the child is killed.
 */
async function startInChild(options: { dataFolder: string; cutLeash: boolean }) {
  const script = fileURLToPath(new URL('../test/startPostgresInChild.mjs', import.meta.url));
  const child = fork(script, [options.dataFolder, String(options.cutLeash)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [url] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (typeof url !== 'string') throw new Error('the child did not start PostgreSQL');
  return { child, url };
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await openClient(url);
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
