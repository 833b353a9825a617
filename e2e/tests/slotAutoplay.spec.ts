import type { Page } from '@playwright/test';
import { moneyText } from '../support/money.ts';
import type { RgsServer, Round } from '../support/server.ts';
import { findBook } from '../support/slotBooks.ts';
import { isCall, type SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';

test.use(SMALL);

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;

test('autoplay asks first, counts down, and stops when it is told to', async ({ slot, server, page }) => {
  const { url, sessionID } = await server.startSession();
  const loss = await findBook(server, 'BASE', { payout: { from: 0 } });
  await forceEveryPlay(page, server, { sessionID, bookIDs: [loss.bookID] });
  const played = countPlays(page);
  await slot.openReady(url);
  await slot.hurry();
  await openAutoplay(slot, { spins: '10' });
  const question = page.getByText('Start 10 automatic spins at $1.00 each?');
  await expect(question).toBeVisible();
  await expect(slot.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  expect(played).toEqual([]);

  await openAutoplay(slot, { spins: '50' });
  await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
  const stop = page.getByRole('button', { name: 'Stop autoplay' });
  // Each number is shown shortly; the test checks that it goes down.
  await expect(stop).toHaveAccessibleDescription(/^[1-4]?\d spins left$/);
  await expect.poll(() => played.length).toBeGreaterThan(1);
  await expect(stop).toHaveAccessibleDescription(/^([1-3]?\d|4[0-8]) spins left$/);
  await expect(slot.raiseBet).toBeDisabled();
  await stop.click();
  await slot.expectReady();
  const stoppedAfter = played.length;
  expect(stoppedAfter).toBeLessThan(50);
  await slot.expectBalance(OPENING_BALANCE - stoppedAfter * UNIT);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - stoppedAfter * UNIT);
  await expect(slot.raiseBet).toBeEnabled();
});

test('autoplay stops at the loss limit, before it is passed', async ({ slot, server, page }) => {
  const { url, sessionID } = await server.startSession();
  const loss = await findBook(server, 'BASE', { payout: { from: 0 } });
  await forceEveryPlay(page, server, { sessionID, bookIDs: [loss.bookID] });
  const played = countPlays(page);
  await slot.openReady(url);
  await slot.hurry();
  await openAutoplay(slot, { spins: '25', lossLimit: '$10.00' });
  await expect(slot.dialog.getByRole('definition')).toHaveText(['$10.00', 'No limit']);
  await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
  await expectStopped(slot, 'Your loss limit is reached.');
  expect(played).toHaveLength(10);
  await slot.expectBalance(OPENING_BALANCE - 10 * UNIT);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - 10 * UNIT);
});

test('autoplay stops after a single win that is large enough', async ({ slot, server, page }) => {
  const { url, sessionID } = await server.startSession();
  const loss = await findBook(server, 'BASE', { payout: { from: 0 } });
  const win = await findBook(server, 'BASE', { payout: { from: 1000, to: 1200 }, freeSpins: 'none' });
  await forceEveryPlay(page, server, { sessionID, bookIDs: [loss.bookID, win.bookID] });
  const played = countPlays(page);
  await slot.openReady(url);
  await slot.hurry();
  await openAutoplay(slot, { spins: '10', winLimit: '$10.00' });
  await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
  await expectStopped(slot, 'A single win has reached your limit.');
  expect(played).toHaveLength(2);
});

test('autoplay stops on free spins, when they have been played', async ({ slot, server, page }) => {
  const { url, sessionID } = await server.startSession();
  const loss = await findBook(server, 'BASE', { payout: { from: 0 } });
  const freeSpins = await findBook(server, 'BASE', { payout: { from: 500, to: 3000 }, freeSpins: 10 });
  await forceEveryPlay(page, server, { sessionID, bookIDs: [loss.bookID, freeSpins.bookID] });
  const played = countPlays(page);
  await slot.openReady(url);
  await slot.hurry();
  await openAutoplay(slot, { spins: '10', stopOnFreeSpins: true });
  await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
  await expectStopped(slot, 'You have won free spins.');
  await expect(slot.freeSpins).toBeHidden();
  expect(played).toHaveLength(2);
  await slot.expectBalance(OPENING_BALANCE - 2 * UNIT + (freeSpins.payoutHundredths * UNIT) / 100);
});

test('after 50 spins the balance on screen is that of the server, and the net position is what was won and lost', async ({
  slot,
  server,
  roundhouse,
  page,
}) => {
  test.setTimeout(240_000);
  const operator = await roundhouse.newOperator({ jurisdiction: { displayNetPosition: true } });
  const url = await operator.session();
  const sessionID = new URL(url).searchParams.get('sessionID') ?? '';
  const bookIDs = await manyBooks(server);
  await forceEveryPlay(page, server, { sessionID, bookIDs });
  const played = countPlays(page);
  await slot.openReady(url);
  await expect(slot.netPosition).toHaveText('$0.00');
  await slot.hurry();
  await openAutoplay(slot, { spins: '50' });
  await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
  await expect(page.getByRole('button', { name: 'Stop autoplay' })).toBeVisible();
  await expect(slot.readyKey).toBeVisible({ timeout: 200_000 });

  expect(played).toHaveLength(50);
  const net = played.reduce((sum, { payout, amount }) => sum + payout - amount, 0);
  expect(new Set(played.map(({ payout }) => payout)).size).toBeGreaterThan(10);
  await slot.expectBalance(OPENING_BALANCE + net);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE + net);
  await expect(slot.netPosition).toHaveText(moneyText(net));
});

/** 50 short books from the whole published table: losses, small wins and a few large ones. */
async function manyBooks(server: RgsServer): Promise<number[]> {
  const books = [];
  for (let place = 0; place < 50; place += 1) {
    const to = place % 10 === 9 ? 1500 : 500;
    const from = place % 2 === 0 ? 0 : 10;
    books.push(await findBook(server, 'BASE', { payout: { from, to }, freeSpins: 'none', startAt: place / 50 }));
  }
  return books.map(({ bookID }) => bookID);
}

type Choice = { spins: string; lossLimit?: string; winLimit?: string; stopOnFreeSpins?: boolean };

/** Up to the confirmation. */
async function openAutoplay(slot: SlotPage, choice: Choice): Promise<void> {
  const { spins, lossLimit = 'No limit', winLimit, stopOnFreeSpins } = choice;
  const choose = async (group: string, name: string | undefined) => {
    const choices = slot.dialog.getByRole('group', { name: group });
    if (name !== undefined) await choices.getByRole('radio', { name, exact: true }).check();
  };
  await slot.autoplay.click();
  await choose('Number of spins', spins);
  await choose('Stop when I have lost', lossLimit);
  await choose('Stop after a single win of', winLimit);
  if (stopOnFreeSpins) await slot.dialog.getByLabel('Stop when free spins are won').check();
  await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
  await expect(slot.dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
}

async function expectStopped(slot: SlotPage, why: string): Promise<void> {
  const notice = slot.dialogNamed('autoplayStopped');
  await expect(notice).toContainText(why, { timeout: 60_000 });
  await notice.getByRole('button', { name: 'Confirm' }).click();
  await slot.expectReady();
}

/** Forces the book of each play: one after the other, then always the last one. */
async function forceEveryPlay(
  page: Page,
  server: RgsServer,
  { sessionID, bookIDs }: { sessionID: string; bookIDs: readonly number[] },
): Promise<void> {
  const waiting = [...bookIDs];
  await page.route('**/wallet/play', async (route) => {
    const bookID = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? Number.NaN;
    await server.forceNext({ sessionID, mode: 'BASE', bookID });
    await route.continue();
  });
}

/** The rounds that the page has played, as they come. */
function countPlays(page: Page): Round[] {
  const played: Round[] = [];
  page.on('response', async (response) => {
    if (isCall(response, '/wallet/play')) played.push(((await response.json()) as { round: Round }).round);
  });
  return played;
}
