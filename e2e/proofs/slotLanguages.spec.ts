import type { Page } from '@playwright/test';
import { SlotPage } from '../support/slotPage.ts';
import { expect, HALF_PIXELS, test } from '../support/slotTest.ts';
import { SlotWords } from '../support/slotWords.ts';

// In portrait the whole intro fits on few pixels.
test.use({ ...HALF_PIXELS, viewport: { width: 390, height: 844 } });

/** There is one language for each script, and the one with the longest words. */
const LANGUAGES = ['en', 'de', 'ru', 'ja', 'hi', 'ar'];

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
  { width: 844, height: 390 },
];

for (const language of LANGUAGES) {
  test(`the words of ${language}, and each in its place`, async ({ page, server }) => {
    const words = new SlotWords(language);
    const slot = new SlotPage(page, words);
    const { url } = await server.startSession({ language });
    await slot.openIntro(url);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    for (const key of ['introTitle', 'introWild', 'introScatter', 'introMultiplier']) {
      await expect(page.getByText(words.say(key), { exact: true })).toBeVisible();
    }
    await slot.enter();
    await slot.expectReady();
    const main = page.getByRole('main');
    await expect(main).toHaveCSS('direction', language === 'ar' ? 'rtl' : 'ltr');
    for (const meter of [slot.balance, slot.bet, slot.win]) await expect(meter).toBeVisible();
    for (const key of [slot.chooseBet, slot.buy, slot.ante, slot.autoplay, slot.menu, slot.pace]) {
      await expect(key).toBeEnabled();
    }
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expect.poll(() => cutTexts(page), { message: `cut at ${size.width}×${size.height}` }).toEqual([]);
    }

    await slot.menu.click();
    await expect(slot.dialogNamed('menu')).toBeVisible();
    expect(await cutTexts(page)).toEqual([]);
    await slot.dialog.getByRole('button', { name: words.say('info'), exact: true }).click();
    const rules = slot.dialogNamed('info');
    for (const key of ['paytable', 'freeSpins', 'lines', 'modes', 'rules']) {
      await expect(rules.getByRole('heading', { name: words.say(key), exact: true })).toBeVisible();
    }
    for (const key of ['rulesConnection', 'rulesInterrupted']) await expect(rules).toContainText(words.say(key));
    expect(await cutTexts(page)).toEqual([]);
    await rules.getByRole('button', { name: words.say('close'), exact: true }).click();
    await slot.buy.click();
    await expect(slot.dialogNamed('buy')).toBeVisible();
    expect(await cutTexts(page)).toEqual([]);
  });
}

/**
 * Returns texts that are wider than their box or the window. It measures the letters: a box may
 * hold larger decoration, and the browser gives a text that is cut off with dots its full length.
 */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const tolerance = 2;
    const holders = 'button, output, label, legend, th, td, dt, dd, li, h2, p, dialog, main';
    const cut: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const parent = text.parentElement;
      // Texts for screen readers have no size on purpose.
      const isSeen = parent?.checkVisibility({ visibilityProperty: true }) && !parent.closest('.unseen, script, style');
      const holder = parent?.closest(holders);
      if (!isSeen || !holder || !text.textContent?.trim()) continue;
      const letters = document.createRange();
      letters.selectNodeContents(text);
      const { left, right, width } = letters.getBoundingClientRect();
      const box = holder.getBoundingClientRect();
      const isOutside = left < Math.max(0, box.left) - tolerance || right > Math.min(innerWidth, box.right) + tolerance;
      if (width > 0 && isOutside) cut.push(`${holder.localName}.${holder.className}: ${text.textContent}`);
    }
    return cut;
  });
}
