import os from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUser } from '../../src/staff/access/users.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { BY_COMMAND, openBrowser, setPassword } from '../support/accessServer.ts';
import { lockAccount } from '../support/accountLock.ts';
import { call } from '../support/rgsCalls.ts';
import {
  expectOneLine,
  freePort,
  houseSession,
  type Roundhouse,
  runRoundhouse,
  spawnRoundhouse,
  succeed,
  untilPortClosed,
} from '../support/roundhouse.ts';
import { type ServedFixture, servedFixture } from '../support/servedFixture.ts';

let env: ServedFixture;
let url: string;
let consoleUrl: string;
let node: Roundhouse;
let db: Database;

beforeAll(async () => {
  env = await servedFixture('staff');
  db = openDatabase({ url: env.DATABASE_URL });
  // The port identifies the node for `status`.
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const args = ['--workers', '1', '--console-port', '0', '--two-person', '--drain-seconds', '5'];
  node = spawnRoundhouse(['serve', ...args, '--port', String(port)], { env });
  const [, printed = ''] = await node.waitFor(/"console":"(http:[^"]+)"/);
  consoleUrl = printed;
});
afterAll(() => db.$disconnect());

async function status(...args: string[]) {
  const { code, stdout, stderr } = await runRoundhouse(['status', '--wait', '600', ...args], { env });
  expect(stderr).toBe('');
  return { code, text: stdout };
}

/** Adds a user of support, as the command does, and signs in as this user. */
async function signedIn(name: string) {
  const email = `${name}@example.com`;
  const user = { email, name, role: 'support', operator: null } as const;
  const added = await addUser(db, user, { by: BY_COMMAND, consoleUrl });
  expect(added.ok && (await setPassword(consoleUrl, added.link)).status).toBe(200);
  const browser = openBrowser(consoleUrl);
  expect((await browser.signIn(email)).status).toBe(200);
  return browser;
}

/** Plays until a round is open, which only a win is. */
async function openRound(sessionID: string): Promise<number> {
  for (;;) {
    const { round } = await call(url, '/wallet/play', { sessionID, amount: 1_000_000, mode: 'BASE' });
    if (round.active) return round.betID;
  }
}

const linesOf = (): { pid: number; msg: string; route?: string }[] =>
  (node.output().match(/^\{.*\}$/gm) ?? []).map((line) => JSON.parse(line));

describe('the console of roundhouse serve', () => {
  it('is on its own port, and nothing of it on the port of the players', async () => {
    expect((await fetch(`${consoleUrl}/admin/account`)).status).toBe(401);
    expect((await fetch(`${url}/admin/account`)).status).toBe(404);
    expect((await fetch(`${url}/api/auth/get-session`)).status).toBe(404);
    const page = await fetch(consoleUrl);
    expect(await page.text()).toContain('<title>');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'/);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('is where the link of a user leads that a command adds', async () => {
    const words = ['user', 'add', '--email', 'ann@example.com', '--name', 'Ann', '--role', 'administrator'];
    expect(await succeed([...words, '--console-url', consoleUrl], { env })).toContain(`${consoleUrl}/welcome?token=`);
  });

  it('runs apart from the workers, and starts again on its port when it dies', async () => {
    await fetch(`${consoleUrl}/admin/account`);
    await node.waitFor(/"route":"\/admin\/account","status":401/);
    const { pid } = linesOf().find(({ route }) => route === '/admin/account') ?? { pid: 0 };
    expect(pid).toBeGreaterThan(0);
    expect(os.getPriority(pid), 'players come first').toBeGreaterThan(os.getPriority());
    await fetch(`${url}/healthz`, { headers: { 'x-request-id': 'of-a-worker' } });
    await node.waitFor(/of-a-worker/);
    process.kill(pid, 'SIGKILL');
    await node.waitFor(/the process of the console died/);
    await expect
      .poll(async () => (await fetch(`${consoleUrl}/admin/account`).catch(() => undefined))?.status)
      .toBe(401);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('that is killed between an approval and its action has done neither: the request waits on, and runs once', async () => {
    const sessionID = await houseSession({ url, env, player: 'berta' });
    await call(url, '/wallet/authenticate', { sessionID });
    const betID = await openRound(sessionID);
    const [asker, approver] = [await signedIn('asker'), await signedIn('approver')];
    const wanted = await asker.post(`/admin/rounds/${betID}/void`, { reason: 'complaint' });
    expect(wanted.body).toMatchObject({ approvers: expect.any(Number) });
    const approve = () => approver.post(`/admin/approvals/${wanted.body.approvalID}`, { decision: 'approve' });
    const refunds = () => db.transfer.count({ where: { roundId: BigInt(betID), kind: 'refund' } });

    const account = await lockAccount(env.DATABASE_URL, 'berta');
    const { pid } = linesOf().findLast(({ route }) => route?.startsWith('/admin/')) ?? { pid: 0 };
    const lost = expect(approve()).rejects.toThrow();
    await account.untilWaiting(1);
    process.kill(pid, 'SIGKILL');
    await lost;
    await account.release();

    await expect.poll(async () => (await fetch(consoleUrl).catch(() => undefined))?.status).toBe(200);
    const read = async () => (await approver.get('/admin/approvals')).body.items;
    expect(await read()).toMatchObject([{ state: 'waiting', outcome: null, mayDecide: true }]);
    expect(await refunds()).toBe(0);
    expect((await approve()).body).toMatchObject({ state: 'approved', outcome: { status: 200, message: null } });
    expect([await refunds(), (await approve()).status]).toEqual([1, 409]);
  });

  it('needs the key of secrets', async () => {
    const keyless = { ...env, ROUNDHOUSE_SECRETS_KEY: '' };
    const exit = await runRoundhouse(['serve', '--port', '0', '--console-port', '0'], { env: keyless });
    expectOneLine(exit, /^The console needs ROUNDHOUSE_SECRETS_KEY\.$/m);
  });
});

describe('roundhouse status', () => {
  it('finds a real node ready, and understands its metrics', async () => {
    const sessionID = await houseSession({ url, env, player: 'anna' });
    await call(url, '/wallet/authenticate', { sessionID });
    await call(url, '/wallet/play', { sessionID, amount: 1_000_000, mode: 'BASE' });
    // The node reads its clock soon after its start.
    const offset = async () =>
      JSON.parse((await status('--json', '--node', url)).text).nodes[0].metrics.clockOffsetSeconds;
    await expect.poll(offset).not.toBeNull();
    const { code, text } = await status('--json', '--node', `${url}/`);
    const { nodes, stored, findings } = JSON.parse(text);
    expect({ code, findings }).toEqual({ code: 0, findings: [] });
    expect(nodes).toMatchObject([
      { url, isReady: true, metricsIssue: null, metrics: { overloads: 0, roundStops: [] } },
    ]);
    expect(stored).toMatchObject({ lastRoundAt: expect.any(String), notAsked: [] });
  });

  it('sends a request to the node that runs, wherever it listens, because it has registered its address', async () => {
    const { code, text } = await status('--json');
    const { nodes, findings, stored } = JSON.parse(text);
    expect({ code, findings }).toEqual({ code: 0, findings: [] });
    expect(nodes).toMatchObject([{ url, isReady: true }]);
    expect(stored.notAsked).toEqual([]);
  });

  it('lists a node that gets no request by its name', async () => {
    const other = `http://127.0.0.1:${await freePort()}`;
    const { text } = await status('--node', other);
    expect(text).toContain(`${os.hostname()}#${node.pid}  not asked: name it with --node (`);
  });

  it('with --watch prints look after look, with the rate of rounds, and ends with the code of the last one', async () => {
    const watching = spawnRoundhouse(['status', '--watch', '1', '--node', url], { env });
    await watching.waitFor(/(Is money safe\?.*){2}/s);
    await watching.waitFor(/^Rounds .* ago, \d+\.\d per second$/m);
    await db.maintenance.create({ data: { scope: 'server', target: '', level: 'no_new_rounds' } });
    await watching.waitFor(/^warning +maintenance of the server is on: no-new-rounds$/m);
    watching.pressCtrlC();
    const { code, stdout, stderr } = await watching.exited;
    await db.maintenance.deleteMany();
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ\nIs money safe\?/);
    expect(stdout).not.toContain('\x1b');
  });

  it('with --watch --json prints each look on a line', async () => {
    const watching = spawnRoundhouse(['status', '--watch', '1', '--json', '--node', url], { env });
    await watching.waitFor(/^\{.*\}\n\{.*\}$/m);
    watching.kill('SIGTERM');
    const { code, stdout } = await watching.exited;
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ verdict }) => verdict)).toEqual(lines.map(() => 'ok'));
    expect(code).toBe(0);
  });

  it('finds a node that drains not ready, and one that has stopped away and not missed; the console ends with it', async () => {
    node.kill('SIGTERM');
    await node.waitFor(/"msg":"finishing what is in flight"/);
    const draining = await status('--node', url);
    expect(draining.text).toMatch(/^critical {2}http:\S+ is not ready: draining$/m);
    expect(draining.code).toBe(2);
    expect((await node.exited).code).toBe(0);
    await untilPortClosed(url);
    const { code, text } = await status('--node', url);
    expect(text).toMatch(/^Nodes {8}http:\S+ {2}away: ECONNREFUSED\nDatabase /m);
    expect(code).toBe(2);
    await expect(fetch(consoleUrl)).rejects.toThrow();
  });
});
