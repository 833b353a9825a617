import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectGoodPage, test } from '../support/console.ts';

const UNIT = 1_000_000;
const DAY_MS = 86_400_000;

test.use({ game: 'sample-lines' });

test.beforeEach(async ({ server }) => {
  const { sessionID } = await server.startSession();
  await server.authenticate(sessionID);
  for (let rounds = 0; rounds < 3; rounds += 1) await server.playToEnd({ sessionID, mode: 'BASE', amount: UNIT });
});

test('finance downloads yesterday as CSV and XLSX, with the sums of the page', async ({ page, site }) => {
  // The browser is a day ahead, so the rounds of today are those of yesterday.
  const yesterday = new Date().toISOString().slice(0, 10);
  await page.clock.setFixedTime(Date.now() + DAY_MS);
  await site.signIn(page, { role: 'finance' }, '/reports');
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await expect(page).toHaveURL(new RegExp(`from=${yesterday}&to=${yesterday}`));
  const table = page.getByRole('region', { name: 'Revenue', exact: true });
  await expect(table).toContainText(yesterday);
  await expect(table).toContainText('USD');

  const csv = await download(page, 'CSV');
  expect(csv.name).toMatch(/^revenue-[\d-]+\.csv$/);
  const [head = '', ...rows] = csv.bytes.toString('utf8').trimEnd().split('\n');
  const names = head.split(',');
  const cells = rows.map((row) => Object.fromEntries(row.split(',').map((cell, place) => [names[place], cell])));
  const usd = cells.find(({ currency }) => currency === 'USD');
  expect(usd).toMatchObject({ from: yesterday, to: yesterday, day: yesterday });
  expect(Number(usd?.rounds)).toBeGreaterThanOrEqual(3);
  const [bets, payouts, ggr] = ['bets', 'payouts', 'ggr'].map((name) => usd?.[`${name} (in currency)`]);
  expect(bets).toMatch(/^\d+\.\d{6}$/);
  expect(micros(ggr)).toBe(micros(bets) - micros(payouts));

  const xlsx = await download(page, 'XLSX');
  expect(xlsx.name).toMatch(/^revenue-[\d-]+\.xlsx$/);
  expect(xlsx.bytes.subarray(0, 2).toString()).toBe('PK');
});

test('the reports say what the API says, and a link leads to each of them', async ({ page, site }) => {
  const today = new Date().toISOString().slice(0, 10);
  await site.signIn(page, { role: 'finance' }, `/reports?report=performance&from=${today}&to=${today}`);
  const performance = page.getByRole('region', { name: 'Performance of games' });
  const { items } = await (
    await site.api(page, `/admin/reports/performance?from=${today}&to=${today}&operator=house`)
  ).json();
  const usd = items.find(
    (row: Record<string, string>) => row.gameID === 'sample-lines' && row.currency === 'USD' && row.mode === 'BASE',
  );
  expect(usd.rounds).toBeGreaterThanOrEqual(3);
  await expect(performance).toContainText('sample-lines');
  await expect(performance).toContainText('available');
  await expectGoodPage(page, 'reports-performance');

  await page.getByRole('tab', { name: 'RTP' }).click();
  await expect(page).toHaveURL(/report=rtp/);
  // Other tests force payouts on the same server, which may be more than chance explains.
  await expect(page.getByRole('region', { name: 'RTP of games' })).toContainText(/too few rounds|out of bounds/);
  await page.getByRole('tab', { name: 'Interrupted rounds' }).click();
  await expect(page.getByRole('region', { name: 'Interrupted rounds' })).toBeVisible();
  await page.getByRole('tab', { name: 'Other reports' }).click();
  await expect(page.getByRole('link', { name: 'Round records' })).toBeVisible();
  // The audit log is for compliance.
  await expect(page.getByRole('link', { name: 'Audit log' })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Revenue' }).click();
  await expect(page.getByRole('region', { name: 'Revenue', exact: true })).toContainText(today);
  await expectGoodPage(page, 'reports-revenue');

  // A phone stacks columns that a support person needs.
  await page.setViewportSize({ width: 390, height: 800 });
  const heads = page.getByRole('region', { name: 'Revenue', exact: true }).getByRole('columnheader');
  await expect(heads.filter({ hasText: 'Bets' })).toContainText('Payouts');
});

async function download(page: Page, format: 'CSV' | 'XLSX') {
  await page.getByRole('button', { name: 'Download' }).last().click();
  const started = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: format }).click();
  const file = await started;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

function micros(text: string | undefined): bigint {
  return BigInt((text ?? '').replace('.', ''));
}
