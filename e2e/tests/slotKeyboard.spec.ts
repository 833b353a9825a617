import { findBook } from '../support/slotBooks.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdResponses, recordCalls } from '../support/slotWire.ts';

test.use({ ...SMALL, speed: 1 });

const UNIT = 1_000_000;

test('a held key spins once, and the space bar stops the reels and skips what is shown', async ({
  slot,
  server,
  page,
}) => {
  const calls = recordCalls(page);
  const { url, sessionID } = await server.startSession({ jurisdiction: { requireStartRelease: true } });
  const loss = await findBook(server, 'BASE', { payout: { from: 0 } });
  await slot.openReady(url);
  await slot.readyKey.focus();
  for (const [place, key] of ['Space', 'Enter'].entries()) {
    await server.forceNext({ sessionID, mode: 'BASE', bookID: loss.bookID });
    await slot.begin(() => page.keyboard.down(key));
    // A second `down` without `up` is the keyboard's own repetition: until the round is over, and
    // beyond.
    do await page.keyboard.down(key);
    while (!(await slot.readyKey.isVisible()));
    for (let press = 0; press < 20; press += 1) await page.keyboard.down(key);
    await page.keyboard.up(key);
    await slot.expectReady();
    await expect(slot.bigKey).toBeFocused();
    expect(calls.filter(({ path }) => path === '/wallet/play')).toHaveLength(place + 1);
  }

  const win = await findBook(server, 'BASE', { payout: { from: 2500, to: 4000 }, freeSpins: 'none' });
  await server.forceNext({ sessionID, mode: 'BASE', bookID: win.bookID });
  const held = await holdResponses(page, '/wallet/play');
  await page.keyboard.press('Space');
  await held.arrived;
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  for (const key of [slot.raiseBet, slot.lowerBet, slot.chooseBet, slot.ante, slot.buy, slot.autoplay]) {
    await expect(key).toBeDisabled();
  }
  await page.keyboard.press('Space');
  held.release();
  await expect(page.getByRole('button', { name: 'Skip', exact: true })).toBeVisible();
  await page.keyboard.press('Space');
  await slot.expectReady();
});

test('keys go to the dialog, then to the button that has the focus, then to the game', async ({
  slot,
  server,
  page,
}) => {
  const calls = recordCalls(page);
  const { url } = await server.startSession();
  await slot.openReady(url);
  await slot.menu.focus();
  await page.keyboard.press('Enter');
  const dialog = slot.dialogNamed('menu');
  await expect(dialog).toBeVisible();
  for (const key of ['+', 'ArrowUp', 'm']) await page.keyboard.press(key);
  await expect(dialog.getByRole('button', { name: 'Sound is on' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Full screen' }).click();
  await dialog.getByRole('button', { name: 'Leave full screen' }).click();
  await expect(dialog.getByRole('button', { name: 'Full screen', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(slot.menu).toBeFocused();
  await slot.expectBet(UNIT);

  await slot.raiseBet.focus();
  await page.keyboard.press('Space');
  await slot.expectBet(2 * UNIT);

  // Enter that is held down opens the question with the focus on Cancel, and presses nothing in it.
  const question = slot.dialogNamed('buy');
  await slot.buy.focus();
  for (let press = 0; press < 20; press += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  expect(calls.map(({ path }) => path)).not.toContain('/wallet/play');

  // The chosen level has the focus, and the arrow keys move it.
  await slot.chooseBet.press('Enter');
  const levels = slot.dialogNamed('chooseBet').getByRole('group').getByRole('button');
  await expect(levels.and(page.locator('[aria-pressed=true]'))).toBeFocused();
  await page.keyboard.press('End');
  await expect(levels.last()).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(levels.nth(-2)).toBeFocused();
  await page.keyboard.press('Escape');

  // A button that was pressed with the mouse has no focus.
  await slot.raiseBet.click();
  await slot.expectBet(4 * UNIT);
  const round = await slot.spinShort(() => page.keyboard.press('Space'));
  expect(round.amount).toBe(4 * UNIT);
  await slot.expectBet(4 * UNIT);
});
