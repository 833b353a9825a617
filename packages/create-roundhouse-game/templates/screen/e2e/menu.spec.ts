import { expect, test as it, type Locator, type Page } from '@playwright/test';
import { MODES } from '../math/modes.ts';
import { PAYTABLE, WIN_CAP } from '../math/rules.ts';
import { begin } from './begin.ts';
import { force, startSession } from './launch.ts';

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const spinEnded = (page: Page) => expect(button(page, 'Spin')).toBeEnabled();

/** Returns the cells of a table, row by row, without the first column. */
const cellsOf = (table: Locator): Promise<string[][]> =>
  table.locator('tbody tr').evaluateAll((rows) => {
    return rows.map((row) => [...row.children].slice(1).map((cell) => cell.textContent ?? ''));
  });

it('shows rules and paytable as the math has them, by the keyboard too', async ({ page, request }) => {
  await page.goto((await startSession(request)).url);
  await begin(page);
  await button(page, 'Raise bet').click();
  await expect(page.locator('#bet')).toHaveText('$2.00');
  await button(page, 'Menu').press('Enter');
  await button(page, 'Rules and paytable').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Rules and paytable' });
  const dollars = (hundredths: number) => `$${((2 * hundredths) / 100).toFixed(2)}`;
  expect(await cellsOf(dialog.locator('table').first())).toEqual(
    Object.values(PAYTABLE).map((pays: readonly number[]) => pays.map(dollars)),
  );
  expect(await cellsOf(dialog.locator('table').last())).toEqual(
    Object.values(MODES).map(({ cost, rtp, hitRate, maxWinOneIn }) => [
      `${cost}× bet`,
      `${100 * rtp}%`,
      `${100 * hitRate}%`,
      `1 in ${maxWinOneIn.toLocaleString('en')}`,
    ]),
  );
  await expect(dialog).toContainText(`at most ${WIN_CAP / 100}× the bet`);

  // The space bar scrolls here, and does not spin.
  await page.keyboard.press('Space');
  await expect(page.locator('#balance')).toHaveText('$100.00');
  await button(page, 'Back').click();
  await button(page, 'About this game').click();
  await expect(page.getByRole('dialog', { name: 'About this game' })).toContainText('Version1.0.0');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button(page, 'Menu')).toBeFocused();
});

it('offers all bets at once', async ({ page, request }) => {
  await page.goto((await startSession(request)).url);
  await begin(page);
  await button(page, /^Choose your bet/).click();
  const dialog = page.getByRole('dialog', { name: 'Choose your bet' });
  await expect(dialog.getByRole('button', { pressed: true })).toHaveText('$1.00');
  await dialog.getByRole('button', { name: '$5.00', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('#bet')).toHaveText('$5.00');
});

it('lists the rounds that were played, and shows one again', async ({ page, request }) => {
  const launch = await startSession(request);
  await page.goto(launch.url);
  await begin(page);
  await force(request, launch, 'big');
  await button(page, 'Spin').click();
  await expect(page.locator('#win')).toHaveText(/\$[1-9]/);
  await spinEnded(page);
  const win = await page.locator('#win').textContent();
  const balance = await page.locator('#balance').textContent();

  await button(page, 'Menu').click();
  await button(page, 'My last rounds').click();
  const rounds = page.getByRole('dialog', { name: 'My last rounds' }).getByRole('listitem');
  await expect(rounds).toHaveText([/Round \d+ · Spin\s*Bet \$1[.]00\s*Win \$\d/]);
  await expect(rounds).toContainText(`Win ${win}`);
  await rounds.getByRole('button', { name: 'Replay' }).click();
  await expect(page.locator('#notes')).toHaveText(/^Replay of round \d+$/);
  await expect(page.locator('#win')).toHaveText(win ?? '');
  await expect(page.locator('#notes')).toHaveText('');
  await spinEnded(page);
  await expect(page.locator('#balance')).toHaveText(balance ?? '');
});

it('says nothing of money in a social casino', async ({ page, request }) => {
  const forbidden = /\p{Sc}|\b(bets?|stakes?|gambl\w*|buy|bought|cash|money|paid|pays?|payouts?|paytable|costs?)\b/iu;
  const said = () =>
    page.evaluate(() => {
      const names = [...document.querySelectorAll('[aria-label]')].map((element) => element.ariaLabel);
      const texts: (string | null)[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) texts.push(walker.currentNode.textContent);
      return [...texts, ...names].join('\n');
    });
  await page.goto((await startSession(request, { currency: 'XGC', social: true })).url);
  await expect(button(page, 'Play')).toBeVisible();
  expect(await said()).not.toMatch(forbidden);
  await begin(page);
  await expect(page.locator('#balance')).toHaveText(/^100[.]00.GC$/);
  expect(await said()).not.toMatch(forbidden);
  await button(page, 'Autoplay').click();
  await expect(button(page, 'Start autoplay')).toBeVisible();
  expect(await said()).not.toMatch(forbidden);
  await page.keyboard.press('Escape');
  for (const name of ['Rules and prize table', 'My last rounds', 'About this game']) {
    await button(page, 'Menu').click();
    expect(await said()).not.toMatch(forbidden);
    await button(page, name).click();
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    expect(await said()).not.toMatch(forbidden);
    await page.keyboard.press('Escape');
  }
  // A casino may keep its coins in a regular currency.
  await page.goto((await startSession(request, { currency: 'USD', social: true })).url);
  await begin(page);
  await expect(page.locator('#balance')).toHaveText(/^100[.]00.GC$/);
});
