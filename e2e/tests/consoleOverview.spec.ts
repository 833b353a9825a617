import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, expectGoodPage, test } from '../support/console.ts';

test.use({ game: 'sample-lines' });

const countOf = (text: string | null) => Number(text?.replaceAll(',', ''));
const tile = (page: Page, label: string) =>
  page.getByLabel('Now').locator('div').filter({ hasText: label }).locator('dd > span').first();
const numberIn = async (page: Page, label: string) => countOf(await tile(page, label).textContent());

test('the overview shows plays while they happen', async ({ page, site, server }) => {
  const { sessionID } = await server.startSession();
  const { config } = await server.authenticate(sessionID);
  const amount = config.betLevels[0] ?? 0;
  await site.signIn(page, { role: 'viewer' });
  await expect(page.getByText(/last update \d+ s ago/)).toBeVisible();

  const operators = page.getByRole('region', { name: 'Operators today' }).getByRole('row');
  const rounds = async () => {
    // Other tests play at their own operators meanwhile.
    const ofHouse = operators.filter({ has: page.getByRole('cell', { name: 'house', exact: true }) });
    const cells = ofHouse.filter({ hasText: 'USD' }).getByRole('cell');
    return (await cells.count()) === 0 ? 0 : countOf(await cells.nth(2).textContent());
  };
  const before = await rounds();
  await expect(async () => {
    await server.playToEnd({ sessionID, mode: 'BASE', amount });
    expect(await numberIn(page, 'Plays per second')).toBeGreaterThan(0);
  }).toPass({ timeout: 60_000 });
  await expect.poll(rounds).toBeGreaterThan(before);
  await expect(page.getByRole('region', { name: 'Nodes' }).getByRole('row').nth(1)).toContainText('no stop recorded');
  await expect(page.getByRole('figure', { name: 'Plays per second' })).toBeVisible();
  await expectGoodPage(page, 'overview');
});

test('the overview goes on after a refusal, and after its user has signed in again', async ({ page, site, watch }) => {
  let connections = 0;
  await page.route('**/admin/overview/live', (route) => {
    connections += 1;
    return connections === 1 ? route.fulfill({ status: 503, json: {} }) : route.continue();
  });
  watch.expectComplaint(/status of 503/);
  const { password } = await site.signIn(page, { role: 'finance', isNew: true });
  await expect(page.getByText(/last update \d+ s ago/)).toBeVisible();
  await expect.poll(() => connections).toBe(2);

  watch.expectComplaint(/status of 401/);
  expect((await site.api(page, '/api/auth/sign-out', {})).status()).toBe(200);
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => connections).toBeGreaterThan(2);
  await expect(page.getByText(/last update [0-2] s ago/)).toBeVisible();
});

test('Ctrl K finds a round by its betID and a player by a part of the name, and Shift Enter shows all', async ({
  page,
  site,
  server,
}) => {
  const player = `search-${randomUUID()}`;
  const { sessionID } = await server.startSession({ token: player });
  const { config } = await server.authenticate(sessionID);
  const { round } = await server.play({ sessionID, mode: 'BASE', amount: config.betLevels[0] ?? 0 });
  await site.signIn(page, { role: 'support' });
  await expect(page.getByLabel('Now')).toBeVisible();

  await page.keyboard.press('Control+k');
  const box = page.getByRole('dialog').getByRole('textbox');
  // What is typed at once is not lost.
  await page.keyboard.type(String(round.betID), { delay: 50 });
  await expect(box).toHaveValue(String(round.betID));
  await expect(page.locator('[data-selected]')).toContainText(String(round.betID));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${site.url}/rounds/${round.betID}`);

  await page.keyboard.press('Control+k');
  await box.fill(player.slice(0, 20));
  await expect(page.getByRole('button', { name: new RegExp(player) })).toBeVisible();
  await page.keyboard.press('Shift+Enter');
  await expect(page).toHaveURL(`${site.url}/search#${player.slice(0, 20)}`);
  await expect(page.getByRole('region', { name: 'Players' }).getByRole('link', { name: player })).toBeVisible();
  await expectGoodPage(page, 'search');

  // A sessionID is a credential: no request has it in its address.
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.getByLabel('Find').fill(sessionID);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: `Session of ${player}` })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: `Session of ${player}` })).toBeVisible();
  expect(addresses.filter((each) => each.split('#')[0]?.includes(sessionID))).toEqual([]);
  await page.getByLabel('Find').fill('nobody has this name');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No results')).toBeVisible();
});
