import type { Locator, Page } from '@playwright/test';
import { test as base, expect, expectGoodPage } from '../support/console.ts';
import { expectHarmless, MARKUP as HOSTILE } from '../support/hostile.ts';
import { addOperatorWithWallet, type OperatorWithWallet } from '../support/operatorWithWallet.ts';

const test = base.extend<{ acme: OperatorWithWallet }>({
  acme: async ({ site, server, stack }, use) => {
    const acme = await addOperatorWithWallet(site, server, stack);
    await use(acme);
    await acme.close();
  },
});

/** A reason and a name may not have control characters. */
const MARKUP = HOSTILE.replaceAll(/\p{C}/gu, '').slice(0, 150);

test.use({ game: 'sample-lines' });

test('finance retries a selection of parked wallet transactions', async ({ page, site, acme }) => {
  const rounds = [await acme.parkedRound('ann'), await acme.parkedRound('bob'), await acme.parkedRound('cleo')];
  await site.signIn(page, { role: 'finance' }, `/wallet-transactions?operator=${acme.code}`);
  const table = page.getByRole('region', { name: 'Wallet transactions' });
  await expect(rowsOf(table)).toHaveCount(3);
  // The one that waits longest comes first.
  await expect(rowsOf(table).first()).toContainText('ann');
  await expectGoodPage(page, 'wallet-transactions');

  await page.getByLabel('Amount from').fill('ten');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Amount from')).toHaveAccessibleDescription('Enter an amount like 12.50');
  await expect(page).not.toHaveURL(/least/);
  await page.getByLabel('Amount from').fill('');

  await expect(page.getByRole('button', { name: 'Retry selected' })).toBeDisabled();
  for (const betID of rounds.slice(0, 2)) await rowOf(table, betID).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Retry 2 selected' }).click();
  const dialog = page.getByRole('dialog', { name: 'Retry 2 wallet transactions?' });
  await expect(dialog).toContainText(/\$\d/);
  await dialog.getByRole('button', { name: 'Retry 2 wallet transactions' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'due again' })).toContainText(
    '2 wallet transactions due again',
  );
  await expect(rowsOf(table)).toHaveCount(1);
  await expect(rowOf(table, rounds[2] ?? 0)).toContainText('cleo');

  // The filters are in the address: what was retried is accepted now.
  await page.goto(`${site.url}/wallet-transactions?betID=${rounds[0]}`);
  await expect(rowsOf(table).filter({ hasText: 'credit' })).toContainText('accepted');
  await expect(rowsOf(table)).toHaveCount(2);
});

test('two people settle the same one: one wins, the other sees who did', async ({
  page,
  browser,
  site,
  acme,
  watch,
}) => {
  const betID = await acme.parkedRound('dora');
  await site.signIn(page, { role: 'finance' }, `/wallet-transactions?operator=${acme.code}`);
  const table = page.getByRole('region', { name: 'Wallet transactions' });
  await rowOf(table, betID).getByRole('button', { name: 'Settle' }).click();
  const dialog = page.getByRole('dialog', { name: `Settle the credit of round ${betID}?` });
  await expect(dialog).toContainText('dora');
  await expect(dialog).toContainText('You cannot undo this');
  await expect(dialog.getByRole('button', { name: 'Settle by hand' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill(`seen in their books ${MARKUP}`);

  const other = await (await browser.newContext()).newPage();
  const colleague = await site.signIn(other, { role: 'finance', isNew: true });
  const { items } = await (
    await site.api(other, `/admin/wallet-transactions?state=parked&operator=${acme.code}`)
  ).json();
  const path = `/admin/wallet-transactions/${items[0].transactionID}/settle`;
  expect((await site.api(other, path, { reason: `ticket 4711 ${MARKUP}` })).status()).toBe(200);
  await other.context().close();

  // The list is read again without the row: what was typed stays.
  await expect(rowsOf(table)).toHaveCount(0);
  watch.expectComplaint(/status of 409/);
  await dialog.getByRole('button', { name: 'Settle by hand' }).click();
  await expect(dialog.getByRole('alert')).toContainText(`Somebody else was first: ${colleague.email} at 2`);
  await expect(dialog.getByLabel('Reason')).toHaveValue(/^seen in their books/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.goto(`${site.url}/wallet-transactions?betID=${betID}&state=accepted`);
  await expect(rowsOf(table).filter({ hasText: 'by hand' })).toContainText('ticket 4711');
  await expectHarmless(page);
});

test('finance reconciles an operator: a settlement that the operator has not booked is a difference', async ({
  page,
  site,
  acme,
}) => {
  const betID = await acme.parkedRound('emil');
  await site.signIn(page, { role: 'finance', operator: acme.code }, '/reconcile');
  await page.getByLabel('To', { exact: true }).fill('2099-01-01 00:00');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'agree' })).toBeVisible();

  await page.goto(`${site.url}/wallet-transactions`);
  const table = page.getByRole('region', { name: 'Wallet transactions' });
  await rowOf(table, betID).getByRole('button', { name: 'Settle' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('said on the phone');
  await dialog.getByRole('button', { name: 'Settle by hand' }).click();
  await expect(rowsOf(table)).toHaveCount(0);

  await page.goto(`${site.url}/reconcile?to=2099-01-01T00:00`);
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('status').filter({ hasText: '1 difference found' })).toBeVisible();
  const differences = page.getByRole('region', { name: 'Differences' });
  await expect(rowOf(differences, betID)).toContainText('missing');
  await expectGoodPage(page, 'reconcile');
});

const rowsOf = (table: Locator) => table.locator('tbody tr:not([aria-hidden])');
const rowOf = (table: Locator, betID: number) =>
  rowsOf(table).filter({ has: (table.page() as Page).getByRole('link', { name: String(betID), exact: true }) });
