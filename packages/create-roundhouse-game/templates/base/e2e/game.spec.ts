import { type APIRequestContext, expect, test as it, type Page } from '@playwright/test';
import { begin } from './begin.ts';
import { force, type Launch, startSession } from './launch.ts';

async function balanceOf(request: APIRequestContext, { sessionID }: Launch): Promise<number> {
  const response = await request.post('/wallet/balance', { data: { sessionID } });
  return ((await response.json()) as { balance: { amount: number } }).balance.amount;
}

const spinButton = (page: Page) => page.getByRole('button', { name: 'Spin', exact: true });

it('launches and spins', async ({ page, request }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const launch = await startSession(request);
  await page.goto(launch.url);
  await begin(page);
  await expect(page.locator('#balance')).toHaveText('$100.00');
  await force(request, launch, 'big');
  await spinButton(page).click();
  await expect(page.locator('#win')).toHaveText(/\$[1-9]/);
  await expect(spinButton(page)).toBeEnabled();
  const balance = await balanceOf(request, launch);
  expect(balance).toBeGreaterThan(100_000_000);
  await expect(page.locator('#balance')).toHaveText(`$${(balance / 1_000_000).toFixed(2)}`);
  expect(errors).toEqual([]);
});

it('resumes a round that a reload has interrupted', async ({ page, request }) => {
  const launch = await startSession(request);
  await page.goto(launch.url);
  await begin(page);
  await force(request, launch, 'big');
  const played = page.waitForResponse('**/wallet/play');
  await spinButton(page).click();
  const { round } = (await (await played).json()) as { round: { amount: number; payout: number } };
  await page.reload();
  await begin(page);
  await expect(page.locator('#win')).toHaveText(`$${(round.payout / 1_000_000).toFixed(2)}`);
  await expect(spinButton(page)).toBeEnabled();
  expect(await balanceOf(request, launch)).toBe(100_000_000 - round.amount + round.payout);
});

it('plays in one tab at a time: the later one takes over, and the earlier one takes it back', async ({
  page,
  context,
  request,
}) => {
  const launch = await startSession(request);
  await page.goto(launch.url);
  await begin(page);
  await expect(spinButton(page)).toBeEnabled();
  const other = await context.newPage();
  await other.goto(launch.url);
  await page.getByRole('button', { name: 'Play here' }).click();
  await begin(page);
  await expect(other.getByRole('button', { name: 'Play here' })).toBeVisible();
  await expect(spinButton(page)).toBeEnabled();
});
