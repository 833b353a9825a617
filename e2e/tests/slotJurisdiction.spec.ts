import { findBook } from '../support/slotBooks.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdResponses, recordCalls } from '../support/slotWire.ts';

test.use({ ...SMALL, speed: 1 });

const UNIT = 1_000_000;

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

test('a place that restricts nothing: all of it is there, and nothing is shown that was not asked for', async ({
  slot,
  server,
  page,
}) => {
  const { url } = await server.startSession();
  await slot.openReady(url);
  for (const there of [slot.autoplay, slot.buy, slot.ante]) await expect(there).toBeEnabled();
  for (const fact of ['RTP', 'Time', 'Net']) {
    await expect(page.getByRole('status', { name: fact, exact: true })).toBeHidden();
  }
  await expect(slot.pace).toHaveAccessibleName('Speed: normal');
  await slot.pace.click();
  await expect(slot.pace).toHaveAccessibleName('Speed: turbo');
  await slot.pace.click();
  await expect(slot.pace).toHaveAccessibleName('Speed: super turbo');
  await slot.pace.click();
  await expect(slot.pace).toHaveAccessibleName('Speed: normal');

  await slot.menu.click();
  const dialog = slot.dialogNamed('menu');
  await dialog.getByRole('button', { name: 'Full screen' }).click();
  await dialog.getByRole('button', { name: 'Leave full screen' }).click();
  await expect(dialog.getByRole('button', { name: 'Full screen', exact: true })).toBeVisible();
});

test('a place without super turbo, where a round lasts three seconds', async ({ slot, server, page }) => {
  const minimumRoundDuration = 3000;
  const { url, sessionID } = await server.startSession({
    jurisdiction: { disabledSuperTurbo: true, minimumRoundDuration },
  });
  const { bookID } = await findBook(server, 'BASE', { payout: { from: 0 } });
  const startedAtMs: number[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/wallet/play')) startedAtMs.push(request.timing().startTime);
  });
  await slot.openReady(url);
  await slot.pace.click();
  await expect(slot.pace).toHaveAccessibleName('Speed: turbo');
  // The server refuses a play that comes too early; that would be a dialog.
  for (let spin = 0; spin < 3; spin += 1) {
    await server.forceNext({ sessionID, mode: 'BASE', bookID });
    await slot.spin();
  }
  await expect.poll(() => startedAtMs.length).toBe(3);
  const [first = 0, second = 0, third = 0] = startedAtMs;
  expect(second - first).toBeGreaterThanOrEqual(minimumRoundDuration);
  expect(third - second).toBeGreaterThanOrEqual(minimumRoundDuration);
  await slot.expectBalance(997 * UNIT);

  await slot.pace.click();
  await expect(slot.pace).toHaveAccessibleName('Speed: normal');
});
