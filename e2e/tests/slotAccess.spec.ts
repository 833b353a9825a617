import type { Locator, Page } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import type { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdRequests, refuse, withQuery } from '../support/slotWire.ts';

test.use(SMALL);

test('every dialog has names, passes axe, keeps the focus inside and gives it back', async ({
  slot,
  server,
  page,
  watch,
}) => {
  watch.expectComplaint(/status of 400/);
  const { url } = await server.startSession();
  await slot.openIntro(withQuery(url, { returnURL: new URL('/docs', url).href }));
  await expectAccessible(page);
  await slot.enter();
  await slot.expectReady();
  await expectAccessible(page);
  // A screen reader reads the board in words.
  await expect(page.locator('canvas')).toHaveCount(1);
  expect(await page.locator('canvas').evaluate((canvas) => canvas.closest('[aria-hidden=true]') !== null)).toBe(true);
  for (const { key, title } of [
    { key: slot.chooseBet, title: 'chooseBet' },
    { key: slot.autoplay, title: 'autoplay' },
    { key: slot.buy, title: 'buy' },
    { key: slot.menu, title: 'menu' },
  ]) {
    await key.focus();
    await page.keyboard.press('Enter');
    await expectModal(slot, slot.dialogNamed(title));
    await page.keyboard.press('Escape');
    await expect(slot.dialog).toBeHidden();
    await expect(key).toBeFocused();
  }

  // Dialogs that another one leads to give the focus to where that one was opened.
  await page.keyboard.press('Enter');
  await slot.dialog.getByRole('button', { name: slot.words.say('info') }).press('Enter');
  await expectModal(slot, slot.dialogNamed('info'));
  await page.keyboard.press('Escape');
  await expect(slot.dialog).toBeHidden();
  await slot.autoplay.press('Enter');
  await slot.dialog.getByRole('button', { name: slot.words.say('autoplayStart') }).press('Enter');
  await expectModal(slot, slot.dialog.filter({ hasText: 'automatic spins' }));
  await page.keyboard.press('Escape');
  await expect(slot.dialog).toBeHidden();

  const held = await holdRequests(page, '/wallet/play');
  await slot.readyKey.press('Enter');
  await held.arrived;
  await slot.menu.press('Enter');
  await slot.dialog.getByRole('button', { name: slot.words.say('home') }).press('Enter');
  await expectModal(slot, slot.dialogNamed('leaveGame'));
  await page.keyboard.press('Escape');
  held.release();
  await slot.expectReady();
  await refuse(page, '/wallet/play', { status: 400, error: 'ERR_GLE' });
  await slot.readyKey.press('Enter');
  await expectModal(slot, slot.failure);
});

/** The open dialog: axe finds nothing, one element has the focus, and the tab key stays inside. */
async function expectModal(slot: SlotPage, dialog: Locator): Promise<void> {
  const { page } = slot;
  await expect(dialog).toBeVisible();
  await expect(slot.dialog.locator(':focus')).toHaveCount(1);
  await expectAccessible(page);
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key);
    // The tab key may reach the browser's own controls, but never what is behind the dialog.
    const isBehind = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
    );
    expect(isBehind).toBe(false);
  }
}

/** axe does not see a text that the page has not laid out yet. */
async function expectAccessible(page: Page): Promise<void> {
  await expect.poll(() => axeViolations(page)).toEqual([]);
}
