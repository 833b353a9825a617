import { execFileSync } from 'node:child_process';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openClient } from '@roundhouse/service';
import { beforeAll, expect, it } from 'vitest';
import { askNodes } from '../../../src/lab/install/watchInstall.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { installServerAlone } from '../../lab/install/writeInstallation.ts';
import { call, post } from '../../support/rgsCalls.ts';
import { expectOneLine, runRoundhouse, type ServeNode, startServe, stop } from '../../support/roundhouse.ts';
import { type ServedFixture, servedFixture } from '../../support/servedFixture.ts';
import { newPlayers, type Player, play } from '../workers/players.ts';

const MISMATCH = 'the installation does not match its manifest';

let command: string;
let env: ServedFixture & NodeJS.ProcessEnv;
let gameFile: string;
let table: string;
/** It starts with a mismatch. */
let node: ServeNode;

beforeAll(async () => {
  const fixture = await servedFixture('verify install');
  const home = path.dirname(fixture.ROUNDHOUSE_GAMES);
  for (const name of ['own', 'other']) {
    const file = path.join(home, name);
    execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', `${file}.private.pem`]);
    execFileSync('openssl', ['pkey', '-in', `${file}.private.pem`, '-pubout', '-out', `${file}.pem`]);
  }
  const keys = { private: path.join(home, 'own.private.pem'), ROUNDHOUSE_MANIFEST_KEY: path.join(home, 'own.pem') };
  env = { ...fixture, ...keys, ROUNDHOUSE_MANIFEST: path.join(home, 'manifest.json') };
  gameFile = path.join(fixture.ROUNDHOUSE_GAMES, 'fixture', 'game.json');
  table = path.join(fixture.ROUNDHOUSE_GAMES, 'fixture', 'math', 'lookUpTable_base_0.csv');
  command = await installServerAlone();
  const write = ['--write', env.ROUNDHOUSE_MANIFEST ?? '', '--sign', keys.private, '--include-database'];
  expect((await run([...write, '--include', path.join(home, 'own.pem')])).stdout).toMatch(
    /^Wrote .*manifest\.json: \d+ files, \d+ MB and \d+ elements of the database, SHA-256 [0-9a-f]{64}, signed in .*\.sig\.\n$/,
  );
});

const run = (args: string[] = []) => runRoundhouse(['verify-install', ...args], { env, command });

it('the command finds a match, and names what was changed, added and removed', async () => {
  expect((await run()).stdout).toMatch(
    /^The installation matches its manifest \(SHA-256 [0-9a-f]{64}\): \d+ files, \d+ MB and \d+ elements of the database in [\d.]+ s; signature valid\.\n$/,
  );
  const before = await readFile(gameFile);
  await writeFile(gameFile, `${before} `);
  await writeFile(`${table}.new`, '');
  await rename(table, `${table}.moved`);
  const exit = await run();
  const json = await run(['--json']);
  await rename(`${table}.moved`, table);
  await rm(`${table}.new`);
  await writeFile(gameFile, before);
  const math = 'games/fixture/math/lookUpTable_base_0.csv';
  expect(exit).toMatchObject({ code: 1, stderr: '' });
  expect(exit.stdout.split('\n').slice(0, -2)).toEqual([
    'changed     games/fixture/game.json',
    `missing     ${math}`,
    `extra       ${math}.moved`,
    `extra       ${math}.new`,
  ]);
  expect(exit.stdout).toMatch(/\nThe installation does not match its manifest: 4 differences, SHA-256 /);
  const report = { ok: false, signature: 'valid', unreadable: {}, changed: ['games/fixture/game.json'] };
  const moved = { missing: [math], extra: [`${math}.moved`, `${math}.new`] };
  expect({ ...json, stdout: JSON.parse(json.stdout) }).toMatchObject({ code: 1, stdout: { ...report, ...moved } });
});

it.each<[args: string, own: NodeJS.ProcessEnv, line: RegExp]>([
  ['', { ROUNDHOUSE_MANIFEST: '' }, /^No manifest: name it with --manifest, or make one with --write\.$/m],
  ['', { ROUNDHOUSE_GAMES: '' }, /^The manifest covers games: name their folder with --games\.$/m],
  [' --include-database', {}, /^--include and --include-database say what --write /],
  [' --sign x.pem', {}, /^--sign signs the manifest that --write writes\.$/m],
])('verify-install%s with %j is refused', async (args, own, line) => {
  expectOneLine(await runRoundhouse(`verify-install${args}`.split(' '), { env: { ...env, ...own } }), line);
});

it('command and node refuse a manifest that they cannot use', async () => {
  const other = path.join(path.dirname(env.ROUNDHOUSE_GAMES), 'other.pem');
  const wrongKey = /^The signature of .* is not valid for the key .*other\.pem\.$/m;
  expectOneLine(await runRoundhouse(['verify-install', '--public-key', other], { env }), wrongKey);
  const start = (own: NodeJS.ProcessEnv) => runRoundhouse(['serve', '--port', '0'], { env: { ...env, ...own } });
  expectOneLine(await start({ ROUNDHOUSE_MANIFEST_KEY: other }), wrongKey);
  const [event] = (await installEvents()).slice(-1);
  expect(event).toMatchObject({ kind: 'install_mismatch', before: null });
  expect(event?.after).toMatch(/^\{"trigger":"start","error":"The signature of /);
  const alone = await start({ ROUNDHOUSE_MANIFEST: '' });
  expectOneLine(alone, /^No manifest: --manifest-key and --on-mismatch need --manifest\.$/m);
});

it('a node whose database does not match at start serves, and opens no round until it does', async () => {
  await inDatabase('ALTER TABLE transfers DISABLE TRIGGER transfers_truncated');
  node = await startServe(['--workers', '2', '--on-mismatch', 'stop-rounds'], { env, command });
  await node.waitFor(/"changed":1,.*"names":\["database\/trigger transfers\.transfers_truncated"\]/);
  const [player] = (await newPlayers(node, env.DATABASE_URL, ['late'])) as [Player];
  expect((await play(node, player)).body.error).toBe('ERR_MAINTENANCE');
  expect((await post(node.url, '/wallet/balance', { sessionID: player.sessionID })).status).toBe(200);
  await inDatabase('ALTER TABLE transfers ENABLE TRIGGER transfers_truncated');
  await askNodes(env.ROUNDHOUSE_DATA);
  await expect.poll(async () => (await play(node, player)).status).toBe(200);
});

it('a mismatch stops new rounds on every worker, open ones end, and a later check opens them again', async () => {
  const [inRound, idle] = (await newPlayers(node, env.DATABASE_URL, ['in round', 'idle'])) as [Player, Player];
  expect((await play(node, inRound)).status).toBe(200);
  const metrics = async () => (await fetch(`${node.url}/metrics`)).text();
  expect(await metrics()).toMatch(/^roundhouse_install_verified 1$/m);
  expect(await metrics()).toMatch(/^roundhouse_install_checked_timestamp_seconds 1\d{9}(\.\d+)?$/m);
  await writeFile(`${table}.new`, '');

  const asked = await run(['--ask-nodes']);
  expect(asked.stdout).toMatch(/^extra {7}games\/fixture\/math\/lookUpTable_base_0\.csv\.new\n/);
  await node.waitFor(new RegExp(`"newRounds":"stopped".*lookUpTable_base_0\\.csv\\.new.*"msg":"${MISMATCH}"`));
  // The requests use separate connections, which the workers get in turn.
  const alone = { connection: 'close' };
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await expect.poll(async () => (await play(node, idle, alone)).body.error).toBe('ERR_MAINTENANCE');
    const ready = await fetch(`${node.url}/readyz`, { headers: alone });
    const body = { status: `new rounds are stopped: ${MISMATCH}` };
    expect({ status: ready.status, body: await ready.json() }).toEqual({ status: 503, body });
  }
  expect(await metrics()).toMatch(/^roundhouse_install_verified 0$/m);
  expect(await metrics()).toMatch(new RegExp(`^roundhouse_round_stops\\{reason="${MISMATCH}"\\} 1$`, 'm'));
  await call(node.url, '/wallet/end-round', { sessionID: inRound.sessionID });

  await rm(`${table}.new`);
  await askNodes(env.ROUNDHOUSE_DATA);
  await expect.poll(async () => (await play(node, idle, alone)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${node.url}/readyz`, { headers: alone })).status).toBe(200);
  await expect.poll(metrics).not.toMatch(/^roundhouse_round_stops\{/m);
  const again = expect.stringMatching('asked|again');
  await expect.poll(recorded).toEqual([
    { kind: 'install_mismatch', trigger: 'start', isSame: false },
    { kind: 'install_verified', trigger: again, isSame: true },
    { kind: 'install_mismatch', trigger: 'asked', isSame: false },
    { kind: 'install_verified', trigger: again, isSame: true },
  ]);
  await stop(node);
});

async function inDatabase(sql: string) {
  const client = await openClient(env.DATABASE_URL);
  await client.query(sql).finally(() => client.end());
}

async function installEvents() {
  const db = openDatabase({ url: env.DATABASE_URL, connections: 1 });
  try {
    return (await listEvents(db)).filter(({ kind }) => kind.startsWith('install_'));
  } finally {
    await db.$disconnect();
  }
}

/** Returns for the checks that compared files whether both hashes are there and the same. */
async function recorded() {
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  const compared = (await installEvents()).filter(({ before }) => before !== null);
  return compared.map(({ kind, before, after }) => {
    const [expected, found] = [before, after].map((text) => JSON.parse(text ?? '{}'));
    expect([expected.sha256, found.sha256]).toEqual([hash, hash]);
    return { kind, trigger: found.trigger, isSame: expected.sha256 === found.sha256 };
  });
}
