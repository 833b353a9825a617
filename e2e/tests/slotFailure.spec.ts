import { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { recordCalls, refuse, withQuery } from '../support/slotWire.ts';
import { SlotWords } from '../support/slotWords.ts';

test.use(SMALL);

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
const STATUS_400 = /console error: Failed to load resource: the server responded with a status of 400/;
const STATUS_500 = /console error: Failed to load resource: the server responded with a status of 500/;
const NO_RESPONSE = /console error: Failed to load resource: net::ERR_/;

test('a session that the server does not know', async ({ slot, server, watch, page }) => {
  watch.expectComplaint(STATUS_400);
  const { url } = await server.startSession();
  await page.goto(withQuery(url, { sessionID: 'nobody-has-this-one' }));
  await slot.expectFailure('SessionOver');
  await expect(slot.enterKey).toBeHidden();
});

test('a session that is ended while it is played', async ({ slot, roundhouse, watch, page }) => {
  // Two requests, because the session may only have timed out.
  watch.expectComplaint(STATUS_400);
  watch.expectComplaint(STATUS_400);
  const calls = recordCalls(page);
  const operator = await roundhouse.newOperator();
  await slot.openReady(await operator.session());
  await operator.revokeSessions();
  await slot.readyKey.click();
  await slot.expectFailure('SessionOver');
  await page.keyboard.press('Escape');
  await expect(slot.failure).toBeVisible();
  expect(calls.slice(-2).map(({ path }) => path)).toEqual(['/wallet/play', '/wallet/authenticate']);
  await slot.expectBalance(OPENING_BALANCE);
});

test('a login that has expired', async ({ slot, roundhouse, watch }) => {
  watch.expectComplaint(STATUS_400);
  const operator = await roundhouse.newOperator();
  await slot.openReady(await operator.session());
  await operator.expireLogin();
  await slot.readyKey.click();
  await slot.expectFailure('SessionOver');
});

test('not enough money: said, nothing taken, and a lower bet plays', async ({ slot, server, watch }) => {
  watch.expectComplaint(STATUS_400);
  const { url, sessionID } = await server.startSession({ setBalance: UNIT / 2 });
  await slot.openReady(url);
  await slot.readyKey.click();
  await slot.expectFailure('InsufficientFunds', 'close');
  await slot.takeRemedy('close');
  await slot.expectReady();
  await slot.expectBalance(UNIT / 2);
  expect(await server.balanceOf(sessionID)).toBe(UNIT / 2);

  for (const _ of [0.8, 0.6, 0.4]) await slot.lowerBet.click();
  await slot.expectBet(0.4 * UNIT);
  const { payout } = await slot.spinShort();
  await slot.expectBalance(0.1 * UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(0.1 * UNIT + payout);
});

test('a limit of the player: said, nothing taken, and a lower bet plays', async ({ slot, roundhouse, watch }) => {
  watch.expectComplaint(STATUS_400);
  const operator = await roundhouse.newOperator();
  const url = await operator.session();
  await operator.limitDailyWager('1.50');
  await slot.openReady(url);
  const first = await slot.spinShort();
  await slot.readyKey.click();
  await slot.expectFailure('LimitReached', 'close');
  await slot.page.keyboard.press('Escape');
  await expect(slot.failure).toBeHidden();
  await slot.expectReady();
  await slot.expectBalance(OPENING_BALANCE - UNIT + first.payout);

  for (const _ of [0.8, 0.6, 0.4]) await slot.lowerBet.click();
  const second = await slot.spinShort();
  await slot.expectBalance(OPENING_BALANCE - 1.4 * UNIT + first.payout + second.payout);
});

test('not allowed where the player is, in German', async ({ page, roundhouse, watch }) => {
  watch.expectComplaint(STATUS_400);
  const operator = await roundhouse.newOperator({ blockCountries: 'FI' });
  const slot = new SlotPage(page, new SlotWords('de'));
  await page.goto(await operator.session({ language: 'de', country: 'FI' }));
  await slot.expectFailure('NotAllowedHere');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});

test('maintenance, in Arabic: said as often as it lasts, then the game goes on', async ({
  page,
  roundhouse,
  watch,
}) => {
  watch.expectComplaints(STATUS_500);
  const operator = await roundhouse.newOperator();
  const url = await operator.session({ language: 'ar' });
  const slot = new SlotPage(page, new SlotWords('ar'));
  await slot.openReady(url);
  await operator.setMaintenance(true);
  await slot.readyKey.click();
  await slot.expectFailure('Maintenance', 'tryAgain');
  await expect(slot.failure).toHaveCSS('direction', 'rtl');
  const balance = await slot.balance.textContent();
  await operator.setMaintenance(false);
  await slot.takeRemedy('tryAgain');
  await slot.expectReady();
  await expect(slot.balance).toHaveText(balance ?? '');
  await slot.spinShort();
});

test('maintenance when the game is opened: it starts when it is over', async ({ slot, server, watch, page }) => {
  watch.expectComplaints(STATUS_500);
  const { url } = await server.startSession();
  await refuse(page, '/wallet/authenticate', { status: 500, error: 'ERR_MAINTENANCE' });
  await page.goto(url);
  await slot.expectFailure('Maintenance', 'tryAgain');
  // For a player who contacts support.
  await expect(slot.failure).toContainText('Reference: test-1');
  await slot.takeRemedy('tryAgain').catch(() => undefined);
  await slot.expectFailure('Maintenance', 'tryAgain');
  await page.unrouteAll();
  await slot.takeRemedy('tryAgain');
  await slot.enter();
  await slot.expectReady();
  await slot.expectBalance(OPENING_BALANCE);
});

test('failure of the server: the game asks several times, then the player', async ({ slot, server, watch, page }) => {
  watch.expectComplaints(STATUS_500);
  const calls = recordCalls(page);
  const { url, sessionID } = await server.startSession();
  await slot.openReady(url);
  await refuse(page, '/wallet/play', { status: 500, error: 'ERR_GEN' });
  await slot.readyKey.click();
  await slot.expectFailure('ServerFailure', 'tryAgain');
  expect(calls.filter(({ path }) => path === '/wallet/play').length).toBeGreaterThan(1);
  await page.unrouteAll();
  await slot.takeRemedy('tryAgain');
  await slot.expectReady();
  await slot.expectBalance(OPENING_BALANCE);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE);
  const { payout } = await slot.spinShort();
  await slot.expectBalance(OPENING_BALANCE - UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT + payout);
});

test('the network is lost and comes back', async ({ slot, server, watch, page, context }) => {
  watch.expectComplaints(NO_RESPONSE);
  const { url, sessionID } = await server.startSession();
  await slot.openReady(url);
  await context.setOffline(true);
  const lost = page.getByText('Connection lost. Trying again…');
  await expect(lost).toBeVisible();
  await slot.readyKey.click();
  await slot.expectFailure('NoNetwork', 'tryAgain');
  // The dialog closes by itself when the network is back.
  await context.setOffline(false);
  await expect(slot.failure).toBeHidden();
  await expect(lost).toBeHidden();
  await slot.expectReady();
  await slot.expectBalance(OPENING_BALANCE);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE);
  const { payout } = await slot.spinShort();
  await slot.expectBalance(OPENING_BALANCE - UNIT + payout);
});

test('a bet that the server refuses: said, nothing taken', async ({ slot, server, watch, page }) => {
  watch.expectComplaint(STATUS_400);
  const { url, sessionID } = await server.startSession();
  await slot.openReady(url);
  await refuse(page, '/wallet/play', { status: 400, error: 'ERR_VAL' });
  await slot.readyKey.click();
  await slot.expectFailure('BadRequest', 'close');
  await page.unrouteAll();
  await slot.takeRemedy('close');
  await slot.expectReady();
  await slot.expectBalance(OPENING_BALANCE);
  const { payout } = await slot.spinShort();
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT + payout);
});
