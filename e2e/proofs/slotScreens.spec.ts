import type { Page, TestInfo } from '@playwright/test';
import type { RgsServer } from '../support/server.ts';
import { findBook, SLOT_VERSION } from '../support/slotBooks.ts';
import { SlotPage } from '../support/slotPage.ts';
import { expect, test } from '../support/slotTest.ts';
import { holdRequests, refuse, withQuery } from '../support/slotWire.ts';

// They keep screenshots of the picture for people: with all motion, at usual sizes. Each frame
// takes a tenth of a second, so there are few. The tests press keys, because before a click
// Playwright waits until nothing moves.

const UNIT = 1_000_000;

const ALL_MOTION = { framesPerSecond: 2, silent: true } as const;

test.describe('desktop', () => {
  test.use({ ...ALL_MOTION, viewport: { width: 1280, height: 720 } });

  test('the screens around a round, desktop', async ({ slot, server, page, watch }, testInfo) => {
    watch.expectComplaint(/status of 500/);
    const keep = pictures(page, testInfo);
    const { url, sessionID } = await server.startSession({ device: 'desktop' });
    const authenticate = await holdRequests(page, '/wallet/authenticate');
    await page.goto(url);
    // The picture is loaded; the server has not responded.
    const progress = page.getByRole('progressbar', { name: 'Loading…' });
    await expect(progress).toHaveAttribute('aria-valuenow', '85');
    await keep('01-loading');
    authenticate.release();
    await expect(slot.enterKey).toBeVisible();
    await expect(progress).toBeHidden();
    await keep('02-intro');
    await slot.enter();
    await slot.expectReady();
    await keep('03-idle');

    for (const { key, picture, title } of [
      { key: slot.chooseBet, picture: '04-bet', title: 'chooseBet' },
      { key: slot.autoplay, picture: '05-autoplay', title: 'autoplay' },
      { key: slot.buy, picture: '06-buy', title: 'buy' },
      { key: slot.menu, picture: '07-menu', title: 'menu' },
    ]) {
      await key.press('Enter');
      await keep(picture, title);
      await page.keyboard.press('Escape');
      await expect(slot.dialog).toBeHidden();
    }

    await forceBase(server, sessionID, { from: 300, to: 900 });
    const end = await holdRequests(page, '/wallet/end-round');
    await slot.begin();
    await end.arrived;
    await keep('08-win');
    end.release();
    await slot.expectReady();

    await forceBase(server, sessionID, { from: 1500, to: 2400 });
    await slot.begin();
    await expect.poll(() => countedCents(slot)).toBeGreaterThan(1000);
    await keep('09-big-win');
    await slot.cutShort();
    await refuse(page, '/wallet/play', { status: 500, error: 'ERR_MAINTENANCE' });
    await slot.readyKey.click();
    await slot.expectFailure('Maintenance', 'tryAgain');
    await keep('10-failure');
  });
});

test.describe('mobile', () => {
  test.use({ ...ALL_MOTION, viewport: { width: 390, height: 844 } });

  test('the rules, free spins and a replay, mobile', async ({ slot, server, page }, testInfo) => {
    const keep = pictures(page, testInfo);
    const { url, sessionID } = await server.startSession({ device: 'mobile' });
    const book = await findBook(server, 'BONUS', { payout: { from: 8000, to: 20_000 }, freeSpins: 10 });
    await server.forceNext({ sessionID, mode: 'BONUS', bookID: book.bookID });
    await slot.openIntro(url);
    await keep('11-intro');
    await slot.enter();
    await slot.expectReady();
    await keep('12-idle');
    await slot.menu.press('Enter');
    await page.getByRole('button', { name: 'Rules and paytable' }).last().press('Enter');
    await keep('13-rules', 'info');
    await page.keyboard.press('Escape');
    await expect(slot.dialog).toBeHidden();
    await slot.buy.press('Enter');
    await slot.begin(() => page.getByRole('button', { name: 'Buy for $80.00' }).press('Enter'));
    await expect(slot.freeSpins).toBeVisible();
    await keep('14-free-spins-begin');
    await expect(slot.freeSpins).toHaveText(/^[2-9] of 10$/);
    await keep('15-free-spins');

    const replay = {
      replay: 'true',
      game: 'aurora-line',
      version: SLOT_VERSION,
      mode: 'BONUS',
      event: String(book.bookID),
      amount: String(UNIT),
      sessionID: undefined,
    };
    await page.goto(withQuery(url, replay));
    await expect(page.getByRole('button', { name: 'Start the replay' })).toBeVisible();
    await keep('16-replay');
  });
});

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
