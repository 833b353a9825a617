import { meterGl } from '../support/glMeter.ts';
import { findBook } from '../support/slotBooks.ts';
import { expect, test } from '../support/slotTest.ts';
import { holdRequests } from '../support/slotWire.ts';

// It is twice what is measured: at most 34 draw calls in a frame, and 27 MB of textures.
const MOST_DRAWS = 70;
const MOST_TEXTURE_BYTES = 54_000_000;

// The picture is drawn, with all motion. Each frame takes a tenth of a second, so there are few.
// The test presses keys, because before a click Playwright waits until nothing moves.
test.use({ framesPerSecond: 2, silent: true, viewport: { width: 1280, height: 720 } });

test('a frame has few draw calls, and the textures take little memory', async ({ slot, server, page }, testInfo) => {
  const { url, sessionID } = await server.startSession();
  const meter = await meterGl(page);
  const authenticate = await holdRequests(page, '/wallet/authenticate');
  await page.goto(url);
  // The picture is loaded; the server has not responded.
  const progress = page.getByRole('progressbar', { name: 'Loading…' });
  await expect(progress).toHaveAttribute('aria-valuenow', '85');
  authenticate.release();
  await slot.enter();
  await expect(progress).toBeHidden();
  await slot.expectReady();
  expect(await meter.drawsPerFrame(3), 'draw calls of a frame at rest').toBeLessThan(MOST_DRAWS);

  const { bookID } = await findBook(server, 'BASE', { payout: { from: 1500, to: 2400 }, freeSpins: 'none' });
  await server.forceNext({ sessionID, mode: 'BASE', bookID });
  await slot.begin();
  expect(await meter.drawsPerFrame(2), 'draw calls of a frame while the reels turn').toBeLessThan(MOST_DRAWS);
  const countedCents = async () => Number((await slot.win.textContent())?.replaceAll(/\D/g, ''));
  await expect.poll(countedCents).toBeGreaterThan(1000);
  expect(await meter.drawsPerFrame(3), 'draw calls of a frame in a celebration').toBeLessThan(MOST_DRAWS);
  expect(await meter.textureBytes(), 'bytes of textures').toBeLessThan(MOST_TEXTURE_BYTES);
  await page.screenshot({ path: testInfo.outputPath('celebration.png') });
});
