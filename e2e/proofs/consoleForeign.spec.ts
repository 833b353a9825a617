import type { BrowserContext, Page } from '@playwright/test';
import { type ConsoleSite, expect, test } from '../support/console.ts';
import { addForeignData, type ForeignData, requestsFor } from '../support/foreignData.ts';

test.use({ game: 'sample-lines' });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test.describe('a user of another operator', () => {
  let foreign: ForeignData;
  let admin: BrowserContext;
  test.beforeEach(async ({ site, server, stack, browser }) => {
    admin = await browser.newContext();
    const page = await admin.newPage();
    await site.signIn(page, { role: 'administrator' }, '/account');
    foreign = await addForeignData(site, server, stack, page);
  });
  test.afterEach(async () => {
    await foreign.close();
    await admin.close();
  });

  /** Returns the secrets that a response has and its request has not. */
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
      ...['/approvals', '/reports', '/games', '/reconcile', `/games/${gameID}`, `/wallet-transactions?betID=${betID}`],
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
          await expect(content.getByRole('alert')).toContainText('Not found');
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
