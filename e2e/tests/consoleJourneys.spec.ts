import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/console.ts';
import { expectHarmless } from '../support/hostile.ts';
import { addOperatorWithWallet } from '../support/operatorWithWallet.ts';

test.use({ game: 'sample-lines' });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const rowsOf = (table: Locator) => table.locator('tbody tr:not([aria-hidden])');

test('a viewer reads wallet transactions and may change none', async ({ page, site, server, stack }) => {
  const acme = await addOperatorWithWallet(site, server, stack);
  try {
    const betID = await acme.parkedRound('gil');
    await site.signIn(page, { role: 'viewer' }, `/wallet-transactions?operator=${acme.code}`);
    const table = page.getByRole('region', { name: 'Wallet transactions' });
    await expect(rowsOf(table)).toHaveCount(1);
    await expect(page.getByRole('button', { name: /Retry|Settle/ })).toHaveCount(0);
    await expect(table.getByRole('checkbox')).toHaveCount(0);
    await expect(page.getByRole('link', { name: /Reconcile/ })).toHaveCount(0);
    await table.getByRole('link', { name: String(betID), exact: true }).click();
    await expect(heading(page)).toHaveText(`Round ${betID}`);
    await expect(page.getByRole('button', { name: /Void|Complete|Retry|Settle/ })).toHaveCount(0);
  } finally {
    await acme.close();
  }
});

test('names of operators and players stay texts on every page that has them', async ({ page, site, server }) => {
  const id = randomUUID().slice(0, 8);
  const code = `xss-${id}`;
  const operatorName = `<img data-hostile src=https://evil.example/${id} onerror="window.hostile=1">`;
  const playerID = `${id}"><script data-hostile>window.hostile=1</script>`;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await site.addOperator(code, { name: operatorName });
  const { sessionID } = await server.startSession({ token: playerID });
  const { config } = await server.authenticate(sessionID);
  await server.play({ sessionID, mode: 'BASE', amount: config.defaultBetLevel });
  await site.signIn(page, { role: 'administrator' }, '/account');
  const limits = { currency: 'USD', dailyWager: 1_000_000_000 };
  const playerPath = `/players/house/${encodeURIComponent(playerID)}`;
  expect((await site.api(page, `/admin${playerPath}/limits`, limits)).status()).toBe(200);

  const pages: [string, string][] = [
    [`/operators/${code}`, operatorName],
    [`/search#${code}`, operatorName],
    [playerPath, playerID],
    [`/players?prefix=${id}`, playerID],
    [`/rounds?player=${encodeURIComponent(playerID)}`, playerID],
    [`/events?subject=${id}`, playerID],
    [`/search#${id}`, playerID],
    [`/search#${encodeURIComponent(playerID)}`, playerID],
  ];
  for (const [path, text] of pages) {
    await page.goto('about:blank');
    await page.goto(site.url + path);
    await expect(page.locator('main').getByText(text).first(), path).toBeAttached();
    await expectHarmless(page);
  }
  expect(dialogs).toEqual([]);
});

test('a table is read by the keyboard alone', async ({ page, site, server }) => {
  const player = `keys-${randomUUID().slice(0, 8)}`;
  const { sessionID } = await server.startSession({ token: player });
  const { config } = await server.authenticate(sessionID);
  const bet = { sessionID, mode: 'BASE', amount: config.defaultBetLevel };
  const betIDs = [await server.playToEnd(bet), await server.playToEnd(bet)].map((round) => round.betID);
  await site.signIn(page, { role: 'support' }, '/rounds');
  await expect(rowsOf(page.getByRole('region', { name: 'Rounds' })).first()).toBeVisible();

  await page.keyboard.press('Shift+Slash');
  const keys = page.getByRole('dialog', { name: 'Keyboard' });
  await expect(keys).toContainText('Search from anywhere');
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);

  const filter = page.getByRole('search', { name: 'Filters' }).locator('input').first();
  await page.keyboard.press('/');
  await expect(filter).toBeFocused();

  await page.goto(`${site.url}/rounds?player=${player}`);
  const rows = rowsOf(page.getByRole('region', { name: 'Rounds' }));
  await expect(rows).toHaveCount(2);
  // A German keyboard has the slash on Shift and 7.
  await page.locator('body').dispatchEvent('keydown', { key: '/', code: 'Digit7', shiftKey: true });
  await expect(filter).toBeFocused();
  await filter.blur();
  for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key);
  await expect(rows.nth(1)).toHaveAttribute('data-active', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${site.url}/rounds/${betIDs[0]}`);
  await expect(heading(page)).toHaveText(`Round ${betIDs[0]}`);

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').fill(String(betIDs[1]));
  await expect(page.locator('[data-selected]')).toContainText(String(betIDs[1]));
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText(`Round ${betIDs[1]}`);
});
