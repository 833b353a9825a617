import { moneyText } from '../support/money.ts';
import { findBook } from '../support/slotBooks.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdRequests, holdResponses } from '../support/slotWire.ts';

test.use({ ...SMALL, speed: 1 });

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
const HUNDREDTH = UNIT / 100;
const OPEN_ROUND = 'Your last round is still open. It continues where it was.';
const A_WIN = { payout: { from: 150, to: 900 }, freeSpins: 'none' } as const;

test('a reload before play has reached the server: nothing was taken; while its response is on its way: the round is there', async ({
  slot,
  server,
  page,
}) => {
  const { url, sessionID } = await server.startSession();
  const book = await findBook(server, 'BASE', A_WIN);
  const payout = book.payoutHundredths * HUNDREDTH;
  await slot.openReady(url);
  const request = await holdRequests(page, '/wallet/play');
  await slot.readyKey.click();
  await request.arrived;
  await page.reload();
  request.release();
  await slot.enter();
  await slot.expectReady();
  await slot.expectBalance(OPENING_BALANCE);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE);

  await server.forceNext({ sessionID, mode: 'BASE', bookID: book.bookID });
  const response = await holdResponses(page, '/wallet/play');
  await slot.readyKey.click();
  await response.arrived;
  await expect.poll(() => server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT);
  await page.reload();
  response.release();
  await expect(page.getByText(OPEN_ROUND)).toBeVisible();
  await slot.enter();
  await slot.expectReady();
  await expect(slot.win).toHaveText(moneyText(payout));
  await slot.expectBalance(OPENING_BALANCE - UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT + payout);

  const next = await slot.spinShort();
  await slot.expectBalance(OPENING_BALANCE - 2 * UNIT + payout + next.payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - 2 * UNIT + payout + next.payout);
});

test('a reload during free spins goes on at the spin that was recorded', async ({ slot, server, page }) => {
  test.slow();
  const { url, sessionID } = await server.startSession();
  const book = await findBook(server, 'BONUS', { payout: { from: 2000, to: 7000 }, freeSpins: 10 });
  await server.forceNext({ sessionID, mode: 'BONUS', bookID: book.bookID });
  await slot.openReady(url);
  await slot.hurry();
  // Nothing is recorded from the third free spin on.
  const third = book.events.find(({ type, spin }) => type === 'updateFreeSpin' && spin === 3);
  const thirdMark = `next:${third?.index}`;
  const reachedThird = page.waitForResponse((response) => response.request().postData()?.includes(thirdMark) ?? false);
  await page.route('**/bet/event', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response });
    if (route.request().postData()?.includes(thirdMark)) await page.route('**/bet/event', () => undefined);
  });
  await slot.buy.click();
  await slot.begin(() => page.getByRole('button', { name: 'Buy for $80.00' }).click());
  await reachedThird;
  await page.reload();
  await page.unrouteAll();

  const { round: open } = await server.authenticate(sessionID);
  expect(open).toMatchObject({ active: true, event: thirdMark });
  await expect(page.getByText(OPEN_ROUND)).toBeVisible({ timeout: 30_000 });
  await slot.ear.forget();
  await slot.enter();
  await expect(slot.freeSpins).toHaveText(/^([3-9]|10) of 10$/);
  await slot.expectBalance(OPENING_BALANCE - 80 * UNIT);
  await slot.cutShort();

  const payout = book.payoutHundredths * HUNDREDTH;
  await expect(slot.win).toHaveText(moneyText(payout));
  await slot.expectBalance(OPENING_BALANCE - 80 * UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - 80 * UNIT + payout);
  // Events that had been shown were set without being announced again.
  const spinsHeard = (await slot.ear.heard()).filter((text) => text.startsWith('Free spin '));
  expect(spinsHeard.slice(-8)).toEqual(Array.from({ length: 8 }, (_, place) => `Free spin ${place + 3} of 10`));
  const { round: ended } = await server.authenticate(sessionID);
  expect(ended).toMatchObject({ active: false });
});
