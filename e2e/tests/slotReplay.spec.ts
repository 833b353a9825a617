import { axeViolations } from '../support/axe.ts';
import { moneyText } from '../support/money.ts';
import { findBook, SLOT_VERSION } from '../support/slotBooks.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { recordCalls, withQuery } from '../support/slotWire.ts';

test.use({ ...SMALL, speed: 1 });

const UNIT = 1_000_000;

/** Returns a link as a person writes it, like one in a mail. */
function replayUrl(origin: string, query: Readonly<Record<string, string | undefined>>): string {
  const host = new URL(origin).host;
  return withQuery(`${origin}/aurora-line/${SLOT_VERSION}/index.html`, {
    replay: 'true',
    game: 'aurora-line',
    version: SLOT_VERSION,
    lang: 'en',
    device: 'desktop',
    rgs_url: host,
    currency: 'USD',
    ...query,
  });
}

test('a replay says what it is, plays as often as wanted, and asks no session', async ({ slot, server, page }) => {
  const calls = recordCalls(page);
  const book = await findBook(server, 'BASE', { payout: { from: 150, to: 900 }, freeSpins: 'none' });
  const bookID = String(book.bookID);
  await page.goto(replayUrl(server.origin, { mode: 'BASE', event: bookID, amount: String(2 * UNIT) }));

  const card = page.getByRole('region', { name: 'Replay' });
  const facts = () => card.getByRole('definition');
  await expect(facts()).toHaveText(['Normal', '$2.00', '$2.00'], { timeout: 30_000 });
  await expect(card).toContainText('A recorded round is shown. No money moves.');
  await expect(card).toContainText(`Reference: ${bookID}`);
  for (const gone of [slot.balance, slot.raiseBet, slot.lowerBet, slot.chooseBet, slot.buy, slot.ante, slot.autoplay]) {
    await expect(gone).toBeHidden();
  }

  const payout = (2 * UNIT * book.payoutHundredths) / 100;
  await card.getByRole('button', { name: 'Start the replay' }).click();
  await expect(card).toBeHidden();
  await expect(card).toBeVisible({ timeout: 30_000 });
  await expect(facts()).toHaveText(['Normal', '$2.00', '$2.00', moneyText(payout)]);
  await expect(slot.win).toHaveText(moneyText(payout));

  await card.getByRole('button', { name: 'Play again' }).click();
  await expect(card).toBeHidden();
  await expect(slot.win).toHaveText(moneyText(0));
  await expect(card.getByRole('button', { name: 'Play again' })).toBeVisible({ timeout: 30_000 });
  await expect(slot.win).toHaveText(moneyText(payout));
  expect(calls).toEqual([]);
});

test('a replay of bought free spins names their cost', async ({ server, page }) => {
  const calls = recordCalls(page);
  const book = await findBook(server, 'BONUS', { payout: { from: 2000, to: 7000 } });
  const query = { mode: 'BONUS', event: String(book.bookID), amount: String(0.4 * UNIT), currency: 'EUR', lang: 'de' };
  await page.goto(replayUrl(server.origin, query));
  const facts = page.getByRole('region').getByRole('definition');
  await expect(facts).toHaveText([/./, '0,40 €', '32,00 €'], { timeout: 30_000 });
  expect(calls).toEqual([]);
});

test('a replay of a book that does not exist', async ({ slot, server, watch, page }) => {
  watch.expectComplaint(/status of 404/);
  await page.goto(replayUrl(server.origin, { mode: 'BASE', event: '99999999', amount: String(UNIT) }));
  await slot.expectFailure('ReplayNotFound');
});

test('a round of the history is replayed in the page, and then the game is as it was', async ({
  slot,
  server,
  page,
}, testInfo) => {
  const { url, sessionID } = await server.startSession();
  await slot.openReady(url);
  const before = await server.balanceOf(sessionID);
  const { payout, betID } = await slot.spinShort();
  const board = page.getByRole('region', { name: 'Aurora Line' });
  const words = (await board.textContent()) ?? '';
  await slot.menu.click();
  await slot.dialog.getByRole('button', { name: slot.words.say('history') }).click();
  const round = slot.dialogNamed('history').getByRole('listitem').first();
  await expect(round).toContainText(moneyText(payout));
  await expect(round).toContainText(`${slot.words.say('historyBalance')} ${moneyText(before)}`);
  await expect(round.getByRole('button')).toHaveAccessibleName(
    new RegExp(`Round ${betID}.*Bet.*Win.*${slot.words.say('netPosition')}.*Replay`, 's'),
  );
  expect(await axeViolations(page)).toEqual([]);
  await page.screenshot({ path: testInfo.outputPath('history.png') });
  await round.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(slot.dialog).toBeHidden();
  await expect(slot.balance).toBeHidden();
  const card = page.getByRole('region', { name: 'Replay' });
  await expect(card).toContainText(moneyText(payout));
  await card.getByRole('button', { name: 'Back to the game' }).click();
  await slot.expectReady();
  await expect(board).toHaveText(words);
  await slot.expectBalance(await server.balanceOf(sessionID));
});
