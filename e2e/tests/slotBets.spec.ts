import { moneyText } from '../support/money.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdResponses, recordCalls } from '../support/slotWire.ts';

test.use(SMALL);

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;

test('the bet goes down and up through every level, and stops at both ends', async ({ slot, server }) => {
  const { url, sessionID } = await server.startSession();
  const { config } = await server.authenticate(sessionID);
  const { betLevels, defaultBetLevel } = config;
  await slot.openReady(url);
  await slot.expectBet(defaultBetLevel);

  for (const level of betLevels.filter((each) => each < defaultBetLevel).reverse()) {
    await slot.lowerBet.click();
    await slot.expectBet(level);
  }
  await expect(slot.lowerBet).toBeDisabled();
  for (const level of betLevels.slice(1)) {
    await slot.raiseBet.click();
    await slot.expectBet(level);
    await expect(slot.buy).toHaveAccessibleDescription(moneyText(80 * level));
    await expect(slot.ante).toHaveAccessibleDescription(moneyText((level * 125) / 100));
  }
  await expect(slot.raiseBet).toBeDisabled();
  await expect(slot.lowerBet).toBeEnabled();
});

test('keys change the bet, and stop at both ends', async ({ slot, server, page }) => {
  const { url, sessionID } = await server.startSession();
  const { betLevels } = (await server.authenticate(sessionID)).config;
  const [lowest = 0, second = 0, third = 0, fourth = 0] = betLevels;
  await slot.openReady(url);
  for (const _ of betLevels) await page.keyboard.press('-');
  await slot.expectBet(lowest);
  await page.keyboard.press('ArrowDown');
  await slot.expectBet(lowest);
  await page.keyboard.press('+');
  await slot.expectBet(second);
  await page.keyboard.press('ArrowUp');
  await slot.expectBet(third);
  await page.keyboard.press('=');
  await slot.expectBet(fourth);
  await page.keyboard.press('ArrowDown');
  await slot.expectBet(third);
  for (const _ of betLevels) await page.keyboard.press('ArrowUp');
  await slot.expectBet(betLevels.at(-1) ?? Number.NaN);
});

test('a level of the list is what is played, debited, and remembered', async ({ slot, server, page }) => {
  const calls = recordCalls(page);
  const { url, sessionID } = await server.startSession();
  const { betLevels } = (await server.authenticate(sessionID)).config;
  await slot.openReady(url);
  await slot.chooseBet.click();
  const dialog = slot.dialogNamed('chooseBet');
  const levels = dialog.getByRole('group').getByRole('button');
  await expect(levels).toHaveText(betLevels.map((level) => moneyText(level)));
  await expect(dialog.getByRole('button', { pressed: true })).toHaveText(moneyText(UNIT));

  // By keyboard: the chosen level has the focus, and the arrow keys move it.
  await expect(dialog.getByRole('button', { pressed: true })).toBeFocused();
  await page.keyboard.press('End');
  await expect(levels.last()).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(levels.nth(-2)).toBeFocused();
  await dialog.getByRole('button', { name: moneyText(20 * UNIT), exact: true }).click();
  await expect(dialog).toBeHidden();
  await slot.expectBet(20 * UNIT);

  const round = await slot.spinShort();
  expect(calls.find(({ path }) => path === '/wallet/play')?.body).toMatchObject({ amount: 20 * UNIT, mode: 'BASE' });
  expect(round.amount).toBe(20 * UNIT);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - 20 * UNIT + round.payout);
  await slot.expectBalance(OPENING_BALANCE - 20 * UNIT + round.payout);

  await page.reload();
  await slot.enter();
  await slot.expectBet(20 * UNIT);
});

test('while a round runs the bet stays what it is', async ({ slot, server, page }) => {
  const { url } = await server.startSession();
  await slot.openReady(url);
  await slot.forceShort();
  const held = await holdResponses(page, '/wallet/play');
  await slot.readyKey.click();
  await held.arrived;
  await expect(slot.raiseBet).toBeDisabled();
  await expect(slot.lowerBet).toBeDisabled();
  await expect(slot.chooseBet).toBeDisabled();
  await expect(slot.ante).toBeDisabled();
  await expect(slot.buy).toBeDisabled();
  await expect(slot.autoplay).toBeDisabled();
  await page.keyboard.press('+');
  await slot.expectBet(UNIT);
  held.release();
  await slot.expectReady();
  await page.keyboard.press('+');
  await slot.expectBet(2 * UNIT);
});
