import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { Client } from 'pg';
import { ConsoleSite, expect, test } from '../support/console.ts';
import { startCutProxy } from '../support/cutProxy.ts';
import { addForeignData, type ForeignData, requestsFor } from '../support/foreignData.ts';
import { expectHarmless } from '../support/hostile.ts';
import { addOperatorWithWallet, databaseUrl } from '../support/operatorWithWallet.ts';
import { startStack } from '../support/stack.ts';

const SAMPLE_GAME = fileURLToPath(new URL('../../games/sample/dist', import.meta.url));

test.use({ game: 'sample' });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const rowsOf = (table: Locator) => table.locator('tbody tr:not([aria-hidden])');

test('a viewer reads wallet transactions and may change none', async ({ page, site, server }) => {
  const acme = await addOperatorWithWallet(site, server);
  try {
    const betID = await acme.parkedRound('gil');
    await site.signIn(page, { role: 'viewer' }, `/wallet-transactions?operator=${acme.code}`);
    const table = page.getByRole('region', { name: 'Wallet transactions' });
    await expect(rowsOf(table)).toHaveCount(1);
    await expect(page.getByRole('button', { name: /Retry|Settle/ })).toHaveCount(0);
    await expect(table.getByRole('checkbox')).toHaveCount(0);
    await expect(page.getByRole('link', { name: /Reconcile/ })).toHaveCount(0);
    await table.getByRole('link', { name: String(betID), exact: true }).click();
    await expect(heading(page)).toHaveText(`Round ${betID}`);
    await expect(page.getByRole('button', { name: /Void|Complete|Retry|Settle/ })).toHaveCount(0);
  } finally {
    await acme.close();
  }
});

test.describe('a user of another operator', () => {
  let foreign: ForeignData;
  let admin: BrowserContext;
  test.beforeEach(async ({ site, server, browser }) => {
    admin = await browser.newContext();
    const page = await admin.newPage();
    await site.signIn(page, { role: 'administrator' }, '/account');
    foreign = await addForeignData(site, server, page);
  });
  test.afterEach(async () => {
    await foreign.close();
    await admin.close();
  });

  /** Which of the texts a response has that were not in its request. */
  const leakedIn = (text: string, request: string) =>
    foreign.secrets.filter((secret) => text.includes(secret) && !request.includes(secret));

  test('gets nothing by any request, and changes nothing', async ({ page, site }) => {
    const before = await foreign.state();
    const requests = requestsFor(foreign);
    expect(requests.length).toBeGreaterThan(foreign.routes.length);
    // The requests of the second one are events of the operator, which the first one must not see.
    for (const role of ['administrator', 'support'] as const) {
      await site.signIn(page, { role, operator: 'lobby' }, '/account');
      expect(await (await site.api(page, '/admin/account')).json()).toMatchObject({ role, operator: 'lobby' });
      for (const { name, path, body } of requests) {
        const what = `${role}: ${name} ${path}`;
        const { status, text } = await send(page, site, path, body);
        expect.soft([200, 403, 404], `${what}: ${status} ${text.slice(0, 200)}`).toContain(status);
        expect.soft(leakedIn(text, path + JSON.stringify(body ?? {})), what).toEqual([]);
      }
    }
    expect(await foreign.state()).toEqual(before);
  });

  test('gets nothing by any address of a page', async ({ page, site, watch }) => {
    const { operator, betID, playerID, campaignID, transactionID, gameID } = foreign.params;
    watch.expectComplaints(/status of 404/);
    const objects = [
      ...[`/rounds/${betID}`, `/players/${operator}/${playerID}`, `/operators/${operator}`],
      `/free-rounds/${operator}/${campaignID}`,
    ];
    const lists = [
      ...['/', '/rounds', '/players', '/wallet-transactions', '/operators', '/free-rounds', '/users', '/events'],
      ...['/approvals', '/reports', `/games/${gameID}`, `/wallet-transactions?betID=${betID}`],
      ...['rounds', 'players', 'wallet-transactions', 'free-rounds', 'users', 'reports'].map(
        (name) => `/${name}?operator=${operator}`,
      ),
      ...[transactionID, playerID].map((text) => `/search#${text}`),
    ];
    for (const role of ['support', 'administrator'] as const) {
      await site.signIn(page, { role, operator: 'lobby' }, '/account');
      await expect(heading(page)).toBeVisible();
      for (const path of [...objects, ...(role === 'administrator' ? lists : [])]) {
        // A part of the address alone would not load the page.
        await page.goto('about:blank');
        await page.goto(site.url + path);
        const content = page.locator('main');
        if (objects.includes(path)) {
          await expect(content.getByRole('alert')).toContainText('There is no such thing here');
        } else await expect(heading(page)).toBeVisible();
        await expect(page.locator('[aria-busy="true"], [role="status"][aria-label="Loading"]')).toHaveCount(0);
        expect(leakedIn((await content.textContent()) ?? '', path), path).toEqual([]);
      }
    }
  });
});

/** Sends a request with the session of the page. Of the live overview it takes the first event. */
async function send(page: Page, site: ConsoleSite, path: string, body: object | undefined) {
  if (!path.startsWith('/admin/overview/live')) {
    const response = await site.api(page, path, body);
    return { status: response.status(), text: await response.text() };
  }
  const cookies = await page.context().cookies(site.url);
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  const leave = new AbortController();
  const response = await fetch(site.url + path, { headers, signal: leave.signal });
  const { value } = (await response.body?.getReader().read()) ?? {};
  leave.abort();
  return { status: response.status, text: new TextDecoder().decode(value) };
}

test('while the database is away the page says so, and it recovers without a reload', async ({ browser }) => {
  test.setTimeout(400_000);
  const name = `away_${randomUUID().slice(0, 8)}`;
  const sql = new Client({ connectionString: await databaseUrl() });
  await sql.connect();
  await sql.query(`CREATE DATABASE ${name}`).finally(() => sql.end());
  const url = new URL(await databaseUrl());
  url.pathname = `/${name}`;
  const proxy = await startCutProxy(url.href);
  const stack = await startStack([SAMPLE_GAME, '--database', proxy.url]);
  const page = await browser.newPage();
  try {
    const own = new ConsoleSite(stack);
    await own.signIn(page, { role: 'support' }, '/operators');
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
    await expect(heading(page)).toHaveText('Players');
    await expect(banner).toHaveCount(0);
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  } finally {
    await page.close();
    await stack.stop();
    await proxy.close();
  }
});

test('names of operators and players stay texts on every page that has them', async ({ page, site, server }) => {
  const id = randomUUID().slice(0, 8);
  const code = `xss-${id}`;
  const operatorName = `<img data-hostile src=https://evil.example/${id} onerror="window.hostile=1">`;
  const playerID = `${id}"><script data-hostile>window.hostile=1</script>`;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await site.command('operator', 'add', code, '--name', operatorName);
  const { sessionID } = await server.startSession({ token: playerID });
  const { config } = await server.authenticate(sessionID);
  await server.play({ sessionID, mode: 'BASE', amount: config.defaultBetLevel });
  await site.signIn(page, { role: 'administrator' }, '/account');
  const limits = { currency: 'USD', dailyWager: 1_000_000_000 };
  const playerPath = `/players/house/${encodeURIComponent(playerID)}`;
  expect((await site.api(page, `/admin${playerPath}/limits`, limits)).status()).toBe(200);

  const pages: [string, string][] = [
    [`/operators/${code}`, operatorName],
    [`/search#${code}`, operatorName],
    [playerPath, playerID],
    [`/players?prefix=${id}`, playerID],
    [`/rounds?player=${encodeURIComponent(playerID)}`, playerID],
    [`/events?subject=${id}`, playerID],
    [`/search#${id}`, playerID],
    [`/search#${encodeURIComponent(playerID)}`, playerID],
  ];
  for (const [path, text] of pages) {
    await page.goto('about:blank');
    await page.goto(site.url + path);
    await expect(page.locator('main').getByText(text).first(), path).toBeAttached();
    await expectHarmless(page);
  }
  expect(dialogs).toEqual([]);
});

test('a table is read by the keyboard alone', async ({ page, site, server }) => {
  const player = `keys-${randomUUID().slice(0, 8)}`;
  const { sessionID } = await server.startSession({ token: player });
  const { config } = await server.authenticate(sessionID);
  const bet = { sessionID, mode: 'BASE', amount: config.defaultBetLevel };
  const betIDs = [await server.playToEnd(bet), await server.playToEnd(bet)].map((round) => round.betID);
  await site.signIn(page, { role: 'support' }, '/rounds');
  await expect(rowsOf(page.getByRole('region', { name: 'Rounds' })).first()).toBeVisible();

  await page.keyboard.press('Shift+Slash');
  const keys = page.getByRole('dialog', { name: 'Keyboard' });
  await expect(keys).toContainText('Search from anywhere');
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);

  const filter = page.getByRole('search', { name: 'Filters' }).locator('input').first();
  await page.keyboard.press('/');
  await expect(filter).toBeFocused();

  await page.goto(`${site.url}/rounds?player=${player}`);
  const rows = rowsOf(page.getByRole('region', { name: 'Rounds' }));
  await expect(rows).toHaveCount(2);
  // A German keyboard has the slash on Shift and 7.
  await page.locator('body').dispatchEvent('keydown', { key: '/', code: 'Digit7', shiftKey: true });
  await expect(filter).toBeFocused();
  await filter.blur();
  for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key);
  await expect(rows.nth(1)).toHaveAttribute('data-active', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${site.url}/rounds/${betIDs[0]}`);
  await expect(heading(page)).toHaveText(`Round ${betIDs[0]}`);

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').fill(String(betIDs[1]));
  await expect(page.locator('[data-selected]')).toContainText(String(betIDs[1]));
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText(`Round ${betIDs[1]}`);
});
