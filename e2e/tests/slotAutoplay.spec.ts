import type { Page } from '@playwright/test';
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

test('autoplay stops at each limit that was chosen, and says which', async ({ slot, server, page }) => {
  const { url, sessionID } = await server.startSession();
  const loss = await findBook(server, 'BASE', { payout: { from: 0 } });
  const win = await findBook(server, 'BASE', { payout: { from: 1000, to: 1200 }, freeSpins: 'none' });
  const force = await forceEveryPlay(page, server, { sessionID, bookIDs: [loss.bookID, win.bookID, loss.bookID] });
  const played = countPlays(page);
  await slot.openReady(url);
  await slot.hurry();
  await openAutoplay(slot, { spins: '10', winLimit: '$10.00' });
  await expect(slot.dialog.getByRole('definition')).toHaveText(['No limit', '$10.00']);
  await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
  await expectStopped(slot, 'A single win has reached your limit.');
  expect(played).toHaveLength(2);

  await openAutoplay(slot, { spins: '25', lossLimit: '$10.00' });
  await expect(slot.dialog.getByRole('definition')).toHaveText(['$10.00', 'No limit']);
  await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
  await expectStopped(slot, 'Your loss limit is reached.');
  expect(played).toHaveLength(2 + 10);

  const freeSpins = await findBook(server, 'BASE', { payout: { from: 500, to: 3000 }, freeSpins: 10 });
  force([freeSpins.bookID]);
  await openAutoplay(slot, { spins: '10', stopOnFreeSpins: true });
  await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
  await expectStopped(slot, 'You have won free spins.');
  await expect(slot.freeSpins).toBeHidden();
  expect(played).toHaveLength(2 + 10 + 1);
  const net = played.reduce((sum, { payout, amount }) => sum + payout - amount, 0);
  await slot.expectBalance(OPENING_BALANCE + net);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE + net);
});

type Choice = { spins: string; lossLimit?: string; winLimit?: string; stopOnFreeSpins?: boolean };

/** Goes as far as the confirmation. */
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

/**
 * Forces the book of each play: one after the other, then always the last one. Returns what forces
 * others.
 */
async function forceEveryPlay(
  page: Page,
  server: RgsServer,
  { sessionID, bookIDs }: { sessionID: string; bookIDs: readonly number[] },
): Promise<(bookIDs: readonly number[]) => void> {
  let waiting = [...bookIDs];
  await page.route('**/wallet/play', async (route) => {
    const bookID = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? Number.NaN;
    await server.forceNext({ sessionID, mode: 'BASE', bookID });
    await route.continue();
  });
  return (others) => {
    waiting = [...others];
  };
}

/** Counts the rounds that the page has played, as they come. */
function countPlays(page: Page): Round[] {
  const played: Round[] = [];
  page.on('response', async (response) => {
    if (isCall(response, '/wallet/play')) played.push(((await response.json()) as { round: Round }).round);
  });
  return played;
}
