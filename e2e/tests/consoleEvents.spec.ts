import { Client } from 'pg';
import { expect, expectGoodPage, test } from '../support/console.ts';
import { expectHarmless, MARKUP as HOSTILE } from '../support/hostile.ts';

/** A reason and a name may not have control characters. */
const MARKUP = HOSTILE.replaceAll(/\p{C}/gu, '').slice(0, 150);

test.use({ game: 'sample-lines' });
// The second test changes the log, and would disturb the first one.
test.describe.configure({ mode: 'default' });

test('compliance finds an event and sees its values side by side', async ({ page, site }) => {
  await site.addOperator('watched', { name: `Watched ${MARKUP}` });
  await site.admin.request('/admin/operators/watched', { name: 'Watched' });
  await site.signIn(page, { role: 'compliance' }, '/events?subject=operator%20watched&kind=operator_changed');
  const table = page.getByRole('region', { name: 'Significant events' });
  await expect(table.locator('tbody tr')).toHaveCount(2);
  await expectGoodPage(page, 'events');
  await table.locator('tbody tr').first().getByRole('button').click();
  const dialog = page.getByRole('dialog');
  const name = dialog.getByRole('row').filter({ hasText: 'name' });
  await expect(name.locator('del')).toHaveText(`Watched ${MARKUP}`);
  await expect(name.locator('ins')).toHaveText('Watched');
  await expectHarmless(page);
  // The address leads a colleague to the same event.
  await page.reload();
  await expect(page.getByRole('dialog')).toContainText('operator watched');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).not.toHaveURL(/event=/);
});

test('compliance verifies the chain; a row that was changed in SQL is named', async ({ page, site, stack }) => {
  await site.signIn(page, { role: 'compliance' }, '/events');
  const verify = page.getByRole('button', { name: 'Verify the log' });
  const result = page.getByRole('status').filter({ hasText: 'The log is' });
  await verify.click();
  await expect(result).toContainText('The log is intact');

  const tamperer = new Client({ connectionString: stack.databaseUrl });
  await tamperer.connect();
  try {
    // A superuser, for whom no trigger works.
    await tamperer.query('SET session_replication_role = replica');
    await tamperer.query("UPDATE significant_events SET actor = actor || '!' WHERE seq = 2");
    await verify.click();
    await expect(result).toContainText('The log is NOT intact');
    await expect(result).toContainText('event 2 was changed');
    await expectGoodPage(page, 'events-not-whole');
  } finally {
    await tamperer.query("UPDATE significant_events SET actor = rtrim(actor, '!') WHERE seq = 2");
    await tamperer.end();
  }
  await verify.click();
  await expect(result).toContainText('The log is intact');
});
