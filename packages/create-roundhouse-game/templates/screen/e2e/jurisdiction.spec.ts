import { expect, test as it } from '@playwright/test';

it('obeys what the place of play demands', async ({ page, request }) => {
  const jurisdiction = {
    displaySessionTimer: true,
    displayNetPosition: true,
    displayRTP: true,
    realityCheckInterval: 1,
    maximumAutoplayRounds: 1,
  };
  const response = await request.post('/session/start', { data: { balance: 100_000_000, jurisdiction } });
  const { url, sessionID } = (await response.json()) as { url: string; sessionID: string };
  await page.goto(url);
  await expect(page.locator('#notes')).toHaveText(/^0:00:\d\d · Net \$0[.]00 · RTP 96%$/);

  // An autoplay makes one round, never a second one, and checks at its end.
  const loss = { sessionID, mode: 'BASE', kind: 'loss' };
  expect((await request.post('/game/force', { data: loss })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Autoplay', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText(/^You have played for 0:00:\d\d\s+Net -\$1[.]00/);
  await expect(page.locator('#notes')).toContainText('Net -$1.00');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('button', { name: 'Spin', exact: true })).toBeEnabled();
});
