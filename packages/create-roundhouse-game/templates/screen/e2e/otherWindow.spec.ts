import { expect, test as it } from '@playwright/test';
import { begin } from './begin.ts';
import { force, startSession } from './launch.ts';

it('goes on with a round that another device began, and says so', async ({ page, request }) => {
  const launch = await startSession(request);
  await page.goto(launch.url);
  await begin(page);
  await force(request, launch, 'big');
  // As another device sends it.
  const data = { sessionID: launch.sessionID, amount: 1_000_000, mode: 'BASE' };
  const played = await request.post('/wallet/play', { data });
  const { round } = (await played.json()) as { round: { payout: number } };
  await page.getByRole('button', { name: 'Spin', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('A round of this game is still open.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('#win')).toHaveText(`$${(round.payout / 1_000_000).toFixed(2)}`);
  await expect(page.getByRole('button', { name: 'Spin', exact: true })).toBeEnabled();
  await expect(page.locator('#balance')).toHaveText(`$${(99 + round.payout / 1_000_000).toFixed(2)}`);
});
