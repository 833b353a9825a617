import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { FairnessDialog } from '../support/fairnessDialog.ts';
import type { SlotPage } from '../support/slotPage.ts';
import { expect, HALF_PIXELS, test } from '../support/slotTest.ts';

test.use({
  ...HALF_PIXELS,
  permissions: ['clipboard-read', 'clipboard-write'],
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

test.describe('the page for games without a front end', () => {
  test.use({ game: 'sample-lines' });

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
