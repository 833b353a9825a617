import { moneyText } from '../support/money.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdResponses, recordCalls } from '../support/slotWire.ts';

test.use(SMALL);

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;

test('buttons and keys move the bet through the levels, to both ends, and not while a round runs', async ({
  slot,
  server,
  page,
}) => {
  const { url, sessionID } = await server.startSession();
  const { betLevels, defaultBetLevel } = (await server.authenticate(sessionID)).config;
  const [lowest = 0, second = 0, third = 0] = betLevels;
  await slot.openReady(url);
  await slot.expectBet(defaultBetLevel);

  await test.step('keys', async () => {
    for (const _ of betLevels) await page.keyboard.press('-');
    await slot.expectBet(lowest);
    await expect(slot.lowerBet).toBeDisabled();
    await page.keyboard.press('+');
    await slot.expectBet(second);
    await page.keyboard.press('ArrowUp');
    await slot.expectBet(third);
    await page.keyboard.press('ArrowDown');
    await slot.expectBet(second);
    await page.keyboard.press('-');
  });

  await test.step('buttons', async () => {
    for (const level of betLevels.slice(1)) {
      await slot.raiseBet.click();
      await slot.expectBet(level);
      await expect(slot.buy).toHaveAccessibleName(`Buy free spins ${moneyText(80 * level)}`);
      await expect(slot.ante).toHaveAccessibleDescription(moneyText((level * 125) / 100));
    }
    await expect(slot.raiseBet).toBeDisabled();
    await slot.lowerBet.click();
    await slot.expectBet(betLevels.at(-2) ?? Number.NaN);
  });

  await test.step('a round', async () => {
    await slot.forceShort();
    const held = await holdResponses(page, '/wallet/play');
    await slot.readyKey.click();
    await held.arrived;
    for (const key of [slot.raiseBet, slot.lowerBet, slot.chooseBet, slot.ante, slot.buy, slot.autoplay]) {
      await expect(key).toBeDisabled();
    }
    await page.keyboard.press('+');
    await slot.expectBet(betLevels.at(-2) ?? Number.NaN);
    held.release();
    await slot.expectReady();
    await page.keyboard.press('+');
    await slot.expectBet(betLevels.at(-1) ?? Number.NaN);
  });
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

  // The test uses the keyboard: the chosen level has the focus, and the arrow keys move it.
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
