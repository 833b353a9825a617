import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ADMIN_ROUTES } from '@roundhouse/contract/admin-routes';
import { openClient } from '@roundhouse/service';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import { openServerSeed } from '../../../src/store/rounds/fairSeeds.ts';
import { operatorClient } from '../../operators/api/operatorClient.ts';
import { startTestAdmin } from '../../support/adminServer.ts';
import {
  houseSession,
  runRoundhouse,
  SECRETS_KEY,
  secretFile,
  startServe,
  stop,
  succeed,
  temporaryFolder,
} from '../../support/roundhouse.ts';
import { type ServedFixture, servedFixture } from '../../support/servedFixture.ts';
import { withRenamed } from '../../support/snapshot.ts';
import type { TestServer } from '../../support/testServer.ts';
import { startOtlpReceiver } from '../../watch/tracing/otlpReceiver.ts';
import { send } from './fairPlayer.ts';
import { startRecordingProxy } from './recordingProxy.ts';
import { findSecrets, type Shown } from './secretForms.ts';

const UNIT = 1_000_000;
const HOUSE = { code: 'house', secret: 'the-secret-of-the-house-0123456789' };

let env: ServedFixture;
beforeAll(async () => {
  env = await servedFixture('fair canaries');
});

/**
 * Returns every row of every table, as `pg_dump` writes it, and the files of the tables, as a base
 * backup has them.
 */
async function backupsOf(databaseUrl: string): Promise<Shown[]> {
  const client = await openClient(databaseUrl);
  await client.query('CHECKPOINT');
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const shown: Shown[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    shown.push({ where: `the dump of ${name}`, bytes: Buffer.from(rows.map(({ text }) => text).join('\n')) });
    const file = `SELECT pg_read_binary_file(pg_relation_filepath('${name}')) AS bytes`;
    const [row] = (await client.query<{ bytes: Buffer }>(file)).rows;
    shown.push({ where: `the file of ${name}`, bytes: row?.bytes ?? Buffer.alloc(0) });
  }
  await client.end();
  expect(tables.map(({ name }) => name)).toContain('fair_seeds');
  return shown;
}

async function seedsOf(db: Database, isRevealed: boolean): Promise<Buffer[]> {
  const rows = await db.fairSeed.findMany({ where: { revealedAt: isRevealed ? { not: null } : null } });
  return rows.map(({ sealedServerSeed, accountId }) => openServerSeed(db.secretKeys, sealedServerSeed, accountId));
}

async function filesBelow(folder: string, where: string): Promise<Shown[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return Promise.all(files.map(async (file) => ({ where: `${where}: ${file}`, bytes: await readFile(file) })));
}

it('a server seed that is not revealed is nowhere in clear; a revealed one is where its player requests it', async () => {
  const collector = await startOtlpReceiver();
  onTestFinished(() => collector.close());
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
  const node = await startServe(['--workers', '1', '--drain-seconds', '0', '--log-level', 'trace'], {
    env: { ...env, ...tracing },
  });
  const proxy = await startRecordingProxy(node.url);
  onTestFinished(() => proxy.close());
  const db = openDatabase({ url: env.DATABASE_URL, secretsKey: SECRETS_KEY });
  onTestFinished(() => db.$disconnect());
  const secret = ['--secret-file', await secretFile(HOUSE.secret)];
  await houseSession({ url: node.url, env, player: 'first' });
  await succeed(['operator', 'set', 'house', ...secret, '--draws', 'provablyFair'], { env });

  const shown: Shown[] = [];
  const post = (pathname: string, body: object, key?: string) => send(proxy.url, pathname, body, key);
  const newSession = async (player: string) =>
    await houseSession({ url: node.url, env, player }, ['--balance', '1000']);
  const wholeRound = async (sessionID: string, key: string) => {
    await post('/wallet/authenticate', { sessionID });
    const { body } = await post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }, key);
    const betID = body.round?.betID ?? 1;
    await post('/fairness/client-seed', { sessionID, clientSeed: 'another' });
    await post('/fairness/rotate', { sessionID, serverSeedHash: '0'.repeat(64), clientSeed: 'x' });
    await post('/fairness/proof', { sessionID, betID });
    await post('/bet/event', { sessionID, event: 'picked' });
    await post('/wallet/end-round', { sessionID });
    for (const pathname of ['/wallet/balance', '/bet/history', '/fairness/seeds']) await post(pathname, { sessionID });
    await post('/fairness/proof', { sessionID, betID });
    return betID as number;
  };

  // First all is well: rounds, wrong requests, and what an operator reads.
  const sessionID = await newSession('anna');
  await post('/wallet/authenticate', { sessionID });
  await post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
  expect((await post('/fairness/client-seed', { sessionID, clientSeed: 'lucky' })).status).toBe(200);
  const betID = await wholeRound(sessionID, 'first');
  const { fairness } = (await post('/fairness/seeds', { sessionID })).body;
  const { serverSeedHash, nextServerSeedHash } = fairness;
  for (const hash of [serverSeedHash, nextServerSeedHash])
    await post('/fairness/export', { sessionID, serverSeedHash: hash });
  await post('/fairness/rotate', { sessionID, serverSeedHash: nextServerSeedHash, clientSeed: 'x' });
  const operator = operatorClient(proxy.url, HOUSE);
  for (const { text } of [
    await operator.rounds(),
    await operator.round(betID, { book: 'true' }),
    await operator.games(),
  ])
    expect(text).not.toBe('');
  // The database fails, and the sealed seed is broken.
  for (const name of ['start_fair_seeds', 'change_client_seed', 'rotate_fair_seeds', 'open_rounds', 'find_sessions'])
    await withRenamed({ db }, { kind: 'FUNCTION', name }, () => wholeRound(sessionID, `without ${name}`));
  const other = await newSession('bert');
  await post('/wallet/authenticate', { sessionID: other });
  await post('/fairness/client-seed', { sessionID: other, clientSeed: 'x' });
  const ofOther = await db.fairSeed.findMany({ orderBy: { id: 'desc' }, take: 2 });
  const seal = (change: (text: string) => string) =>
    Promise.all(
      ofOther.map(({ id, sealedServerSeed }) =>
        db.fairSeed.update({ where: { id }, data: { sealedServerSeed: change(sealedServerSeed) } }),
      ),
    );
  await seal((text) => `${text.slice(0, -6)}AAAAAA`);
  await wholeRound(other, 'broken');
  await seal((text) => text);
  for (const pathname of ['/metrics', '/healthz', '/readyz', '/openapi.json'])
    shown.push({ where: pathname, bytes: Buffer.from(await (await fetch(proxy.url + pathname)).text()) });

  const admin = await startTestAdmin({
    ...{ databaseUrl: env.DATABASE_URL, url: node.url, db },
    logLines: [],
  } as unknown as TestServer);
  onTestFinished(() => admin.close());
  const readConsole = async () => {
    const user = { role: 'administrator' as const };
    const pages = Object.values(ADMIN_ROUTES)
      .filter(({ method, path: pathname }) => method === 'GET' && !pathname.endsWith('/live'))
      .map(({ path: pathname }) => {
        const names = { betID: betID, operator: 'house', playerID: 'anna', gameID: 'fixture', table: 'rounds' };
        return pathname.replace(/:(\w+)/g, (all, name: keyof typeof names) => String(names[name] ?? all));
      });
    for (const pathname of pages) {
      const { text } = await admin.send(pathname, { user });
      shown.push({ where: `console ${pathname}`, bytes: Buffer.from(text) });
    }
  };
  const readCommands = async () => {
    const out = path.join(await temporaryFolder('fair evidence'), 'evidence');
    const lines = [
      'operator list',
      'operator show house',
      'audit list --json',
      'books-balance',
      'report',
      'status --json',
    ];
    for (const words of lines) {
      const { stdout, stderr } = await runRoundhouse(words.split(' '), { env });
      shown.push({ where: `roundhouse ${words}`, bytes: Buffer.from(stdout + stderr) });
    }
    await succeed(['evidence', '--out', out, '--games', env.ROUNDHOUSE_GAMES], { env });
    shown.push(...(await filesBelow(out, 'the evidence pack')));
  };
  const readKept = async () => {
    await readConsole();
    await readCommands();
    shown.push(...(await backupsOf(env.DATABASE_URL)), ...(await filesBelow(env.ROUNDHOUSE_DATA, 'the data folder')));
    shown.push({ where: 'the log', bytes: Buffer.from(node.output()) });
    shown.push({ where: 'the traces', bytes: Buffer.concat(collector.requests.map(({ body }) => body)) });
  };

  await readKept();
  shown.push({ where: 'responses', bytes: proxy.take() });
  const hidden = await seedsOf(db, false);
  expect(hidden.length).toBeGreaterThanOrEqual(2);
  expect(node.output()).toMatch(/"msg":"request failed"/);
  expect(collector.spans.map(({ name }) => name)).toContain('POST /wallet/play');
  expect(findSecrets(hidden, shown)).toEqual([]);

  // Anna rotates. Her responses have the seed; what is kept, and what others read, does not.
  shown.length = 0;
  const rotation = { sessionID, serverSeedHash, clientSeed: 'second' };
  const { body } = await post('/fairness/rotate', rotation);
  const revealed = body.revealed.serverSeed as string;
  await post('/fairness/seeds', { sessionID });
  await post('/fairness/proof', { sessionID, betID });
  await post('/fairness/export', { sessionID, serverSeedHash });
  const asked = proxy.take().toString('latin1').split(revealed).length - 1;
  expect(asked, 'rotation, seeds, proof and export').toBe(4);
  await wholeRound(sessionID, 'after');
  await post('/wallet/authenticate', { sessionID });
  await operator.round(betID, { book: 'true' });
  await operator.rounds();
  const responses = proxy
    .take()
    .toString('latin1')
    .split('HTTP/1.1 ')
    .filter((response) => !/"revealed":\[/.test(response));
  shown.push({ where: 'other responses', bytes: Buffer.from(responses.join(), 'latin1') });
  await readKept();
  expect(await seedsOf(db, true)).toEqual([Buffer.from(revealed, 'hex')]);
  expect(findSecrets([Buffer.from(revealed, 'hex'), ...(await seedsOf(db, false))], shown)).toEqual([]);
  await stop(node);
});
