import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { FairnessDialog } from '../support/fairnessDialog.ts';
import { LobbyPage } from '../support/lobbyPage.ts';
import { SlotPage } from '../support/slotPage.ts';
import { expect, HALF_PIXELS, test } from '../support/slotTest.ts';
import { holdRequests } from '../support/slotWire.ts';
import { SlotWords } from '../support/slotWords.ts';

test.use({
  ...HALF_PIXELS,
  permissions: ['clipboard-read', 'clipboard-write'],
  origins: async ({ server, lobbyUrl }, use) => use([server.origin, new URL(lobbyUrl).origin]),
});

const HASH = /^[0-9a-f]{64}$/;
const FAIR = { draws: 'provablyFair' } as const;

/** Plays as a person does who skips what can be skipped: the draw may be any book. */
async function playRounds(slot: SlotPage, count: number): Promise<number[]> {
  const betIDs: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const { betID } = await slot.begin();
    await slot.cutShort();
    betIDs.push(betID);
  }
  return betIDs;
}

/** The verifier page says so about what it was opened with. */
async function expectVerdict(tab: Page, verdict: 'match' | 'notRevealed'): Promise<void> {
  await expect(tab.locator('[data-verdict]')).toHaveAttribute('data-verdict', verdict);
}

test('a player sees the seeds, changes their own, reveals that of the server and checks every round', async ({
  slot,
  server,
  page,
}, testInfo) => {
  test.slow();
  const { url } = await server.startSession(FAIR);
  await slot.openReady(url);
  const seeds = new FairnessDialog(slot);
  await seeds.open();
  await expect(seeds.value('fairServerHash')).toHaveText(HASH);
  await expect(seeds.value('fairNextHash')).toHaveText(HASH);
  await expect(seeds.value('fairNonce')).toHaveText('0');
  // The browser has chosen it.
  await expect(seeds.value('fairClientSeed')).toHaveText(/^[\w-]{24,}$/);
  await expect(seeds.checkLast).toBeHidden();
  const first = (await seeds.value('fairServerHash').textContent()) ?? '';
  const second = (await seeds.value('fairNextHash').textContent()) ?? '';
  expect(await seeds.copy('fairServerHash')).toBe(first);
  expect(await axeViolations(page)).toEqual([]);
  await seeds.close();

  const before = await playRounds(slot, 2);
  await seeds.open();
  await expect(seeds.value('fairNonce')).toHaveText('2');
  await seeds.seedField.fill('Ünïcode words: 🍀');
  await seeds.useSeed.click();
  await expect(seeds.dialog.getByText(slot.words.say('fairSeedUsed'))).toBeVisible();
  await expect(seeds.value('fairClientSeed')).toHaveText('Ünïcode words: 🍀');
  await expect(seeds.value('fairServerHash')).toHaveText(first);
  await expect(seeds.value('fairNonce')).toHaveText('2');
  await expect(seeds.seedField).not.toHaveValue('Ünïcode words: 🍀');

  // The draw of a round is not revealed yet, and the verifier says so.
  await expect(seeds.dialog.getByText(slot.words.say('fairNotRevealed'))).toBeVisible();
  const hidden = await seeds.openVerifier(() => seeds.checkLast.click());
  expect(await hidden.evaluate(() => window.opener)).toBeNull();
  expect(new URL(hidden.url()).pathname).toBe('/fairness/verifier');
  await expectVerdict(hidden, 'notRevealed');
  await hidden.close();
  await seeds.close();
  const [third = 0] = await playRounds(slot, 1);

  await seeds.open();
  await seeds.seedField.fill('the next words');
  await seeds.reveal.click();
  await expect(seeds.value('fairRevealed', 'revealed')).toHaveText(HASH);
  await expect(seeds.value('fairServerHash', 'revealed')).toHaveText(first);
  await expect(seeds.value('fairRounds', 'revealed')).toHaveText('3');
  await expect(seeds.value('fairServerHash')).toHaveText(second);
  await expect(seeds.value('fairClientSeed')).toHaveText('the next words');
  await expect(seeds.value('fairNonce')).toHaveText('0');
  expect(await axeViolations(page)).toEqual([]);

  const downloading = page.waitForEvent('download');
  await seeds.dialog.getByRole('button', { name: slot.words.say('fairDownload') }).click();
  const file = testInfo.outputPath('rounds.json');
  await (await downloading).saveAs(file);
  const rounds = JSON.parse(readFileSync(file, 'utf8')) as { rounds: { betID: number; nonce: number }[] };
  expect(rounds.rounds.map(({ betID, nonce }) => [nonce, betID])).toEqual([...[...before, third].entries()]);
  const whole = await seeds.openVerifier(() =>
    seeds.dialog.getByRole('link', { name: new RegExp(`^${slot.words.say('fairVerifier')}`) }).click(),
  );
  await whole.locator('input[type=file]').setInputFiles(file);
  await expectVerdict(whole, 'match');
  await whole.close();

  const revealed = await seeds.openVerifier(() => seeds.checkLast.click());
  await expectVerdict(revealed, 'match');
  await revealed.close();
  await seeds.close();

  // Each round of the history leads to its own check.
  await slot.menu.click();
  await slot.dialog.getByRole('button', { name: slot.words.say('history'), exact: true }).click();
  const history = slot.dialogNamed('history');
  await expect(history.getByRole('listitem')).toHaveCount(3);
  expect(await axeViolations(page)).toEqual([]);
  await expect(history.getByText(slot.words.say('fairNotRevealed'))).toHaveCount(0);
  const checks = history.getByRole('button', { name: new RegExp(`^${slot.words.say('fairCheck')}: `) });
  const oldest = await seeds.openVerifier(() => checks.last().click());
  await expectVerdict(oldest, 'match');
  await expect(oldest.getByRole('heading', { name: `Steps of bet ${before[0]},` })).toBeVisible();
  // The link stays beside it, for a browser that has refused the tab.
  const link = history.getByRole('link', { name: new RegExp(`^${slot.words.say('fairVerifier')}`) });
  await expect(link).toHaveAttribute('href', oldest.url());
  await expect(link).toHaveAttribute('rel', /noopener/);
});

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
  await slot.expectFailure('BadRequest', 'close');
});

type Server = Parameters<Parameters<typeof test>[2]>[0]['server'];

/** Plays until a round stays open: one that pays nothing is closed at once. */
async function openRoundElsewhere(server: Server, sessionID: string): Promise<void> {
  for (;;) {
    const { round } = await server.play({ sessionID, mode: 'BASE', amount: 1_000_000 });
    if (round.active) return;
  }
}

test('a session with the certified generator has no seeds', async ({ slot, server }) => {
  const { url } = await server.startSession();
  await slot.openReady(url);
  await slot.menu.click();
  await expect(slot.dialogNamed('menu')).toBeVisible();
  await expect(slot.dialog.getByRole('button', { name: slot.words.say('fairness') })).toBeHidden();
});

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

test('the lobby opens games with provably fair draws, and marks them', async ({ page, lobbyUrl, server }) => {
  test.slow();
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  const tile = page.getByRole('article', { name: 'Aurora Line' });
  const draws = page.getByTestId('draws');
  await lobby.play('Aurora Line');
  await expect(draws).toHaveText('Certified generator');
  await expect(tile.getByText('Provably fair')).toBeHidden();

  await lobby.openOptions();
  await page.getByRole('switch', { name: 'Provably fair draws' }).click();
  await expect(lobby.options).toContainText('Provably fair draws');
  await expect(tile.getByText('Provably fair')).toBeVisible();
  expect(await tile.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(1);
  await page.getByRole('button', { name: 'Restart with the new choices' }).click();
  await expect(draws).toHaveText('Provably fair draws');
  expect(await axeViolations(page)).toEqual([]);

  const words = new SlotWords('en');
  await lobby.game.getByRole('button', { name: words.say('play'), exact: true }).click();
  await lobby.game.getByRole('button', { name: words.say('menu') }).click();
  await lobby.game.getByRole('button', { name: words.say('fairness') }).click();
  await expect(lobby.game.getByRole('dialog', { name: words.say('fairness') })).toContainText(/[0-9a-f]{64}/);

  const link = page.getByRole('link', { name: 'Verifier' });
  await expect(link).toHaveAttribute('href', `${server.origin}/fairness/verifier`);
});

test.describe('the page for games without a front end', () => {
  test.use({ game: 'sample' });

  test('shows the number of the next draw, and leads to the verifier', async ({ player, page, server }) => {
    const { url } = await server.startSession(FAIR);
    await player.openReady(url);
    const line = page.getByText('Provably fair draws');
    await expect(line).toContainText(/has nonce 0 under the server seed with the hash [0-9a-f]{8}…/);
    const link = page.getByRole('link', { name: 'Verifier' });
    await expect(link).toHaveAttribute('href', `${server.origin}/fairness/verifier`);
    expect(await axeViolations(page)).toEqual([]);
    await player.play('BASE');
    await expect(line).toContainText('has nonce 1 ');
    await player.openReady((await server.startSession()).url);
    await expect(line).toBeHidden();
  });
});
