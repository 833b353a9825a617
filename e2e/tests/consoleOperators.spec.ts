import { randomUUID } from 'node:crypto';
import { choose, expect, expectGoodPage, test } from '../support/console.ts';
import { expectHarmless, MARKUP as HOSTILE } from '../support/hostile.ts';

/** A name may not have control characters. */
const MARKUP = HOSTILE.replaceAll(/\p{C}/gu, '').slice(0, 150);
const newCode = () => `op-${randomUUID().slice(0, 8)}`;

test.use({ game: 'sample-lines' });

test('an administrator adds an operator: issues are at their fields, the secret is shown once', async ({
  page,
  site,
  watch,
}) => {
  const code = newCode();
  await site.signIn(page, { role: 'administrator' }, '/operators');
  await expect(page.getByRole('region', { name: 'Operators' }).getByRole('row').nth(1)).toBeVisible();
  await expectGoodPage(page, 'operators');
  await page.getByRole('button', { name: 'Add an operator' }).click();
  const form = page.getByRole('dialog', { name: 'Add an operator' });
  await form.getByLabel('Code').fill('Not A Code');
  const name = form.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill(MARKUP);
  await form.getByLabel('Wallet URL').fill('ftp://wallet');
  await form.getByLabel('Session time-out (min)').fill('0');
  watch.expectComplaint(/status of 400/);
  await form.getByRole('button', { name: 'Review the changes' }).click();
  await expect(form.getByText('A code is 1 to 64 of a-z, 0-9 and "-".').first()).toBeVisible();
  await expect(form.getByText('It begins with http:// or https://')).toBeVisible();
  await expect(form.getByText('A whole number of minutes from 1 to 10080.').first()).toBeVisible();
  await expect(name).toHaveValue(MARKUP);

  await form.getByLabel('Code').fill(code);
  await form.getByLabel('Wallet URL').fill('https://wallet.example/api');
  await form.getByLabel('Session time-out (min)').fill('20');
  await form.getByRole('button', { name: 'Review the changes' }).click();
  await expect(form.getByRole('table')).toContainText('https://wallet.example/api');
  await form.getByRole('button', { name: 'Add the operator' }).click();
  const shown = page.getByRole('dialog', { name: `New secret of ${code}` });
  const secret = (await shown.locator('pre').textContent()) ?? '';
  expect(secret.length).toBeGreaterThanOrEqual(32);
  await shown.getByRole('button', { name: 'Done' }).click();

  await expect(page.getByRole('heading', { level: 1 })).toContainText(code);
  await expect(page.getByRole('region', { name: 'Settings' })).toContainText('20 min');
  await expectHarmless(page);
  expect(await page.content()).not.toContain(secret);
  await expectGoodPage(page, 'operator');
});

test('a rotation shows the new secret once, and is finished', async ({ page, site }) => {
  const code = newCode();
  await site.addOperator(code, { walletUrl: 'https://wallet.example/api' });
  await site.signIn(page, { role: 'administrator', operator: code }, `/operators/${code}`);
  const secrets = page.getByRole('region', { name: 'Secrets' });
  await expect(secrets).toContainText('one secret');
  await secrets.getByRole('button', { name: 'Rotate the secret' }).click();
  const dialog = page.getByRole('dialog', { name: `Make a new secret for ${code}?` });
  await expect(dialog).toContainText('Both secrets are then valid');
  await dialog.getByRole('button', { name: 'Rotate the secret' }).click();
  const shown = page.getByRole('dialog', { name: `New secret of ${code}` });
  const secret = (await shown.locator('pre').textContent()) ?? '';
  expect(secret.length).toBeGreaterThanOrEqual(32);
  await expect(shown.getByRole('button', { name: 'Copy' })).toBeVisible();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toHaveCount(0);
  await expect(secrets).toContainText('rotation in progress');
  expect(await page.content()).not.toContain(secret);
  await page.reload();
  await expect(secrets).toContainText('rotation in progress');
  expect(await page.content()).not.toContain(secret);

  await secrets.getByRole('button', { name: 'Finish the rotation' }).click();
  const finish = page.getByRole('dialog', { name: `Finish the rotation of ${code}?` });
  await expect(finish).toContainText('the old one is no longer valid');
  await finish.getByRole('button', { name: 'Finish the rotation' }).click();
  await expect(secrets).toContainText('one secret');
});

test('a preset shows its effect before it is applied, and limits are set', async ({ page, site }) => {
  const code = newCode();
  await site.addOperator(code);
  await site.signIn(page, { role: 'administrator' }, `/operators/${code}`);
  await page.getByRole('button', { name: 'Change jurisdiction' }).click();
  const dialog = page.getByRole('dialog', { name: `Change the jurisdiction of ${code}?` });
  await dialog.getByRole('combobox', { name: 'Preset' }).click();
  await page.getByRole('option', { name: 'Great Britain' }).click();
  await expect(dialog.getByRole('region', { name: 'Effect' })).toContainText('RTS 14D');
  await dialog.getByRole('button', { name: 'Apply to new sessions' }).click();
  await expect(page.getByRole('region', { name: 'Jurisdiction' })).toContainText('2500');

  await page.getByRole('button', { name: 'Change limits' }).click();
  const limits = page.getByRole('dialog', { name: `Change limits of ${code} in USD?` });
  await limits.getByLabel('Max bet').fill('12.x');
  await expect(limits.getByText('Enter an amount like 12.50')).toBeVisible();
  await limits.getByLabel('Max bet').fill('12.50');
  await limits.getByRole('button', { name: 'Set limits in USD' }).click();
  await expect(page.getByRole('region', { name: 'Limits', exact: true })).toContainText('$12.50');
});

test('disabling an operator asks first, and names who is stopped', async ({ page, site }) => {
  const code = newCode();
  await site.addOperator(code);
  await site.signIn(page, { role: 'administrator' }, `/operators/${code}`);
  await page.getByRole('button', { name: 'Disable' }).click();
  const dialog = page.getByRole('dialog', { name: `Disable operator ${code}?` });
  await expect(dialog).toContainText('All its players are stopped immediately');
  await expect(dialog.getByRole('button', { name: 'Disable' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('The contract has ended');
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Enable' })).toBeVisible();
});

test("the check of the reference operator's wallet shows each rule as it comes", async ({ page, site, lobbyUrl }) => {
  const post = async (path: string, data: object) => {
    const response = await fetch(new URL(path, lobbyUrl), {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(data),
    });
    expect(response.status, await response.clone().text()).toBeLessThan(300);
    return (await response.json()) as { sessionID: string };
  };
  const playerID = `checked-${randomUUID().slice(0, 8)}`;
  await post('/api/players', { playerID, currency: 'USD' });
  await site.signIn(page, { role: 'administrator' }, '/operators/lobby');
  const gameID = 'sample-lines';
  const { sessionID } = await post('/api/launch', { playerID, gameID, currency: 'USD' });
  const panel = page.getByRole('region', { name: 'Wallet check', exact: true });
  await panel.getByLabel('Live session of a test player').fill(sessionID);
  await choose(panel, 'Game of the session', gameID);
  await panel.getByRole('button', { name: 'Check the wallet' }).click();
  await expect(panel.locator('[data-outcome="pass"]').first()).toBeVisible();
  await expect(panel.getByRole('status').filter({ hasText: 'No rule fails' })).toBeVisible();
  expect(await panel.locator('[data-outcome="pass"]').count()).toBeGreaterThan(50);
  await expect(panel.locator('[data-outcome="fail"]')).toHaveCount(0);
  await expectGoodPage(page, 'wallet-check');
});
