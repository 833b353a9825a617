import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { SIGNATURE_HEADER } from '@roundhouse/contract';
import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/store/database/database.ts';
import { launchBody, operatorClient, send, signedHeaders } from '../../operators/api/operatorClient.ts';
import { exchangeRaw } from '../../support/rawHttp.ts';
import {
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
import { startOtlpReceiver } from '../../watch/tracing/otlpReceiver.ts';

const OPERATOR_SECRET = 'the-secret-of-the-operator-acme-0123456789';
const CANARY = 'no-output-may-have-this-0123456789';
const UNIT = 1_000_000;

let env: ServedFixture;
beforeAll(async () => {
  const served = await servedFixture('canaries');
  env = { ...served, DATABASE_URL: `${served.DATABASE_URL}?sslpassword=${CANARY}` };
});

/** Starts a wallet behind a proxy that keeps signatures, and repeats whole requests on demand. */
async function startEchoingWallet() {
  const wallet = await startFakeWallet({ anyPlayer: true, secret: OPERATOR_SECRET });
  const signatures = new Set<string>();
  let echoedStatus: number | undefined;
  const proxy = http.createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray());
    const { host: _host, ...headers } = req.headers as Record<string, string>;
    signatures.add(headers[SIGNATURE_HEADER] ?? '');
    if (echoedStatus === undefined) {
      const answer = await fetch(wallet.url + req.url, { method: 'POST', headers, body });
      res.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
      return;
    }
    const echo = JSON.stringify({ ...headers, body: body.toString() });
    const code = echoedStatus === 500 ? 'ERR_UE' : 'ERR_VAL';
    res
      .writeHead(echoedStatus, echo, headers)
      .end(JSON.stringify({ error: code, message: echo, playerID: echo, balance: echo }));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await wallet.close();
  });
  const echo = (status: number | undefined) => {
    echoedStatus = status;
  };
  return { url, signatures, echo };
}

/** Returns the command lines of a process and of those that it has started. */
function commandLines(pid: number): string {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return [readFileSync(`/proc/${pid}/cmdline`, 'utf8'), ...children.map((child) => commandLines(Number(child)))].join(
    '\n',
  );
}

it('a node prints, responds with and shows no secret, whatever fails, and neither do the commands beside it', async () => {
  const wallet = await startEchoingWallet();
  const signing = ['--wallet-url', wallet.url, '--secret-file', await secretFile(OPERATOR_SECRET)];
  await succeed(['operator', 'add', 'acme', ...signing], { env });
  const collector = await startOtlpReceiver();
  onTestFinished(() => collector.close());
  const collectorKey = 'the-key-of-the-collector-0123456789';
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${collectorKey}`,
  };
  const node = await startServe(['--workers', '1', '--drain-seconds', '0', '--log-level', 'trace'], {
    env: { ...env, ...tracing },
  });
  const { url } = node;
  const db = openDatabase({ url: env.DATABASE_URL });
  onTestFinished(() => db.$disconnect());
  const shown: string[] = [commandLines(node.pid)];
  const credentials = new Set<string>();
  const newSession = () => {
    const sessionID = `acme:secret-session-${credentials.size}:player-${credentials.size}`;
    credentials.add(sessionID);
    return sessionID;
  };
  const request = async (pathname: string, init: RequestInit = {}) => {
    const response = await fetch(url + pathname, { redirect: 'manual', ...init });
    shown.push(await response.text(), JSON.stringify([...response.headers]));
  };
  const post = (pathname: string, body: object | string, headers = {}) =>
    request(pathname, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
  const wholeRound = async (sessionID: string) => {
    const bet = { sessionID, amount: UNIT, mode: 'BASE' };
    await post('/wallet/authenticate', { sessionID, clientVersion: '1.0.0' });
    await post('/wallet/play', bet, { 'Idempotency-Key': 'k' });
    await post('/bet/event', { sessionID, event: 'picked' });
    await post('/wallet/end-round', { sessionID });
    await post('/wallet/balance', { sessionID });
    await post('/bet/history', { sessionID });
  };

  // First all is well; then the wallet fails in each way, and echoes all that it was sent.
  const sessionID = newSession();
  for (const status of [undefined, 200, 400, 500, 302]) {
    wallet.echo(status);
    await wholeRound(sessionID);
    await wholeRound(newSession());
  }
  wallet.echo(undefined);
  // The database fails.
  for (const name of ['find_sessions', 'authenticate_sessions', 'open_rounds', 'read_balances'])
    await withRenamed({ db }, { kind: 'FUNCTION', name }, () => wholeRound(sessionID));
  // The client fails: the sessionID is where it does not belong.
  for (const pathname of ['/wallet/authenticate', '/fixture/1.0.0/index.html']) {
    await request(`${pathname}?sessionID=${sessionID}`);
    await post(`${pathname}?sessionID=${sessionID}`, { sessionID });
  }
  const headers = { Authorization: `Bearer ${sessionID}`, Cookie: sessionID, 'X-Request-Id': `${sessionID} ` };
  for (const folder of ['/wallet/', '/', '/bet/replay/fixture/1.0.0/BASE/', '/%/'])
    await request(`${folder}${sessionID}`, { headers });
  await request(`/${sessionID}/`, { headers });
  const member = `"sessionID":"${sessionID}"`;
  const texts = [`{${member}`, `{${member},${member}}`, `["${sessionID}"]`];
  const objects = [
    { sessionID, amount: sessionID, mode: sessionID },
    { sessionID: [sessionID], event: { sessionID } },
  ];
  for (const body of [...texts, ...objects])
    for (const pathname of ['/wallet/play', '/bet/event', '/demo/play']) await post(pathname, body);
  for (const bytes of [
    `${sessionID}\r\n\r\n`,
    `GET / HTTP/1.1\r\nConnection: close\r\n${sessionID}\r\n\r\n`,
    `GET /${sessionID} HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ])
    shown.push(await exchangeRaw(url, bytes));
  // An operator launches, revokes, and signs wrongly.
  const caller = { code: 'acme', secret: OPERATOR_SECRET };
  const token = 'the-secret-token-of-a-launch';
  const launched = newSession();
  credentials.add(token);
  await operatorClient(url, caller).launch(launchBody({ token, sessionID: launched }));
  await wholeRound(launched);
  await operatorClient(url, caller).revoke(launched);
  const refused = [launchBody({ token, sessionID, gameID: 'none' }), `{"sessionID":"${sessionID}","token":"${token}`];
  for (const secret of [OPERATOR_SECRET, 'another'])
    for (const body of refused) {
      const call = { method: 'POST', path: '/operator/sessions', body };
      const headers = await signedHeaders({ code: 'acme', secret }, call);
      credentials.add(headers[SIGNATURE_HEADER]);
      shown.push((await send(url, { ...call, headers })).text);
    }
  const open = ['/metrics', '/openapi.json', '/wallet-openapi.json', '/healthz', '/readyz', '/docs/api', '/none'];
  for (const pathname of open) await request(pathname);
  await stop(node);
  shown.push(node.output(), ...collector.requests.map(({ body }) => body.toString()));
  // Every kind of work was traced, and no span has a credential or the operator's name of a player.
  const spans = new Set(collector.spans.map(({ name }) => name));
  for (const name of ['POST /wallet/play', 'verify session', 'launch session', 'wallet debit', 'wallet credit'])
    expect(spans).toContain(name);
  expect(collector.requests.map(({ body }) => body.toString()).join()).not.toMatch(/player-\d|sessionID=/);
  expect(node.output()).toMatch(/"level":50.*"request failed"/);
  expect(node.output()).toContain('the wallet of an operator fails');

  for (const words of ['operator list', 'audit list --json', 'parked list', 'books-balance', 'report']) {
    const { stdout, stderr } = await runRoundhouse(words.split(' '), { env });
    shown.push(stdout, stderr);
  }

  expect(wallet.signatures.size).toBeGreaterThan(20);
  const own = [new URL(env.DATABASE_URL).password, CANARY, OPERATOR_SECRET, SECRETS_KEY, collectorKey];
  for (const secret of [...own, ...credentials, ...wallet.signatures]) {
    expect(secret.length).toBeGreaterThan(3);
    const found = shown.find((text) => text.includes(secret));
    const at = found?.indexOf(secret) ?? 0;
    expect(found?.slice(Math.max(0, at - 300), at + 300), secret).toBeUndefined();
  }
});

it.each([
  ['has characters that belong to an address', (secret: string) => `postgresql://somebody:${secret}@#/?@127.0.0.1:1/x`],
  ['is in an address of another kind', (secret: string) => `mysql://somebody:${secret}@127.0.0.1:1/x`],
  ['is in no address', (secret: string) => `host=127.0.0.1 password=${secret}`],
  ['is in a port', (secret: string) => `postgresql://somebody@127.0.0.1:${secret}/x`],
  ['is in options', (secret: string) => `postgresql://127.0.0.1:1/x?password=${secret}&sslmode=${secret}`],
])('a password of the database that %s is in no error', async (_what, address) => {
  const DATABASE_URL = address(CANARY);
  const settings = { DATABASE_URL, ROUNDHOUSE_GAMES: env.ROUNDHOUSE_GAMES, ROUNDHOUSE_LOG_LEVEL: 'trace' };
  for (const args of [
    ['serve', '--port', '0'],
    ['migrate'],
    ['operator', 'list'],
    ['evidence', '--out', path.join(await temporaryFolder('canaries'), 'pack')],
  ]) {
    const { code, stdout, stderr } = await runRoundhouse(args, { env: settings });
    expect(`${stdout}${stderr}`, args.join(' ')).not.toContain(CANARY);
    expect(code).not.toBe(0);
    expect(stderr).not.toBe('');
  }
});
