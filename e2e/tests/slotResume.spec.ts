import { moneyText } from '../support/money.ts';
import { findBook } from '../support/slotBooks.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdRequests, holdResponses, loseNextResponse, recordCalls } from '../support/slotWire.ts';

test.use({ ...SMALL, speed: 1 });

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
const HUNDREDTH = UNIT / 100;
const OPEN_ROUND = 'Your last round is still open. It continues where it was.';
const NO_RESPONSE = /console error: Failed to load resource: net::ERR_/;
const A_WIN = { payout: { from: 150, to: 900 }, freeSpins: 'none' } as const;

test('a reload while the response of play is on its way: the round is there', async ({ slot, server, page }) => {
  const { url, sessionID } = await server.startSession();
  const book = await findBook(server, 'BASE', A_WIN);
  await server.forceNext({ sessionID, mode: 'BASE', bookID: book.bookID });
  await slot.openReady(url);
  const held = await holdResponses(page, '/wallet/play');
  await slot.readyKey.click();
  await held.arrived;
  await expect.poll(() => server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT);
  await page.unrouteAll();
  await page.reload();
  held.release();

  await expect(page.getByText(OPEN_ROUND)).toBeVisible({ timeout: 30_000 });
  await slot.enter();
  await slot.expectReady();
  const payout = book.payoutHundredths * HUNDREDTH;
  await expect(slot.win).toHaveText(moneyText(payout));
  await slot.expectBalance(OPENING_BALANCE - UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT + payout);
});

test('a reload before play has reached the server: nothing was taken, and the next spin is one bet', async ({
  slot,
  server,
  page,
}) => {
  const { url, sessionID } = await server.startSession();
  await slot.openReady(url);
  const held = await holdRequests(page, '/wallet/play');
  await slot.readyKey.click();
  await held.arrived;
  await page.reload();
  await page.unrouteAll();
  await slot.enter();
  await slot.expectReady();
  await slot.expectBalance(OPENING_BALANCE);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE);
  const round = await slot.spinShort();
  await slot.expectBalance(OPENING_BALANCE - UNIT + round.payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT + round.payout);
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

test('a lost response of play is asked for again, and debits once', async ({ slot, server, page, watch }) => {
  watch.expectComplaint(NO_RESPONSE);
  const calls = recordCalls(page);
  const { url, sessionID } = await server.startSession();
  const book = await findBook(server, 'BASE', A_WIN);
  await server.forceNext({ sessionID, mode: 'BASE', bookID: book.bookID });
  await slot.openReady(url);
  await loseNextResponse(page, '/wallet/play');
  const round = await slot.spin();
  expect(round.payout).toBe(book.payoutHundredths * HUNDREDTH);
  await slot.expectBalance(OPENING_BALANCE - UNIT + round.payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT + round.payout);
  const keys = calls.filter(({ path }) => path === '/wallet/play').map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('a reload after the response of play was lost: one bet, and its round', async ({ slot, server, page, watch }) => {
  watch.expectComplaint(NO_RESPONSE);
  const { url, sessionID } = await server.startSession();
  const book = await findBook(server, 'BASE', A_WIN);
  await server.forceNext({ sessionID, mode: 'BASE', bookID: book.bookID });
  await slot.openReady(url);
  await loseNextResponse(page, '/wallet/play');
  // The page is closed before the second attempt is sent.
  const lost = page.waitForEvent('requestfailed');
  await slot.readyKey.click();
  await lost;
  await page.route('**/wallet/play', () => undefined);
  await page.reload();
  await page.unrouteAll();
  await slot.enter();
  await slot.expectReady();
  const payout = book.payoutHundredths * HUNDREDTH;
  await slot.expectBalance(OPENING_BALANCE - UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT + payout);
  const next = await slot.spinShort();
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - 2 * UNIT + payout + next.payout);
});

test('a lost response of end-round is asked for again, and pays once', async ({ slot, server, page, watch }) => {
  watch.expectComplaint(NO_RESPONSE);
  const calls = recordCalls(page);
  const { url, sessionID } = await server.startSession();
  const book = await findBook(server, 'BASE', A_WIN);
  await server.forceNext({ sessionID, mode: 'BASE', bookID: book.bookID });
  await slot.openReady(url);
  await loseNextResponse(page, '/wallet/end-round');
  const { payout } = await slot.spin();
  await slot.expectBalance(OPENING_BALANCE - UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT + payout);
  expect(calls.filter(({ path }) => path === '/wallet/end-round')).toHaveLength(2);
});
