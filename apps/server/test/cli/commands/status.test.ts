import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openClient } from '@roundhouse/service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askNode } from '../../../src/staff/status/askNode.ts';
import { EXIT_CODES } from '../../../src/staff/status/judge.ts';
import { findRegisteredNodes } from '../../../src/staff/status/registeredNodes.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { recordEvent } from '../../../src/store/watch/significantEvents.ts';
import { createEmptyDatabase } from '../../support/database.ts';
import { freePort, runRoundhouse } from '../../support/roundhouse.ts';
import { startSilentProxy } from '../../support/silentProxy.ts';
import { minutesAgo, useBooks } from './books.ts';

// src/staff/status/judge.test.ts tests every threshold, test/node/nodeForStaff.test.ts real nodes.

const books = useBooks();
let operatorID: number;

const METRICS = `# HELP roundhouse_build_info The version.
roundhouse_build_info{version="1.2.3",node_version="v20.0.0"} 1
roundhouse_database_connections{pool="players",state="in_use"} 3
roundhouse_database_connections{pool="players",state="idle"} 2
roundhouse_database_connections_max{pool="players"} 10
roundhouse_database_waiting{pool="players"} 4
roundhouse_clock_offset_seconds 0.002
roundhouse_install_verified 1
roundhouse_workers 2
roundhouse_overloads_total{queue="open_rounds"} 5
roundhouse_wallet_paused{operator="acme",pool="players"} 0
`;
const ready: RequestListener = (req, res) => void res.end(req.url === '/readyz' ? '{"status":"ok"}' : METRICS);

/** No time runs out on a busy machine. */
const PATIENT = ['--wait', '600'];

const servers: http.Server[] = [];

/** Starts a program that gets the requests of a node. */
async function answering(listener: RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let node: string;
beforeAll(async () => {
  operatorID = await books.seamlessOperator('acme', 'http://127.0.0.1:9');
  node = await answering(ready);
});
afterEach(async () => {
  await books.db.walletTransaction.deleteMany();
  await books.db.round.deleteMany();
});
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Returns its output, which is nothing on standard error, and its exit code. */
async function status(...args: string[]) {
  const { code, stdout, stderr } = await books.run('status', ...PATIENT, ...args);
  expect(stderr).toBe('');
  return { code, text: stdout };
}

async function statusJson(...args: string[]) {
  const { code, text } = await status('--json', ...args);
  const body = JSON.parse(text);
  expect(code).toBe(body.exitCode);
  return body;
}

const findingIDs = ({ findings }: { findings: { id: string }[] }) => findings.map(({ id }) => id);

async function owe(minutes: number, state: 'pending' | 'parked', amount = 12_500_000n) {
  const createdAt = minutesAgo(minutes);
  const credit = { kind: 'credit', state, amount, resultCode: 'timeout', createdAt } as const;
  await books.round(await books.player(operatorID, randomUUID()), [{ kind: 'debit' }, credit]);
}

describe('roundhouse status', () => {
  it('answers the three questions and shows the facts, with exit code 0 when all is well', async () => {
    const { code, text } = await status('--node', node);
    expect(text).toMatch(/^Is money safe\? {7}ok {8}nothing is unsettled\n/);
    expect(text).toMatch(/^Are players served\? {2}ok {8}1 of 1 node ready$/m);
    expect(text).toMatch(/^Whose fault is it\? {3}ok {8}nobody's\n\nNodes /m);
    const facts = `ready, 1.2.3, 2 workers, connections 3 of 10, 4 waiting, clock offset 2 ms, install verified, 5 overloads since its start`;
    expect(text).toContain(`Nodes        ${node}  ${facts}\n`);
    expect(text).toMatch(
      /^Database {5}postgresql:\/\/[^@\s]+ {2}PostgreSQL [\d.]+, primary, migrated, [\d.]+ [kM]B, \d+ of \d+ connections/m,
    );
    expect(text).toMatch(/^Unsettled {4}nothing$/m);
    expect(text).toMatch(/^Rounds {7}none open, none yet$/m);
    expect(text).toMatch(/^Event log {4}\d+ events; roundhouse audit verify proves it whole$/m);
    expect(code).toBe(0);
  });

  it('names old money with its operator, its exact amounts and the last result, and says what to run', async () => {
    await owe(11, 'pending', 12_500_002n);
    await owe(1, 'pending', 9_007_199_254_740_991n);
    await owe(5_000, 'parked');
    const { code, text } = await status('--node', node);
    expect(text).toMatch(
      /^Is money safe\? +warning +2 wallet transactions of acme pending, the oldest for 11 min, last result timeout/,
    );
    expect(text).toMatch(
      /^warning {3}1 wallet transaction of acme parked, last result timeout\n {10}→ roundhouse parked list$/m,
    );
    expect(text).toMatch(/^ {10}→ roundhouse reconcile acme$/m);
    expect(text).toMatch(
      /^Wallets {6}acme {2}2 pending \(9007199267.240993 USD\), the oldest 11 min, 1 parked \(12\.50 USD\), the oldest 3 d, last results timeout × 3$/m,
    );
    expect(text).toMatch(/^Unsettled {4}9007199279\.740993 USD$/m);
    expect(text).toMatch(/^Rounds {7}3 open \(3 younger than 10 min\), the last opened \d+(\.\d)? s ago$/m);
    expect(text).toMatch(/^Whose fault is it\? +warning +wallet of acme$/m);
    expect(code).toBe(1);
    await owe(61, 'pending');
    expect((await status('--node', node)).code).toBe(2);
  });

  it('has a stable shape as JSON, with amounts as text', async () => {
    await owe(61, 'pending', 9_007_199_254_740_991n);
    const body = await statusJson('--node', node);
    expect(Object.keys(body)).toEqual([
      'at',
      'verdict',
      'exitCode',
      'questions',
      'findings',
      'nodes',
      'database',
      'stored',
    ]);
    const text = '1 wallet transaction of acme pending, the oldest for 61 min, last result timeout';
    const finding = { id: 'pending', severity: 'critical', question: 'money', cause: 'wallet of acme', text };
    expect(body).toMatchObject({
      ...{ verdict: 'critical', exitCode: 2, findings: [{ ...finding, command: 'roundhouse reconcile acme' }] },
      questions: {
        ...{ money: { verdict: 'critical', text }, players: { verdict: 'ok' } },
        fault: { verdict: 'critical', text: 'wallet of acme' },
      },
      nodes: [{ url: node, isReady: true, reason: null, issue: null, metrics: { version: '1.2.3', overloads: 5 } }],
      database: { issue: null, lacks: [], isStandby: false, sizeBytes: expect.stringMatching(/^\d+$/), standbys: [] },
      stored: {
        unsettled: [{ operator: 'acme', state: 'pending', currency: 'USD', amount: '9007199254740991', day: 1 }],
        openRounds: { tenMinutes: 1, hour: 0, day: 0, older: 0 },
        ...{ outages: [], alarms: [], notAsked: [], maintenance: [], waitingApprovals: 0, events: expect.any(String) },
      },
    });
  });

  it('shows an outage of a wallet until it has ended, and maintenance until it is off', async () => {
    const outage = { subject: 'operator acme', after: {} };
    await recordEvent(books.db, { kind: 'wallet_outage_began', ...outage });
    await books.succeed('maintenance', 'on', 'operator', 'acme');
    await books.succeed('maintenance', 'on', 'game', 'a-game');
    const { code, text } = await status('--node', node);
    expect(text).toMatch(
      /^critical {2}the wallet of acme has failed since \S+Z\n {10}→ roundhouse audit list --subject "operator acme" --limit 5$/m,
    );
    expect(text).toMatch(/^warning {3}maintenance of operator acme is on: no-new-rounds$/m);
    expect(text).toMatch(
      /^Maintenance {2}operator acme {2}no-new-rounds since .*\n {13}game a-game {2}no-new-rounds since /m,
    );
    expect(code).toBe(2);
    await recordEvent(books.db, { kind: 'wallet_outage_ended', ...outage });
    expect(findingIDs(await statusJson('--node', node))).toEqual(['maintenance']);
    await books.succeed('maintenance', 'off', 'operator', 'acme');
    await books.succeed('maintenance', 'off', 'game', 'a-game');
    expect(await statusJson('--node', node)).toMatchObject({ verdict: 'ok', stored: { maintenance: [] } });
  });

  it('shows an alarm of the RTP, as a warning while its period runs', async () => {
    const [version] = await books.db.gameVersion.findMany();
    const period = (name: string) => books.db.$executeRaw`
      INSERT INTO rtp_alarms (game_version_id, mode, currency, period, rounds, bets, payouts)
      VALUES (${version?.id}, 'BASE', 'USD', ${name}, 100000, 3000000, 2999999)`;
    await period('2020-01');
    expect(findingIDs(await statusJson('--node', node))).toEqual([]);
    await period(new Date().toISOString().slice(0, 7));
    const { code, text } = await status('--node', node);
    expect(text).toMatch(/^ {10}→ roundhouse rtp --game a-game$/m);
    expect(text).toMatch(/^Alarms {7}a-game\/1\.0\.0 BASE USD, \d{4}-\d\d: 99\.99 % of 100,000 rounds$/m);
    expect(code).toBe(1);
    await books.db.$executeRaw`DELETE FROM rtp_alarms`;
  });
});

describe('without --node', () => {
  it('the nodes that run get requests where they have registered themselves, also by a role that may see nothing', async () => {
    const name = `${'a-long-host-name-'.repeat(5)}#42`;
    const listens = { host: '0.0.0.0', port: 4010, addresses: ['10.0.0.7'] };
    const started = (of: string, more = {}) =>
      recordEvent(books.db, { kind: 'node_started', subject: `node ${of}`, after: { version: '1', ...more } });
    await started(name, { listens });
    // It was killed, so it has left no event of its end.
    await started('killed#43', { listens: { ...listens, addresses: ['10.0.0.8'] } });
    await started('older#44');
    const running = openDatabase({ url: books.url, node: name });
    await running.$queryRaw`SELECT 1`;
    const owner = await openClient(books.url);
    await owner.query(`CREATE ROLE looker LOGIN PASSWORD 'looker'; GRANT pg_read_all_data TO looker`);
    const url = Object.assign(new URL(books.url), { username: 'looker', password: 'looker' }).href;
    const looker = openDatabase({ url });
    const found = await findRegisteredNodes(looker, 'here');
    await looker.$disconnect();
    await running.$disconnect();
    expect(found).toEqual(['http://10.0.0.7:4010']);
    await owner.query('DROP OWNED BY looker; DROP ROLE looker');
    await owner.end();
    await expect.poll(() => findRegisteredNodes(books.db, 'here')).toEqual([]);
    for (const each of [name, 'killed#43', 'older#44'])
      await recordEvent(books.db, { kind: 'node_stopped', subject: `node ${each}` });
  });
});

describe('a node', () => {
  it.each<[string, RequestListener]>([
    ['hangs', () => {}],
    [
      'stops in the middle of its response',
      (_req, res) => void res.writeHead(200, { 'content-length': 99 }).write('{"status'),
    ],
  ])('that %s is given up', async (_what, listener) => {
    const issue = 'no response within 0.1 s';
    expect(await askNode(await answering(listener), 100)).toMatchObject({ isReady: null, issue, metricsIssue: issue });
  });

  it.each<[what: string, listener: RequestListener, issue: RegExp, id: string]>([
    ['that ends the connection', (req) => void req.socket.destroy(), /^UND_ERR_SOCKET$|^ECONNRESET$/, 'node-away'],
    [
      'that is another program',
      (_req, res) => void res.end('<html>\x1b[2J'),
      /^\/readyz responds with status 200, and not as a node of Roundhouse does$/,
      'node-away',
    ],
    [
      'that leads elsewhere',
      (_req, res) => void res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      /^\/readyz responds with status 302, /,
      'node-away',
    ],
  ])('%s is critical when it is the only one, and a warning beside another', async (_what, listener, issue, id) => {
    const url = await answering(listener);
    const alone = await statusJson('--node', url);
    expect(alone).toMatchObject({ exitCode: 2, nodes: [{ url, isReady: null, issue: expect.stringMatching(issue) }] });
    expect(alone.findings).toMatchObject([{ id, severity: 'critical', command: `curl -sS ${url}/readyz` }]);
    const { code, text } = await status('--node', node, '--node', url);
    expect(code).toBe(1);
    expect(text).toMatch(/^Are players served\? {2}warning /m);
    expect(text).toContain(`  ${url}  away: `);
  });

  it('that nobody listens for is away', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await statusJson('--node', url)).toMatchObject({ exitCode: 2, nodes: [{ issue: 'ECONNREFUSED' }] });
  });

  it('that is not ready says why, and moves no cursor', async () => {
    const url = await answering((_req, res) => void res.writeHead(503).end('{"status":"drai\\u001b[2J\\nning"}'));
    const { text } = await status('--node', url);
    expect(text).toContain(`${url}  not ready: drai [2J ning, no metrics: /metrics responds with status 503\n`);
    expect(text).toMatch(/^Whose fault is it\? +critical +node http/m);
  });

  it.each(['nonsense', '', '{"status":"ok"}', 'up 1\n', 'roundhouse_x'])('has no metrics in %j', async (body) => {
    const url = await answering((req, res) => void res.end(req.url === '/readyz' ? '{"status":"ok"}' : body));
    const found = await statusJson('--node', url);
    expect(found).toMatchObject({ exitCode: 1, nodes: [{ isReady: true, metrics: null }] });
    expect(found.findings).toMatchObject([{ id: 'no-metrics', command: `curl -sS ${url}/metrics` }]);
  });
});

describe('a database', () => {
  /** The status of another database than that of the file. */
  const statusOf = (database: string, ...args: string[]) =>
    runRoundhouse(['status', ...PATIENT, '--database', database, '--node', node, ...args], { env: {} });

  it('that is away makes the answer unknown, with exit code 3 and what the nodes say', async () => {
    const { code, stdout } = await statusOf(`postgresql://u:s3cret@127.0.0.1:${await freePort()}/x`);
    expect(stdout).toMatch(/^Is money safe\? +unknown +The database cannot be reached \(ECONNREFUSED\)\./);
    expect(stdout).toMatch(/^Are players served\? +ok +1 of 1 node ready$/m);
    expect(stdout).toMatch(/^Database {5}postgresql:\/\/127\.0\.0\.1:\d+\/x {2}cannot be read$/m);
    expect(stdout).not.toContain('s3cret');
    expect(code).toBe(3);
  });

  it('that never responds is given up', async () => {
    const proxy = await startSilentProxy(books.url);
    proxy.silence();
    const { code, stdout } = await statusOf(proxy.url, '--wait', '1');
    await proxy.close();
    expect(stdout).toMatch(/ unknown +The database cannot be reached \(no response\)\./);
    expect(code).toBe(3);
  });

  it('that takes too long for a statement is given up after seconds', async () => {
    const holder = await openClient(books.url);
    await holder.query('BEGIN; LOCK TABLE rounds IN ACCESS EXCLUSIVE MODE');
    const { code, stdout } = await statusOf(books.url, '--wait', '10');
    await holder.end();
    expect(stdout).toMatch(/^Is money safe\? +unknown +The database takes longer than 10 s for a statement\./);
    expect(code).toBe(3);
  });

  it('that lacks a migration needs `roundhouse migrate`', async () => {
    const empty = await createEmptyDatabase();
    const { code, stdout } = await statusOf(empty.url);
    expect(stdout).toMatch(/^critical {2}the database lacks 2\d+_initial and \d+ more\n {10}→ roundhouse migrate$/m);
    expect(stdout).toMatch(/PostgreSQL [\d.]+, primary, NOT migrated, /);
    const { stdout: json } = await statusOf(empty.url, '--json');
    expect(JSON.parse(json)).toMatchObject({ stored: null, exitCode: 2 });
    expect(code).toBe(2);
    await empty.drop();
  });

  it('whose role may see no other session, and change nothing, is enough', async () => {
    const owner = await openClient(books.url);
    await owner.query(`CREATE ROLE watcher LOGIN PASSWORD 'watcher'; GRANT pg_read_all_data TO watcher`);
    const url = Object.assign(new URL(books.url), { username: 'watcher', password: 'watcher' }).href;
    const { code, stdout } = await statusOf(url, '--json');
    await owner.query('DROP OWNED BY watcher; DROP ROLE watcher');
    await owner.end();
    expect(JSON.parse(stdout)).toMatchObject({ findings: [], database: { maySee: false }, exitCode: 0 });
    expect(code).toBe(0);
  });
});

describe('exit code 3, and one line on standard error, come', () => {
  it.each([
    ['--node ftp://x', /^error: option '--node <url>' argument 'ftp:\/\/x' is invalid\./],
    ['--node http://u:p@x', /^error: option '--node/],
    [
      '--watch 0',
      /^error: option '--watch \[seconds\]' argument '0' is invalid\. A whole number of seconds from 1 to 3600/,
    ],
    ['--watch 1.5', /^error: option '--watch/],
    ['--nodes http://x', /^error: unknown option '--nodes'/],
    ['everything', /^error: too many arguments/],
  ])('with %s', async (args, line) => {
    const { code, stdout, stderr } = await books.run('status', ...args.split(' '));
    expect(stderr).toMatch(line);
    expect({ code, stdout }).toEqual({ code: EXIT_CODES.unknown, stdout: '' });
  });

  it('without a database', async () => {
    const { code, stderr } = await runRoundhouse(['status'], { env: { ROUNDHOUSE_DATA: '/nonexistent' } });
    expect(stderr).toMatch(/^No server runs on \/nonexistent\. .* DATABASE_URL\.$/m);
    expect(code).toBe(EXIT_CODES.unknown);
  });

  it('but the help ends with 0', async () => {
    expect((await books.run('status', '--help')).code).toBe(0);
  });
});
