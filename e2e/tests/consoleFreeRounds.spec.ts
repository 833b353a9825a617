import { randomUUID } from 'node:crypto';
import { choose, expect, expectGoodPage, test } from '../support/console.ts';

const UNIT = 1_000_000;
const DAY_MS = 86_400_000;

test.use({ game: 'sample-lines' });

test('a game manager creates a campaign, gives it, follows it while a player plays, and cancels it', async ({
  page,
  site,
  server,
  watch,
}) => {
  const campaignID = `welcome-${randomUUID().slice(0, 8)}`;
  const [player, other] = [`anna-${randomUUID().slice(0, 8)}`, `ben-${randomUUID().slice(0, 8)}`];
  await site.signIn(page, { role: 'gameManager' }, '/free-rounds');
  await page.getByRole('button', { name: 'New campaign' }).click();
  const form = page.getByRole('dialog', { name: 'New campaign' });
  await choose(form, 'Operator', 'house');
  await form.getByLabel('Campaign').fill(campaignID);
  await choose(form, 'Games', 'sample-lines');
  await form.getByLabel('Rounds per player').fill('300');
  await choose(form, 'Currency 1', 'USD');
  await choose(form, 'Amount 1', '$1.00');
  await form.getByLabel('Ends').fill(new Date(Date.now() + DAY_MS).toISOString().slice(0, 16));
  await form.getByLabel('Use automatically').check();
  watch.expectComplaint(/status of 400/);
  await form.getByRole('button', { name: 'Check the terms' }).click();
  await expect(form.getByLabel('Rounds per player')).toHaveAccessibleDescription(/at most 100 at once/);
  await expect(form.getByRole('alert')).toHaveCount(0);
  await form.getByLabel('Rounds per player').fill('3');
  await form.getByRole('button', { name: 'Check the terms' }).click();
  await expect(form.getByRole('status')).toContainText('bets $3.00, max win $');
  await form.getByRole('button', { name: 'Create the campaign' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(campaignID);

  await page.getByRole('textbox', { name: 'Players' }).fill(`${player}\n${other}`);
  await page.getByRole('button', { name: 'Give', exact: true }).click();
  const confirmation = page.getByRole('dialog', { name: 'Give free rounds to 2 players?' });
  await expect(confirmation).toContainText('bets $6.00, max win $');
  watch.expectComplaint(/status of 400/);
  await confirmation.getByRole('button', { name: 'Give the free rounds' }).click();
  await expect(confirmation.getByText(/Nothing given: the server does not know 2 of these players yet/)).toBeVisible();
  await confirmation.getByLabel('Also give to new players').check();
  await confirmation.getByRole('button', { name: 'Give the free rounds' }).click();
  const grants = page.getByRole('region', { name: 'Grants of the campaign' });
  await expect(grants).toContainText(player);

  const { sessionID } = await server.startSession({ token: player });
  await server.authenticate(sessionID);
  const { payout } = await server.playToEnd({ sessionID, mode: 'BASE', amount: UNIT });
  await page.reload();
  const soFar = page.getByRole('region', { name: 'Progress by currency' });
  await expect(soFar.getByRole('row').last()).toContainText('USD');
  const { progress } = await (
    await site.api(page, `/admin/free-rounds/house/campaigns/${encodeURIComponent(campaignID)}`)
  ).json();
  expect(progress).toEqual([
    expect.objectContaining({ grants: 2, given: 6, used: 1, left: 5, won: String(payout), cost: String(UNIT) }),
  ]);
  await expectGoodPage(page, 'campaign');

  const row = grants.getByRole('row').filter({ hasText: other });
  await row.getByRole('button', { name: 'Cancel' }).click();
  const one = page.getByRole('dialog', { name: `Cancel the free rounds of ${other}?` });
  await one.getByLabel('Reason').fill('Given by mistake');
  await one.getByRole('button', { name: 'Cancel the grant' }).click();
  await expect(row).toContainText('cancelled');

  await page.getByRole('button', { name: 'Cancel the campaign' }).click();
  const all = page.getByRole('dialog', { name: `Cancel campaign ${campaignID}?` });
  await expect(all).toContainText('forfeit 2 unused rounds');
  await all.getByLabel('Reason').fill('The promotion is over');
  await all.getByRole('button', { name: 'Cancel the campaign' }).click();
  await expect(page.getByRole('button', { name: 'Cancel the campaign' })).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Players' })).toHaveCount(0);

  await page.getByRole('link', { name: 'Free rounds' }).first().click();
  const list = page.getByRole('region', { name: 'Campaigns' });
  await expect(list.getByRole('row').filter({ hasText: campaignID })).toContainText('cancelled');
  await expectGoodPage(page, 'free-rounds');
});

test('a grant without a campaign is found by its id, on the page of its player', async ({ page, site }) => {
  const [grantID, playerID] = [`gift-${randomUUID().slice(0, 8)}`, `cleo-${randomUUID().slice(0, 8)}`];
  await site.signIn(page, { role: 'support' }, `/search#${grantID}`);
  const terms = { gameIDs: ['sample-lines'], mode: 'BASE', bets: { USD: UNIT }, rounds: 7 };
  const endsAt = new Date(Date.now() + DAY_MS).toISOString();
  const given = await site.api(page, '/admin/free-rounds/house/grants', {
    ...{ terms: { ...terms, endsAt }, grants: [{ grantID, playerID, currency: 'USD' }], newPlayers: true },
  });
  expect(given.status(), await given.text()).toBe(200);
  await page.reload();
  await page.getByRole('region', { name: 'Found grants' }).getByRole('link', { name: grantID }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(playerID);
  const row = page.getByRole('region', { name: 'Free rounds of the player' }).getByRole('row').last();
  await expect(row).toContainText(grantID);
  await expect(row.getByRole('cell', { name: 'none' })).toBeVisible();
  await expectGoodPage(page, 'player-grants');
  await row.getByRole('button', { name: 'Cancel' }).click();
  const dialog = page.getByRole('dialog', { name: `Cancel the free rounds of ${playerID}?` });
  await dialog.getByLabel('Reason').fill('Given by mistake');
  await dialog.getByRole('button', { name: 'Cancel the grant' }).click();
  await expect(row).toContainText('cancelled');
});

test('a viewer follows campaigns and changes none', async ({ page, site }) => {
  await site.signIn(page, { role: 'viewer' }, '/free-rounds?new=campaign');
  await expect(page.getByRole('region', { name: 'Campaigns' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'New campaign' })).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const refused = await site.api(page, '/admin/free-rounds/house/campaigns', { campaignID: 'x' });
  expect(refused.status()).toBe(403);
});
