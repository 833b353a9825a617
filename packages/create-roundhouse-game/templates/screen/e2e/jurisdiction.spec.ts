import { expect, test as it } from '@playwright/test';
import { begin } from './begin.ts';
import { force, startSession } from './launch.ts';

it('obeys what the place of play demands', async ({ page, request }) => {
  const jurisdiction = {
    displaySessionTimer: true,
    displayNetPosition: true,
    displayRTP: true,
    realityCheckInterval: 1,
    maximumAutoplayRounds: 1,
    requireAutoplayLossLimit: true,
    disabledTurbo: true,
  };
  const launch = await startSession(request, { jurisdiction });
  await page.goto(launch.url);
  await begin(page);
  await expect(page.locator('#notes')).toHaveText(/^0:\d\d:\d\d · Net \$0[.]00 · RTP 96%$/);
  await expect(page.getByRole('button', { name: 'Turbo' })).toHaveCount(0);

  // An autoplay makes one round, never a second one, and checks at its end.
  await force(request, launch, 'loss');
  await page.getByRole('button', { name: 'Autoplay', exact: true }).click();
  const start = page.getByRole('button', { name: 'Start autoplay' });
  const losses = page.getByRole('group', { name: 'Stop when I have lost' }).getByRole('radio');
  await expect(page.getByRole('group', { name: 'Number of spins' }).getByRole('radio')).toHaveCount(1);
  await expect(losses.and(page.locator(':checked'))).toHaveCount(0);
  await expect(start).toBeDisabled();
  await losses.first().check();
  await start.click();
  await expect(page.getByRole('dialog')).toContainText(/^You have played for 0:\d\d:\d\d\s+Net -\$1[.]00/);
  await expect(page.locator('#notes')).toContainText('Net -$1.00');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Spin', exact: true })).toBeEnabled();
});

it('ends an autoplay at the limit of the player, and with Escape', async ({ page, request }) => {
  const launch = await startSession(request);
  let plays = 0;
  await page.route('**/wallet/play', async (route) => {
    plays += 1;
    // The second round is on its way.
    if (plays === 2) await page.keyboard.press('Escape');
    await route.continue();
  });
  await page.goto(launch.url);
  await begin(page);
  await page.getByRole('button', { name: 'Turbo' }).click();
  await expect(page.getByRole('button', { name: 'Turbo', pressed: true })).toBeVisible();
  const start = async () => {
    await page.getByRole('button', { name: 'Autoplay', exact: true }).click();
    await page.getByRole('group', { name: 'single win' }).getByRole('radio', { name: '$10.00' }).check();
    await page.getByRole('button', { name: 'Start autoplay' }).click();
  };
  await force(request, launch, 'big');
  await start();
  await expect(page.getByRole('dialog')).toContainText('A single win reached your limit.');
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  expect(plays).toBe(1);

  await force(request, launch, 'loss');
  await start();
  await expect.poll(() => plays).toBe(2);
  await expect(page.getByRole('button', { name: 'Spin', exact: true })).toBeEnabled();
  expect(plays).toBe(2);
});
