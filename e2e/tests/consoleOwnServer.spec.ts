import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { Client } from 'pg';
import { type ConsoleSite, choose, test as console, expect, expectGoodPage } from '../support/console.ts';
import { type CutProxy, startCutProxy } from '../support/cutProxy.ts';
import { readHandover } from '../support/handover.ts';
import type { RgsServer } from '../support/server.ts';
import { type StartedStack, startStack } from '../support/stack.ts';

const SAMPLE_GAME = fileURLToPath(new URL('../../games/sample/dist', import.meta.url));
const START_MS = 300_000;
const MOST_ROUNDS = 200;
const UNIT = 1_000_000;
const BITCOIN = { code: 'BTC', kind: 'regular', symbol: '₿', decimals: 8, symbolSide: 'before', wireUnitsPerUnit: 100 };

/**
 * These tests stop a game or the database for everybody, and need options of the whole server. So
 * they have their own server, on its own database in the cluster of all tests.
 */
let own: StartedStack;
let proxy: CutProxy;

const test = console.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
  stack: async ({}, use) => use(own.stack),
});

test.beforeAll(async () => {
  test.setTimeout(START_MS);
  const { databaseUrl } = readHandover().stack;
  const url = new URL(databaseUrl);
  url.pathname = `/own_${randomUUID().slice(0, 8)}`;
  const sql = new Client({ connectionString: databaseUrl });
  await sql.connect();
  await sql.query(`CREATE DATABASE ${url.pathname.slice(1)}`).finally(() => sql.end());
  proxy = await startCutProxy(url.href);
  const currencies = path.join(mkdtempSync(path.join(tmpdir(), 'currencies-')), 'currencies.json');
  writeFileSync(currencies, JSON.stringify([BITCOIN]));
  own = await startStack(SAMPLE_GAME, '--two-person', '--database', proxy.url, '--currencies', currencies);
});
test.afterAll(async () => {
  await own.stop();
  await proxy.close();
});

test.use({ game: 'sample-lines' });
test.describe.configure({ mode: 'serial' });

test('the first administrator reads how there comes to be a second one', async ({ page, site }) => {
  await site.open(page, site.admin.cookie, '/users');
  const notice = page.getByRole('alert').filter({ hasText: 'There is no second administrator' });
  await expect(notice).toContainText('roundhouse user add --email … --name … --role administrator');
  await page.getByRole('button', { name: 'Add a user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a user' });
  await dialog.getByLabel('Email').fill('waits@staff.example');
  await dialog.getByLabel('Name').fill('Waits');
  await dialog.getByRole('button', { name: 'Add the user' }).click();
  await expect(page.getByText('Nobody else may approve this yet')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expectGoodPage(page, 'users-alone');
  await page.goto(`${site.url}/approvals?state=waiting`);
  await expect(page.getByRole('row').filter({ hasText: 'Add waits@staff.example (Waits) as viewer' })).toContainText(
    'for another user',
  );
});

test("an amount in a currency of the server's settings is read and shown in its unit", async ({ page, site }) => {
  await site.signIn(page, { role: 'administrator' }, '/operators/house');
  await page.getByRole('button', { name: 'Change limits' }).click();
  const dialog = page.getByRole('dialog');
  await choose(dialog, 'Currency', 'BTC');
  await dialog.getByLabel('Max bet').fill('1.5');
  const sent = page.waitForRequest(/limits$/);
  await dialog.getByRole('button', { name: 'Set limits in BTC' }).click();
  expect((await sent).postDataJSON()).toEqual({ limits: [{ currency: 'BTC', maxBetMicros: 150 * UNIT }] });
  await expect(dialog).toHaveCount(0);
  await page.goto(`${site.url}/approvals?state=waiting`);
  await expect(page.getByRole('row').filter({ hasText: 'in BTC' })).toContainText('₿1.50000000');
});

test('a void waits for a second user, who sees what it is and approves it', async ({ page, site, server, browser }) => {
  const betID = await openRound(server);
  const asker = await signInElsewhere(browser, site, 'support');
  const asked = await site.api(asker, `/admin/rounds/${betID}/void`, { reason: 'The player complains' });
  expect(asked.status()).toBe(202);
  const { approvalID } = await asked.json();

  // The requester cannot approve it.
  await asker.goto(`${site.url}/approvals?state=waiting`);
  const ownRow = asker.getByRole('row').filter({ hasText: `Void round ${betID}:` });
  await expect(ownRow).toContainText('for another user');
  await expect(ownRow.getByText('a second user must decide it')).toBeVisible();

  await site.signIn(page, { role: 'administrator' }, '/approvals?state=waiting');
  const row = page.getByRole('row').filter({ hasText: `Void round ${betID}:` });
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect(pages.getByRole('link', { name: 'Approvals' })).toHaveText(/\d+ waiting$/);
  await expectGoodPage(page, 'approvals');
  await row.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: `Approve request ${approvalID}?` });
  await expect(dialog).toContainText(new RegExp(`Void round ${betID}: returns .* the round pays nothing\\.`));
  await expect(dialog.getByRole('row', { name: 'Reason' })).toContainText('The player complains');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText(`Request ${approvalID} is approved`)).toBeVisible();
  await expect(row).toHaveCount(0);
  const { items } = await (await site.api(page, '/admin/approvals?state=approved')).json();
  expect(items).toContainEqual(expect.objectContaining({ approvalID, decidedBy: expect.any(String) }));
  await asker.context().close();
});

test('a request is rejected once: the second user sees who was first', async ({
  page,
  site,
  server,
  browser,
  watch,
}) => {
  const betID = await openRound(server);
  const asker = await signInElsewhere(browser, site, 'support');
  const asked = await site.api(asker, `/admin/rounds/${betID}/void`, { reason: 'Another complaint' });
  const { approvalID } = await asked.json();
  const first = await signInElsewhere(browser, site, 'administrator');

  await site.signIn(page, { role: 'administrator' }, '/approvals?state=waiting');
  await page
    .getByRole('row')
    .filter({ hasText: `Void round ${betID}:` })
    .getByRole('button', { name: 'Reject' })
    .click();
  const dialog = page.getByRole('dialog', { name: `Reject request ${approvalID}?` });
  await dialog.getByLabel('Reason').fill('Not without the video');
  const won = await site.api(first, `/admin/approvals/${approvalID}`, { decision: 'reject', reason: 'I was faster' });
  expect(won.status(), await won.text()).toBe(200);
  watch.expectComplaint(/status of 409/);
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Somebody else was first: administrator-');
  await expect(dialog.getByLabel('Reason')).toHaveValue('Not without the video');
  // It waits no more, so it is not in this list.
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('row').filter({ hasText: `Void round ${betID}:` })).toHaveCount(0);
  for (const other of [asker, first]) await other.context().close();
});

test('a new secret waits on the page of its operator, and after the approval its requester is shown it', async ({
  page,
  site,
  browser,
}) => {
  const code = `own-${randomUUID().slice(0, 8)}`;
  await site.command('operator', 'add', code, '--wallet-url', 'https://wallet.example/api');
  const asker = await signInElsewhere(browser, site, 'administrator');
  await asker.goto(`${site.url}/operators/${code}`);
  await asker.getByRole('button', { name: 'Rotate the secret' }).click();
  await asker.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
  const notice = asker.getByRole('alert').filter({ hasText: 'A request waits for a second user' });
  await expect(notice).toContainText(`Make a second secret for operator ${code}.`);
  await expectGoodPage(asker, 'operator-waiting');

  await site.signIn(page, { role: 'administrator' }, '/approvals?state=waiting');
  await page.getByRole('row').filter({ hasText: code }).getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/Fingerprint of the current secret–[0-9a-f]{4}/);
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText(/^Request \d+ is approved and done$/)).toBeVisible();

  await asker.getByRole('button', { name: 'Show the secret' }).click();
  const shown = asker.getByRole('dialog', { name: `New secret of operator ${code}` });
  await expect(shown.getByText(/^[\w-]{43}$/)).toBeVisible();
  await expectGoodPage(asker, 'receive-secret');
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toHaveCount(0);
  await expect(asker.getByRole('button', { name: 'Show the secret' })).toHaveCount(0);
  await expect(asker.getByText('rotation in progress')).toBeVisible();
  await asker.context().close();
});

test('a game manager sees what a game returned, withdraws its version and reinstates it', async ({
  page,
  site,
  server,
}) => {
  const { sessionID } = await server.startSession();
  await server.authenticate(sessionID);
  for (let rounds = 0; rounds < 5; rounds += 1) await server.playToEnd({ sessionID, mode: 'BASE', amount: UNIT });
  await site.signIn(page, { role: 'gameManager' }, '/games');
  const games = page.getByRole('region', { name: 'Games', exact: true });
  await expect(games.getByRole('row')).toHaveCount(2);
  await expect(games).toContainText('available');
  await expectGoodPage(page, 'games');
  await games.getByRole('link').first().click();

  const returns = page.getByRole('region', { name: 'RTP over time', exact: true });
  await expect(returns.getByRole('figure', { name: /^RTP of BASE in USD/ })).toBeVisible();
  await expect(returns.locator('canvas')).toBeVisible();
  await returns.getByText('Show as a table').click();
  await expect(returns.getByRole('columnheader', { name: 'Theoretical RTP' })).toBeVisible();
  await expect(returns.getByRole('cell', { name: /^\d+\.\d\d %$/ }).first()).toBeVisible();
  await expectGoodPage(page, 'game');

  const versions = page.getByRole('region', { name: 'Versions', exact: true });
  await versions.getByRole('button', { name: 'Withdraw' }).click();
  const dialog = page.getByRole('dialog', { name: /^Withdraw version/ });
  await expect(dialog).toContainText(/Open rounds \(\d+\) stay open/);
  await dialog.getByLabel('Reason').fill('wrong paytable');
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await expect(versions).toContainText('withdrawn');
  expect(await tryPlay(server, sessionID)).toBe('ERR_MAINTENANCE');

  await versions.getByRole('button', { name: 'Reinstate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reinstate' }).click();
  await expect(versions).toContainText('available');
  expect(await tryPlay(server, sessionID)).toBe('played');
});

test('maintenance names who is stopped, and its end lets them play again', async ({ page, site, server }) => {
  const { sessionID } = await server.startSession();
  await server.authenticate(sessionID);
  await site.signIn(page, { role: 'gameManager' }, '/games');
  await page.getByRole('button', { name: 'Start maintenance of the whole server' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start maintenance of the whole server?' });
  await expect(dialog).toContainText('All players, in every game of every operator, cannot open a round');
  await expect(dialog).toContainText('Open rounds stay open');
  await dialog.getByLabel('Reason').fill('An update of the wallet');
  await dialog.getByRole('button', { name: 'Start maintenance' }).click();
  const list = page.getByRole('region', { name: 'Active maintenance' });
  await expect(list).toContainText('the whole server');
  expect(await tryPlay(server, sessionID)).toBe('ERR_MAINTENANCE');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await expect(page.getByText('1active now')).toBeVisible();
  await page.getByRole('link', { name: 'Maintenance', exact: true }).click();
  await expect(list.getByRole('row', { name: 'the whole server' })).toContainText('An update of the wallet');
  await list.getByRole('button', { name: 'End maintenance' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('The update is done');
  await page.getByRole('dialog').getByRole('button', { name: 'End maintenance' }).click();
  await expect(list).toContainText('No active maintenance');
  expect(await tryPlay(server, sessionID)).toBe('played');
});

test('while the database is away the page says so, and it recovers without a reload', async ({ browser, site }) => {
  // Nobody watches this page: its requests fail while the database is away.
  const page = await browser.newPage();
  await site.signIn(page, { role: 'support' }, '/operators');
  const table = page.getByRole('region', { name: 'Operators' });
  await expect(table).toContainText('house');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));

  proxy.cut();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Players', exact: true }).click();
  const banner = page.getByRole('status').filter({ hasText: 'The database is away.' });
  await expect(banner).toBeVisible();
  proxy.mend();
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Players' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);

  // A page that is opened meanwhile waits, and its session holds.
  proxy.cut();
  await page.reload();
  await expect(banner).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  proxy.mend();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Players');
  await expect(banner).toHaveCount(0);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await page.close();
});

/** Plays a bet, and returns the code of its refusal. */
async function tryPlay(server: RgsServer, sessionID: string): Promise<string> {
  const body = JSON.stringify({ sessionID, mode: 'BASE', amount: UNIT });
  const response = await fetch(`${server.origin}/wallet/play`, { method: 'POST', body });
  return response.ok ? 'played' : ((await response.json()) as { error: string }).error;
}

/** Plays until a round is open, which only a win is. */
async function openRound(server: RgsServer): Promise<number> {
  const { sessionID } = await server.startSession();
  await server.authenticate(sessionID);
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
    const { round } = await server.play({ sessionID, mode: 'base', amount: UNIT });
    if (round.active) return round.betID;
  }
  throw new Error(`none of ${MOST_ROUNDS} rounds is open`);
}

async function signInElsewhere(browser: Browser, site: ConsoleSite, role: 'support' | 'administrator'): Promise<Page> {
  const page = await browser.newPage();
  await site.signIn(page, { role, isNew: true });
  return page;
}
