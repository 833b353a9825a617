import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const script = path.join(import.meta.dirname, '../scripts/measureSize.mjs');
const MAX_CLIENT_BYTES = 10 * 1024;

type Entry = { minifiedBytes: number; gzipBytes: number; modules: string[]; namesSchemaLibrary: boolean };
let measured: Record<string, Entry> = {};

beforeAll(async () => {
  const { stdout } = await execute(process.execPath, [script, '--json']);
  measured = JSON.parse(stdout);
  for (const [name, { gzipBytes }] of Object.entries(measured)) console.info(`${name}: ${gzipBytes} bytes gzipped`);
});

it.each(['createClient', 'sdk client'])('%s weighs at most 10 KB, minified and gzipped', (name) => {
  expect(measured[name]?.gzipBytes).toBeGreaterThan(1024);
  expect(measured[name]?.gzipBytes).toBeLessThanOrEqual(MAX_CLIENT_BYTES);
});

it.each(['duties', 'fairness', 'fun', 'grants'])('the client holds nothing of %s', (entry) => {
  expect(measured['sdk client']?.modules).not.toContain(`packages/sdk/src/${entry}.ts`);
});

describe.each([
  'sdk client',
  'event player',
  'player duties',
  'fairness',
  'fun mode',
  'free rounds',
  'typed input',
  'plain script',
])('the %s', (name) => {
  it('holds code of the SDK and of the light half of the contract, and no other', () => {
    const { modules = [] } = measured[name] ?? {};
    expect(modules).not.toEqual([]);
    const foreign = modules.filter((id) => !/^packages\/(sdk\/src|contract\/(src|dist))\/[\w/]+\.(ts|js)$/.test(id));
    // The bundler's own helper code has ids that begin with a zero byte.
    expect(foreign.filter((id) => !/\0rolldown\//.test(id))).toEqual([]);
    expect(modules.filter((id) => /contract\/.*\/(index|game|dev|fields)\.js/.test(id))).toEqual([]);
  });

  it('does not name zod or ts-rest', () => expect(measured[name]?.namesSchemaLibrary).toBe(false));
});

it('prints a line for each', async () => {
  const { stdout } = await execute(process.execPath, [script]);
  const lines = Object.keys(measured).map((name) => new RegExp(`^${name} +\\d+ bytes gzipped, +\\d+ minified$`));
  expect(stdout.trimEnd().split('\n')).toEqual(lines.map((line) => expect.stringMatching(line)));
});
