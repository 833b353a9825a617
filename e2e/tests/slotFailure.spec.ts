import { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { recordCalls, refuse, withQuery } from '../support/slotWire.ts';
import { SlotWords } from '../support/slotWords.ts';

// src/game/failure.test.ts of the slot tests with the game's model what each refusal leads to.

test.use(SMALL);

const UNIT = 1_000_000;
const STATUS_500 = /console error: Failed to load resource: the server responded with a status of 500/;
const NO_RESPONSE = /console error: Failed to load resource: net::ERR_/;

test('a launch link that is not complete: said in its language, and nothing closes it', async ({ page, server }) => {
  const calls = recordCalls(page);
  const { url } = await server.startSession({ language: 'ar' });
  const slot = new SlotPage(page, new SlotWords('ar'));
  await page.goto(withQuery(url, { rgs_url: undefined }));
  await slot.expectFailure('BadLaunch');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await expect(slot.failure).toHaveCSS('direction', 'rtl');
  await expect(slot.enterKey).toBeHidden();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(slot.failure).toBeVisible();
  expect(calls).toEqual([]);
});

test('a browser without WebGL shows what to do', async ({ page, slot, server }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  const { url } = await server.startSession();
  await page.goto(url);
  await slot.expectFailure('NoWebGl');
});

test('a play that fails, and a network that is lost: said, nothing taken, and the next play is a bet', async ({
  slot,
  server,
  watch,
  page,
  context,
}) => {
  watch.expectComplaints(STATUS_500);
  watch.expectComplaints(NO_RESPONSE);
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
  await test.step('failure of the server: the game asks several times, then the player', async () => {
    await refuse(page, '/wallet/play', { status: 500, error: 'ERR_GEN' });
    const before = calls.length;
    await slot.readyKey.click();
    await slot.expectFailure('ServerFailure', 'tryAgain');
    // A player who contacts support needs it.
    await expect(slot.failure).toContainText('test-1');
    expect(calls.slice(before).filter(({ path }) => path === '/wallet/play').length).toBeGreaterThan(1);
    await page.unrouteAll();
    await slot.takeRemedy('tryAgain');
    await slot.expectReady();
  });
  await test.step('no network: the dialog closes by itself when it is back', async () => {
    await context.setOffline(true);
    const lost = page.getByText('Connection lost. Trying again…');
    await expect(lost).toBeVisible();
    await slot.readyKey.click();
    await slot.expectFailure('NoNetwork', 'tryAgain');
    await context.setOffline(false);
    await expect(slot.failure).toBeHidden();
    await expect(lost).toBeHidden();
    await slot.expectReady();
  });
  await slot.expectBalance(UNIT / 2);
  expect(await server.balanceOf(sessionID)).toBe(UNIT / 2);
  const { payout } = await slot.spinShort();
  await slot.expectBalance(0.1 * UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(0.1 * UNIT + payout);
});

test('a second tab: it takes over with the running round, which is paid once, and the first one takes it back', async ({
  page,
  slot,
  otherSlot,
  server,
}) => {
  const before = 10 * UNIT;
  const { url, sessionID } = await server.startSession({ setBalance: before });
  await slot.openReady(url);
  // The first tab is left while it ends its round: that request stays on its way.
  await page.route('**/wallet/end-round', () => {});
  await slot.forceShort();
  const ending = page.waitForRequest('**/wallet/end-round');
  const { amount, payout } = await slot.begin();
  await ending;
  await otherSlot.openIntro(url);
  await slot.expectFailure('OtherTab', 'playHere');
  await otherSlot.enter();
  await otherSlot.expectReady();
  await otherSlot.expectBalance(before - amount + payout);
  expect(await server.balanceOf(sessionID)).toBe(before - amount + payout);
  await slot.takeRemedy('playHere');
  await otherSlot.expectFailure('OtherTab', 'playHere');
  await slot.enter();
  await slot.expectReady();
  await slot.expectBalance(before - amount + payout);
});
