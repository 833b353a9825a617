import type { Page, Route } from '@playwright/test';

import { expectHarmless, hostileCopy, MARKUP, SCRIPT_URLS } from '../support/hostile.ts';
import { PlayerPage } from '../support/playerPage.ts';
import { SLOT_VERSION } from '../support/slotBooks.ts';
import { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { withQuery } from '../support/slotWire.ts';
import type { Game } from '../support/test.ts';

test.use(SMALL);
// They run one after the other: the tests of the lobby share the operator.
test.describe.configure({ mode: 'default' });

/** A launch link names this server, which may say anything. */
const HOSTILE_RGS = 'https://rgs.example';
const REFUSED = /console error: Failed to load resource: the server responded with a status of 40[04]/;

const PAGES = ['returnURL', 'cashierURL', 'historyURL', 'responsibleGamblingURL'];
const REPLAY = ['game', 'version', 'mode', 'event', 'amount', 'currencyFacts'];
/** These parameters may be anything; some of them do not exist. */
const OTHERS = ['lang', 'device', 'currency', 'social', 'demo', 'replay', ...REPLAY, 'debug', '<script>', '__proto__'];
const all = (names: readonly string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));
/** A replay link may bring along the symbol of a currency. */
const FACTS = JSON.stringify({ code: 'ABC', kind: 'regular', symbol: MARKUP, decimals: 2, symbolSide: 'before' });

/** A page reads the texts of these fields. It shows the others, or leaves them. */
const READ = ['currency', 'mode', 'type', 'spin', 'board', 'symbol', 'error', 'state', 'startedAt'];

type Kind = {
  what: string;
  game: Game;
  replayed: Readonly<Record<string, string>>;
  /** Waits until the page has begun, or has said why it cannot. */
  settle(page: Page): Promise<void>;
  /** Shows all that the page shows of a session, when it has begun. */
  use(page: Page): Promise<void>;
};

const KINDS: readonly Kind[] = [
  {
    what: 'the slot',
    game: 'aurora-line',
    replayed: { game: 'aurora-line', version: SLOT_VERSION, mode: 'BASE', event: '1' },
    settle: (page) =>
      expect(page.getByRole('alertdialog').or(page.locator('.welcome button:visible')).first()).toBeVisible(),
    async use(page) {
      const slot = new SlotPage(page);
      await slot.enter();
      await slot.spinShort();
      await slot.menu.click();
      await expect(slot.dialog.getByRole('button', { name: 'Home', exact: true })).toHaveCount(0);
      await expectHarmless(page);
      await slot.dialog.getByRole('button', { name: 'My last rounds' }).click();
      await expect(page.locator('.historyLine').first()).toBeVisible();
    },
  },
  {
    what: 'the page of a game without a front end',
    game: 'sample-lines',
    replayed: { game: 'sample-lines', version: '1.1.0', mode: 'BASE', event: '1' },
    settle: (page) =>
      expect(new PlayerPage(page).status).toHaveText(
        /^(Ready|That did not work|This page cannot start|This is a replay|Resumed)/,
      ),
    async use(page) {
      const player = new PlayerPage(page);
      await player.modes().first().click();
      await expect(player.status).not.toHaveText(/^(Ready|Playing)/);
      // Their contents are made when they are opened.
      for (const summary of await page.locator('summary').all()) if (await summary.isVisible()) await summary.click();
    },
  },
];

for (const { what, game, replayed, settle, use } of KINDS) {
  test.describe(what, () => {
    test.use({ game, origins: async ({ server }, give) => give([server.origin, HOSTILE_RGS]) });

    test('makes no script and no element of what its launch says', async ({ page, server, watch }) => {
      watch.expectComplaints(REFUSED);
      const { url } = await server.startSession();
      const open = async (query: Record<string, string | undefined>) => {
        await page.goto(`${withQuery(url, query)}#${encodeURIComponent(MARKUP)}`);
        await settle(page);
        await expectHarmless(page);
        expect(page.url()).toContain(server.origin);
      };
      // Each link gets another address; launchUrl.test.ts of the contract tries each with each.
      const pagesWith = (addresses: readonly string[]) =>
        Object.fromEntries(PAGES.map((name, place) => [name, addresses[place]]));
      await open({ ...pagesWith(SCRIPT_URLS.slice(0, PAGES.length)), ...all(OTHERS, MARKUP) });
      await use(page);
      await expectHarmless(page);
      await open({ ...pagesWith(SCRIPT_URLS.slice(PAGES.length)), rgs_url: SCRIPT_URLS[0] });
      await open({ rgs_url: MARKUP });
      await open({ rgs_url: 'https://127.0.0.1@evil.example' });
      await open({ sessionID: MARKUP });
      await open({ sessionID: undefined, replay: 'true', ...all(REPLAY, MARKUP), amount: '1000000' });
      await open({ sessionID: undefined, replay: 'true', ...replayed, currency: 'ABC', currencyFacts: FACTS });
    });

    for (const { says, reads, refuses } of [
      { says: 'each text', reads: [], refuses: [] },
      { says: 'each text that is only shown', reads: READ, refuses: [] },
      { says: 'the message of each refusal', reads: READ, refuses: ['/wallet/play', '/bet/history'] },
      { says: 'the message of the first refusal', reads: READ, refuses: ['/wallet/authenticate'] },
    ] as const) {
      test(`makes no script and no element of ${says} of a server`, async ({ page, server, watch }) => {
        if (refuses.length > 0) watch.expectComplaints(REFUSED);
        // The header allows no more than bytes.
        const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'X-Request-Id' };
        const hostileID = MARKUP.replace(/[^\x20-\x7e]/g, '');
        await page.route(`${HOSTILE_RGS}/**`, async (route) => {
          const { pathname } = new URL(route.request().url());
          const answered = { headers: { ...headers, 'X-Request-Id': hostileID } };
          if (refuses.some((path) => path === pathname))
            return route.fulfill({ status: 400, json: { error: 'ERR_GLE', message: MARKUP }, ...answered });
          const response = await route.fetch({ url: `${server.origin}${pathname}` });
          return route.fulfill({
            status: response.status(),
            json: hostileCopy(await response.json(), reads),
            ...answered,
          });
        });
        const { url } = await server.startSession();
        await page.goto(withQuery(url, { rgs_url: HOSTILE_RGS }));
        await settle(page);
        await expectHarmless(page);
        if (reads.length > 0 && refuses.length === 0) await use(page);
        else if (refuses.length > 1) await playRefused(page, game);
        await expectHarmless(page);
      });
    }
  });
}

async function playRefused(page: Page, game: Game): Promise<void> {
  if (game === 'sample-lines') {
    await new PlayerPage(page).modes().first().click();
    await expect(page.getByRole('alert')).toContainText('<img data-hostile');
    return;
  }
  const slot = new SlotPage(page);
  await slot.enter();
  await slot.readyKey.click();
  await slot.expectFailure('LimitReached', 'close');
  await expect(slot.failure).toContainText('<img data-hostile');
}

test.describe('the check of these tests', () => {
  test.use({ origins: ['https://evil.example'] });

  test('finds what became of the markup', async ({ page, watch }) => {
    watch.expectComplaints(/net::ERR_FAILED/);
    await page.route('https://evil.example/**', (route) => route.abort());
    await page.setContent(MARKUP);
    await expect(expectHarmless(page)).rejects.toThrow('hasRun');
  });
});

test.describe('the lobby', () => {
  test.use({ origins: async ({ server, lobbyUrl }, give) => give([server.origin, new URL(lobbyUrl).origin]) });
  const ADDRESSES = ['rgsUrl', 'url', 'thumbnail', 'version', 'gameID', 'currencies', 'languages', 'kind', 'at', 'id'];

  for (const { says, reads } of [
    { says: 'each text', reads: [] },
    { says: 'each text that is only shown', reads: ADDRESSES },
  ] as const) {
    test(`makes no script and no element of its address and of ${says} of the operator`, async ({
      page,
      lobbyUrl,
      watch,
    }) => {
      // A page that stays empty may have requested the statement of a hostile name before it
      // stopped.
      watch.expectComplaints(reads.length === 0 ? new RegExp(`^thrown: |${REFUSED.source}`) : REFUSED);
      const rewrite = async (route: Route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: hostileCopy(await response.json(), reads) });
      };
      for (const path of ['lobby', 'players', 'players/*/statement?*']) await page.route(`**/api/${path}`, rewrite);
      const read = page.waitForResponse('**/api/lobby');
      await page.goto(`${lobbyUrl}/?view=${encodeURIComponent(MARKUP)}#${encodeURIComponent(MARKUP)}`);
      await read;
      // A page that cannot read what it needs stays empty.
      if (reads.length > 0) await expect(page.locator('.card h3').first()).toContainText('<img data-hostile');
      await expectHarmless(page);
      await page.route('**/api/launch', (route) =>
        route.fulfill({ status: 400, json: { error: MARKUP, message: MARKUP } }),
      );
      // Requests of the page may be under way.
      if (reads.length === 0) return page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.locator('.card button').first().click();
      await expect(page.getByRole('alert').first()).toContainText('<img data-hostile');
      await expectHarmless(page);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  }
});
