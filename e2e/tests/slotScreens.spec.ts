import type { Page, TestInfo } from '@playwright/test';
import type { RgsServer } from '../support/server.ts';
import { findBook } from '../support/slotBooks.ts';
import { SlotPage } from '../support/slotPage.ts';
import { expect, test } from '../support/slotTest.ts';
import { holdRequests, refuse, withQuery } from '../support/slotWire.ts';

// Screenshots for people: with all motion, at usual sizes. Each frame takes a tenth of a second, so
// there are few. The tests press keys, because before a click Playwright waits until nothing moves.

const UNIT = 1_000_000;

for (const { name, width, height, device } of [
  { name: 'desktop', width: 1280, height: 720, device: 'desktop' },
  { name: 'mobile', width: 390, height: 844, device: 'mobile' },
] as const) {
  test.describe(name, () => {
    test.use({ viewport: { width, height }, framesPerSecond: 2, silent: true });

    test(`the screens before a round, ${name}`, async ({ slot, server, page }, testInfo) => {
      const keep = pictures(page, testInfo);
      const { url } = await server.startSession({ device });
      const held = await holdRequests(page, '/wallet/authenticate');
      await page.goto(url);
      await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '85');
      await keep('01-loading');
      held.release();
      await expect(slot.enterKey).toBeVisible();
      await keep('02-intro');
      await slot.enter();
      await slot.expectReady();
      await keep('03-idle');
    });

    test(`the dialogs around a bet, ${name}`, async ({ slot, server, page }, testInfo) => {
      const keep = pictures(page, testInfo);
      const { url } = await server.startSession({ device });
      await slot.openReady(url);
      await slot.chooseBet.press('Enter');
      await keep('04-bet', 'chooseBet');
      await page.keyboard.press('Escape');
      await expect(slot.dialog).toBeHidden();
      await slot.autoplay.press('Enter');
      await keep('05-autoplay', 'autoplay');
      await page.keyboard.press('Escape');
      await expect(slot.dialog).toBeHidden();
      await slot.buy.press('Enter');
      await keep('06-buy', 'buy');
    });

    test(`the menu and the rules, ${name}`, async ({ slot, server, page }, testInfo) => {
      const keep = pictures(page, testInfo);
      const { url } = await server.startSession({ device });
      await slot.openReady(url);
      await slot.menu.press('Enter');
      await keep('07-menu', 'menu');
      await page.getByRole('button', { name: 'Rules and paytable' }).last().press('Enter');
      await keep('08-rules', 'info');
    });

    test(`a win, a big win and failure, ${name}`, async ({ slot, server, page, watch }, testInfo) => {
      watch.expectComplaint(/status of 500/);
      const keep = pictures(page, testInfo);
      const { url, sessionID } = await server.startSession({ device });
      await slot.openReady(url);
      await forceBase(server, sessionID, { from: 300, to: 900 });
      const held = await holdRequests(page, '/wallet/end-round');
      await slot.begin();
      await held.arrived;
      await keep('09-win');
      held.release();
      await slot.expectReady();

      await forceBase(server, sessionID, { from: 1500, to: 2400 });
      await slot.begin();
      await expect.poll(() => countedCents(slot)).toBeGreaterThan(1000);
      await keep('10-big-win');
      await slot.cutShort();
      await refuse(page, '/wallet/play', { status: 500, error: 'ERR_MAINTENANCE' });
      await slot.readyKey.click();
      await slot.expectFailure('Maintenance', 'tryAgain');
      await keep('11-failure');
    });

    test(`free spins and a replay, ${name}`, async ({ slot, server, page }, testInfo) => {
      const keep = pictures(page, testInfo);
      const { url, sessionID } = await server.startSession({ device });
      const book = await findBook(server, 'BONUS', { payout: { from: 8000, to: 20_000 }, freeSpins: 10 });
      await server.forceNext({ sessionID, mode: 'BONUS', bookID: book.bookID });
      await slot.openReady(url);
      await slot.buy.click();
      await slot.begin(() => page.getByRole('button', { name: 'Buy for $80.00' }).click());
      await expect(slot.freeSpins).toBeVisible();
      await keep('12-free-spins-begin');
      await expect(slot.freeSpins).toHaveText(/^[2-9] of 10$/);
      await keep('13-free-spins');

      const replay = {
        replay: 'true',
        game: 'aurora-line',
        version: '1.0.0',
        mode: 'BONUS',
        event: String(book.bookID),
        amount: String(UNIT),
        sessionID: undefined,
      };
      await page.goto(withQuery(url, replay));
      await expect(page.getByRole('button', { name: 'Start the replay' })).toBeVisible();
      await keep('14-replay');
    });
  });
}

/**
 * Saves a screenshot beside the test's report; with a title, when the dialog of that title is open.
 */
function pictures(page: Page, testInfo: TestInfo) {
  return async (moment: string, title?: string): Promise<void> => {
    if (title !== undefined) await expect(new SlotPage(page).dialogNamed(title)).toBeVisible();
    const path = testInfo.outputPath(`${moment}.png`);
    await page.screenshot({ path });
    // Attached by path: `attach` would copy it.
    testInfo.attachments.push({ name: moment, path, contentType: 'image/png' });
  };
}

async function forceBase(server: RgsServer, sessionID: string, payout: { from: number; to: number }): Promise<void> {
  const { bookID } = await findBook(server, 'BASE', { payout, freeSpins: 'none' });
  await server.forceNext({ sessionID, mode: 'BASE', bookID });
}

async function countedCents(slot: SlotPage): Promise<number> {
  return Number((await slot.win.textContent())?.replaceAll(/\D/g, ''));
}
