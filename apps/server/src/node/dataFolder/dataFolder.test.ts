import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeEmbeddedPostgres } from '@roundhouse/dev-postgres';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/roundhouse.ts';
import { openDataFolder } from './dataFolder.ts';
import { runningServer } from './lock.ts';
import { thisProcess } from './processIdentity.ts';
import { keptSecretsKey } from './secretsKey.ts';

let home: string;
let folder: string;

beforeEach(async () => {
  home = await temporaryFolder('folder');
  folder = path.join(home, 'new', 'data');
});

it('makes a missing folder and marks it', async () => {
  const data = await openDataFolder({ folder });
  expect((await readdir(folder)).sort()).toEqual(['.roundhouse-data', 'running.json']);
  await data.release();
  await data.release();
  expect(await readdir(folder)).toEqual(['.roundhouse-data']);
});

it('a second start is refused with the process and address of the first', async () => {
  const data = await openDataFolder({ folder });
  const runs = `Roundhouse already runs on ${folder} (process ${process.pid}): stop it`;
  await expect(openDataFolder({ folder })).rejects.toThrow(runs);
  await data.announce({ url: 'http://127.0.0.1:4000', databaseUrl: 'postgresql://x', secretsKey: 'k' });
  await expect(openDataFolder({ folder, removeDatabase: removeEmbeddedPostgres })).rejects.toThrow(
    `(process ${process.pid}, http://127.0.0.1:4000)`,
  );
  expect(await runningServer(folder)).toMatchObject({ url: 'http://127.0.0.1:4000', databaseUrl: 'postgresql://x' });
  await data.release();
  expect(await runningServer(folder)).toBeUndefined();
  await (await openDataFolder({ folder })).release();
});

it('starts that may take a folder beside it get one each, and never the folder of somebody else', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => openDataFolder({ folder, orNextData: true })));
  const names = all.map((data) => path.basename(data.folder)).sort();
  expect(names).toEqual(['data', 'data-2', 'data-3', 'data-4', 'data-5']);
  await mkdir(`${folder}-6`);
  await writeFile(path.join(`${folder}-6`, 'holiday.jpg'), '');
  await expect(openDataFolder({ folder, orNextData: true })).rejects.toThrow('data-6 is not empty');
  await Promise.all(all.map((data) => data.release()));
});

it('a lock does not hold when its process was killed, its number is reused, or it cannot be read', async () => {
  await (await openDataFolder({ folder })).release();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const killed = { pid: child.pid ?? 0, began: thisProcess().began };
  child.kill('SIGKILL');
  await once(child, 'exit');
  const reused = { pid: process.ppid, began: 'another boot/1' };
  const locks = [killed, reused].map((process) => JSON.stringify({ process }));
  for (const text of [...locks, '', '{"process":']) {
    await writeFile(path.join(folder, 'running.json'), text);
    await (await openDataFolder({ folder })).release();
  }
});

it('of many starts over a dead lock exactly one gets the folder', async () => {
  await (await openDataFolder({ folder })).release();
  const dead = JSON.stringify({ process: { pid: process.ppid, began: 'another boot/1' } });
  // With 40 starts it is likely that one looks just before another one takes the folder.
  for (let race = 0; race < 40; race += 1) {
    await writeFile(path.join(folder, 'running.json'), dead);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => openDataFolder({ folder })));
    const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(winners).toHaveLength(1);
    expect((await readdir(folder)).sort()).toEqual(['.roundhouse-data', 'running.json']);
    await winners[0]?.release();
  }
});

it('fresh empties a folder of ours', async () => {
  await (await openDataFolder({ folder })).release();
  await mkdir(path.join(folder, 'books'));
  await writeFile(path.join(folder, 'books', 'store'), 'x');
  const data = await openDataFolder({ folder, removeDatabase: removeEmbeddedPostgres });
  expect((await readdir(folder)).sort()).toEqual(['.roundhouse-data', 'running.json']);
  await data.release();
});

it('a key for secrets is kept in the folder, for its owner alone', async () => {
  const key = await keptSecretsKey(home);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(await keptSecretsKey(home)).toBe(key);
  expect((await stat(path.join(home, 'secrets.key'))).mode & 0o777).toBe(0o600);
});

it('a folder that is not ours is neither used nor emptied', async () => {
  await writeFile(path.join(home, 'thesis.txt'), 'years of work');
  for (const removeDatabase of [undefined, removeEmbeddedPostgres]) {
    const refusal = 'is not empty and not a data folder of Roundhouse';
    await expect(openDataFolder({ folder: home, removeDatabase })).rejects.toThrow(refusal);
  }
  expect(await readFile(path.join(home, 'thesis.txt'), 'utf8')).toBe('years of work');
  expect(existsSync(path.join(home, 'running.json'))).toBe(false);
});

it('a file in place of the folder is named', async () => {
  const file = path.join(home, 'file');
  await writeFile(file, '');
  await expect(openDataFolder({ folder: file })).rejects.toThrow(`The data folder ${file} is a file`);
  await expect(openDataFolder({ folder: path.join(file, 'below') })).rejects.toThrow('is a file');
});
