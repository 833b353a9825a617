import { findBook } from '../support/slotBooks.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdResponses, recordCalls } from '../support/slotWire.ts';

// permissions.test.ts tests with the game's model what each flag of a jurisdiction does.

test.use({ ...SMALL, speed: 1 });

test('a place that restricts everything: nothing of it is offered, nothing of it works', async ({
  slot,
  server,
  page,
}) => {
  const calls = recordCalls(page);
  const { url, sessionID } = await server.startSession({
    jurisdiction: {
      disabledFullscreen: true,
      disabledTurbo: true,
      disabledAutoplay: true,
      disabledSlamstop: true,
      disabledSpacebar: true,
      disabledBuyFeature: true,
      displayNetPosition: true,
      displayRTP: true,
      displaySessionTimer: true,
    },
  });
  const loss = await findBook(server, 'BASE', { payout: { from: 0 } });
  await slot.openReady(url);
  for (const gone of [slot.pace, slot.autoplay, slot.buy]) await expect(gone).toBeHidden();
  await expect(slot.ante).toBeVisible();
  await expect(page.getByRole('status', { name: 'RTP', exact: true })).toHaveText('96.00%');
  await expect(page.getByRole('status', { name: 'Time', exact: true })).toHaveText(/^0:0\d:(?!00)\d\d$/);
  await expect(slot.netPosition).toHaveText('$0.00');

  await slot.menu.click();
  const menuKeys = slot.dialogNamed('menu').getByRole('button');
  await expect(menuKeys).toHaveCount(4);
  for (const [place, name] of ['Close', 'Rules and paytable', 'Sound is on', 'My last rounds'].entries()) {
    await expect(menuKeys.nth(place)).toHaveAccessibleName(name);
  }
  await page.keyboard.press('Escape');

  await page.keyboard.press('Space');
  await server.forceNext({ sessionID, mode: 'BASE', bookID: loss.bookID });
  const held = await holdResponses(page, '/wallet/play');
  await slot.readyKey.click();
  await held.arrived;
  // The reels turn and cannot be stopped.
  await expect(slot.bigKey).toHaveAccessibleName('Spin');
  await expect(slot.bigKey).toBeDisabled();
  held.release();
  await slot.expectReady();
  expect(calls.filter(({ path }) => path === '/wallet/play')).toHaveLength(1);
  await expect(slot.netPosition).toHaveText('-$1.00');
});
