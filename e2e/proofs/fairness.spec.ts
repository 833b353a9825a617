import { axeViolations } from '../support/axe.ts';
import { FairnessDialog } from '../support/fairnessDialog.ts';
import { SlotPage } from '../support/slotPage.ts';
import { expect, HALF_PIXELS, test } from '../support/slotTest.ts';
import { holdRequests } from '../support/slotWire.ts';
import { SlotWords } from '../support/slotWords.ts';

test.use(HALF_PIXELS);

const HASH = /^[0-9a-f]{64}$/;
const FAIR = { draws: 'provablyFair' } as const;

test('seeds rest while a round is open, and while autoplay runs', async ({ slot, server, page, watch }) => {
  test.slow();
  const { url, sessionID } = await server.startSession(FAIR);
  await slot.openReady(url);
  const seeds = new FairnessDialog(slot);
  const held = await holdRequests(page, '/wallet/play');
  await slot.readyKey.click();
  await held.arrived;
  await seeds.open();
  for (const key of [seeds.useSeed, seeds.reveal]) {
    await expect(key).toBeDisabled();
    await expect(key).toHaveAccessibleDescription(slot.words.say('fairInRound'));
  }
  await expect(seeds.dialog.getByText(slot.words.say('fairInRound'))).toBeVisible();
  await seeds.close();
  held.release();
  await slot.cutShort();

  await slot.autoplay.click();
  await slot.dialog.getByRole('button', { name: slot.words.say('autoplayStart') }).click();
  await slot.dialog.getByRole('button', { name: slot.words.say('autoplayStart') }).click();
  await seeds.open();
  await expect(seeds.dialog.getByText(slot.words.say('fairInAutoplay'))).toBeVisible();
  await expect(seeds.useSeed).toBeDisabled();
  await seeds.close();
  await page.getByRole('button', { name: slot.words.say('stopAutoplay'), exact: true }).click();
  await slot.cutShort();

  // A round that another page of the player has opened: the server refuses.
  await seeds.open();
  await expect(seeds.useSeed).toBeEnabled();
  await seeds.seedField.fill('');
  await expect(seeds.useSeed).toBeDisabled();
  await expect(seeds.useSeed).toHaveAccessibleDescription(slot.words.say('fairSeedRule', { max: 64 }));
  await seeds.seedField.fill('x'.repeat(65));
  await expect(seeds.useSeed).toBeDisabled();
  await seeds.seedField.fill('🍀'.repeat(64));
  await expect(seeds.useSeed).toBeEnabled();
  await openRoundElsewhere(server, sessionID);
  watch.expectComplaint(/status of 400/);
  await seeds.useSeed.click();
  await slot.expectFailure('OpenElsewhere', 'continuePlaying');
});

type Server = Parameters<Parameters<typeof test>[2]>[0]['server'];

/** Plays until a round stays open: one that pays nothing is closed at once. */
async function openRoundElsewhere(server: Server, sessionID: string): Promise<void> {
  for (;;) {
    const { round } = await server.play({ sessionID, mode: 'BASE', amount: 1_000_000 });
    if (round.active) return;
  }
}

for (const { name, language, width, height, device } of [
  { name: 'desktop', language: 'en', width: 1280, height: 720, device: 'desktop' },
  { name: 'phone', language: 'de', width: 390, height: 844, device: 'mobile' },
  { name: 'Arabic phone', language: 'ar', width: 360, height: 740, device: 'mobile' },
  { name: 'phone on its side', language: 'el', width: 844, height: 390, device: 'mobile' },
  { name: 'pop-out window', language: 'ru', width: 400, height: 225, device: 'desktop' },
] as const) {
  test.describe(name, () => {
    test.use({ viewport: { width, height } });

    test(`the dialog has its place on ${width} by ${height} in ${language}`, async ({ server, page }, testInfo) => {
      const { url, sessionID } = await server.startSession({ ...FAIR, language, device });
      await server.authenticate(sessionID);
      await server.setClientSeed({ sessionID, clientSeed: 'words' });
      await server.playToEnd({ sessionID, mode: 'BASE', amount: 1_000_000 });
      await server.revealSeed({ sessionID, clientSeed: 'W'.repeat(64) });
      await server.playToEnd({ sessionID, mode: 'BASE', amount: 1_000_000 });
      const slot = new SlotPage(page, new SlotWords(language));
      await slot.openReady(url);
      const seeds = new FairnessDialog(slot);
      await seeds.open();
      await expect(seeds.value('fairRevealed', 'revealed')).toHaveText(HASH);
      const box = await seeds.dialog.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
      expect((box?.y ?? 0) + (box?.height ?? height)).toBeLessThanOrEqual(height);
      const isWide = (element: Element) => element.scrollWidth > element.clientWidth + 1;
      expect(await seeds.dialog.locator('.dialogBody').evaluate(isWide)).toBe(false);
      const controls = await seeds.dialog.getByRole('button').or(seeds.dialog.getByRole('textbox')).all();
      for (const control of controls) {
        await control.scrollIntoViewIfNeeded();
        await expect(control).toBeInViewport();
        expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(43);
      }
      expect(await axeViolations(page)).toEqual([]);
      await testInfo.attach(name, { body: await page.screenshot(), contentType: 'image/png' });
    });
  });
}
