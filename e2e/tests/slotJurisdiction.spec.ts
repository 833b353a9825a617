import { findBook } from '../support/slotBooks.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdRequests, holdResponses, recordCalls } from '../support/slotWire.ts';

test.use({ ...SMALL, speed: 1 });

const UNIT = 1_000_000;
const STATUS_400 = /console error: Failed to load resource: the server responded with a status of 400/;

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

test('autoplay with at most 25 rounds, and a press of its own for each round', async ({ slot, server, page }) => {
  const { url, sessionID } = await server.startSession({
    jurisdiction: { maximumAutoplayRounds: 25, requireStartRelease: true },
  });
  const { bookID } = await findBook(server, 'BASE', { payout: { from: 0 } });
  await server.forceNext({ sessionID, mode: 'BASE', bookID });
  const calls = recordCalls(page);
  await slot.openReady(url);
  await slot.autoplay.click();
  await expect(slot.dialog.getByRole('group', { name: 'Number of spins' }).getByRole('radio')).toHaveCount(2);
  await page.keyboard.press('Escape');

  await slot.readyKey.focus();
  await slot.begin(() => page.keyboard.down('Enter'));
  await slot.expectReady();
  // A second `down` without `up` is the repetition of a key that is held.
  for (let repetition = 0; repetition < 3; repetition += 1) await page.keyboard.down('Enter');
  await slot.expectReady();
  await page.keyboard.up('Enter');
  expect(calls.filter(({ path }) => path === '/wallet/play')).toHaveLength(1);
});

test('one game at a time: a game that another one has ended says so, also in the middle of a round', async ({
  slot,
  server,
  watch,
  page,
}, testInfo) => {
  watch.expectComplaints(STATUS_400);
  const place = { token: 'one-at-a-time', jurisdiction: { singleInstance: true } };
  const { url, sessionID } = await server.startSession(place);
  const { bookID } = await findBook(server, 'BASE', { payout: { from: 150, to: 900 }, freeSpins: 'none' });
  await server.forceNext({ sessionID, mode: 'BASE', bookID });
  await slot.openReady(url);
  const held = await holdRequests(page, '/wallet/end-round');
  const { betID } = await slot.begin();
  await held.arrived;

  const other = await server.startSession(place);
  const { round } = await server.authenticate(other.sessionID);
  held.release();
  await expect(slot.failure).toHaveAccessibleName('Your session has ended');
  await expect(slot.failure).toContainText('One game at a time can be played here.');
  await expect(slot.failure.getByRole('button')).toHaveCount(0);
  await page.screenshot({ path: testInfo.outputPath('otherGame.png') });
  // The round is kept, and the game that has ended this one has it.
  expect(round).toMatchObject({ betID, active: true });
});

test('a reality check comes at the end of a round, is acknowledged, and offers the history and to leave', async ({
  slot,
  server,
  page,
}, testInfo) => {
  const { url, sessionID } = await server.startSession({ jurisdiction: { realityCheckInterval: 1 } });
  const { bookID } = await findBook(server, 'BASE', { payout: { from: 0 } });
  await slot.openReady(url);
  const check = page.getByRole('alertdialog', { name: 'Reality check' });
  for (const answer of ['Continue playing', 'Leave the game']) {
    await server.forceNext({ sessionID, mode: 'BASE', bookID });
    await slot.begin();
    await expect(check).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(check.getByRole('button', { name: 'My last rounds' })).toBeVisible();
    if (answer === 'Leave the game') await page.screenshot({ path: testInfo.outputPath('realityCheck.png') });
    await check.getByRole('button', { name: answer }).click();
    await expect(check).toBeHidden();
    if (answer === 'Continue playing') await slot.expectReady();
  }
  // The link of the test names no page to leave for.
  await expect(slot.failure).toHaveAccessibleName('You have left the game');
  await page.screenshot({ path: testInfo.outputPath('left.png') });
  await slot.failure.getByRole('button', { name: 'Reload' }).click();
  await expect(slot.enterKey).toBeVisible();
});
