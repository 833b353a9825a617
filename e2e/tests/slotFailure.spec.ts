import { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { recordCalls, refuse, withQuery } from '../support/slotWire.ts';
import { SlotWords } from '../support/slotWords.ts';

// What each refusal leads to is tested with the game's model: src/game/failure.test.ts of the slot.

test.use(SMALL);

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
const STATUS_400 = /console error: Failed to load resource: the server responded with a status of 400/;
const STATUS_500 = /console error: Failed to load resource: the server responded with a status of 500/;
const NO_RESPONSE = /console error: Failed to load resource: net::ERR_/;

test('a session that the server does not know: said, and nothing closes it', async ({ slot, server, watch, page }) => {
  watch.expectComplaint(STATUS_400);
  const { url } = await server.startSession();
  await page.goto(withQuery(url, { sessionID: 'nobody-has-this-one' }));
  await slot.expectFailure('SessionOver');
  await page.keyboard.press('Escape');
  await expect(slot.failure).toBeVisible();
  await expect(slot.enterKey).toBeHidden();
});

test('a play that fails: said, nothing taken, and the next one is a bet', async ({ slot, server, watch, page }) => {
  watch.expectComplaints(STATUS_400);
  watch.expectComplaints(STATUS_500);
  const calls = recordCalls(page);
  const { url, sessionID } = await server.startSession({ setBalance: UNIT / 2 });
  await slot.openReady(url);
  await test.step('for want of money, without a request: the bet that it covers is offered', async () => {
    await slot.readyKey.click();
    await slot.expectFailure('InsufficientFunds', 'close');
    expect(calls.map(({ path }) => path)).not.toContain('/wallet/play');
    await slot.failure.getByRole('button', { name: slot.words.say('lowerBetTo', { bet: '$0.40' }) }).click();
    await expect(slot.failure).toBeHidden();
    await slot.expectBet(0.4 * UNIT);
  });
  await test.step('a limit of the player', async () => {
    await refuse(page, '/wallet/play', { status: 400, error: 'ERR_GLE' });
    await slot.readyKey.click();
    await slot.expectFailure('LimitReached', 'close');
    await page.keyboard.press('Escape');
    await expect(slot.failure).toBeHidden();
    await slot.expectReady();
  });
  await test.step('failure of the server: the game asks several times, then the player', async () => {
    await refuse(page, '/wallet/play', { status: 500, error: 'ERR_GEN' });
    const before = calls.length;
    await slot.readyKey.click();
    await slot.expectFailure('ServerFailure', 'tryAgain');
    expect(calls.slice(before).filter(({ path }) => path === '/wallet/play').length).toBeGreaterThan(1);
    await page.unrouteAll();
    await slot.takeRemedy('tryAgain');
    await slot.expectReady();
  });
  await slot.expectBalance(UNIT / 2);
  expect(await server.balanceOf(sessionID)).toBe(UNIT / 2);
  const { payout } = await slot.spinShort();
  await slot.expectBalance(0.1 * UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(0.1 * UNIT + payout);
});

test('maintenance when the game is opened, in Arabic: it starts when it is over', async ({ server, watch, page }) => {
  watch.expectComplaints(STATUS_500);
  const { url } = await server.startSession({ language: 'ar' });
  const slot = new SlotPage(page, new SlotWords('ar'));
  await refuse(page, '/wallet/authenticate', { status: 500, error: 'ERR_MAINTENANCE' });
  await page.goto(url);
  await slot.expectFailure('Maintenance', 'tryAgain');
  await expect(slot.failure).toHaveCSS('direction', 'rtl');
  // A player who contacts support needs it.
  await expect(slot.failure).toContainText('test-1');
  await page.unrouteAll();
  await slot.takeRemedy('tryAgain');
  await slot.enter();
  await slot.expectReady();
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
});
