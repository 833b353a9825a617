import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { ConsoleSite, expect, expectGoodPage, test as withConsole } from '../support/console.ts';
import { RgsServer } from '../support/server.ts';
import { type Stack, startStack } from '../support/stack.ts';

const SAMPLE_GAME = fileURLToPath(new URL('../../games/sample/dist', import.meta.url));
const MOST_ROUNDS = 200;

type Fixtures = { stack: Stack };

/** The option is one of the whole server, so these tests have a stack of their own. */
const test = withConsole.extend<object, Fixtures>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures one needs
    async ({}, use) => {
      const stack = await startStack([SAMPLE_GAME, '--two-person']);
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  site: async ({ stack }, use) => use(new ConsoleSite(stack)),
  server: async ({ stack }, use) => use(new RgsServer(new URL(stack.launchUrl).origin)),
});

test.describe.configure({ mode: 'serial' });

test('a void waits for a second user, who sees what it is and approves it', async ({ page, site, server, browser }) => {
  const betID = await openRound(server);
  const asker = await signInElsewhere(browser, site, 'support');
  const asked = await site.api(asker, `/admin/rounds/${betID}/void`, { reason: 'The player complains' });
  expect(asked.status()).toBe(202);
  const { approvalID } = await asked.json();

  // Whoever asked for it cannot approve it.
  await asker.goto(`${site.url}/approvals?state=waiting`);
  const ownRow = asker.getByRole('row').filter({ hasText: `betID ${betID}` });
  await expect(ownRow).toContainText('for somebody else');
  expect((await site.api(asker, `/admin/approvals/${approvalID}`, { decision: 'approve' })).status()).toBe(403);

  await site.signIn(page, { role: 'administrator' }, '/approvals?state=waiting');
  const row = page.getByRole('row').filter({ hasText: `betID ${betID}` });
  await expectGoodPage(page, 'approvals');
  await row.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog', { name: `Approve request ${approvalID}?` });
  await expect(dialog).toContainText('The player complains');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText(`Request ${approvalID} is approved`)).toBeVisible();
  await expect(row).toHaveCount(0);
  const { items } = await (await site.api(page, '/admin/approvals?state=approved')).json();
  expect(items).toContainEqual(expect.objectContaining({ approvalID, decidedBy: expect.any(String) }));
  await asker.context().close();
});

test('a request is rejected once: the second user sees who was first', async ({
  page,
  site,
  server,
  browser,
  watch,
}) => {
  const betID = await openRound(server);
  const asker = await signInElsewhere(browser, site, 'support');
  const asked = await site.api(asker, `/admin/rounds/${betID}/void`, { reason: 'Another complaint' });
  const { approvalID } = await asked.json();
  const first = await signInElsewhere(browser, site, 'administrator');

  await site.signIn(page, { role: 'administrator' }, '/approvals?state=waiting');
  await page
    .getByRole('row')
    .filter({ hasText: `betID ${betID}` })
    .getByRole('button', { name: 'Reject' })
    .click();
  const dialog = page.getByRole('dialog', { name: `Reject request ${approvalID}?` });
  await dialog.getByLabel('Reason').fill('Not without the video');
  const won = await site.api(first, `/admin/approvals/${approvalID}`, { decision: 'reject', reason: 'I was faster' });
  expect(won.status(), await won.text()).toBe(200);
  watch.expectComplaint(/status of 409/);
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Somebody else was first: administrator-');
  await expect(dialog.getByLabel('Reason')).toHaveValue('Not without the video');
  // It waits no more, so it is not in this list.
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('row').filter({ hasText: `betID ${betID}` })).toHaveCount(0);
  for (const other of [asker, first]) await other.context().close();
});

/** Plays until a round is open, which only a win is. */
async function openRound(server: RgsServer): Promise<number> {
  const { sessionID } = await server.startSession();
  const { config } = await server.authenticate(sessionID);
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
    const { round } = await server.play({ sessionID, mode: 'base', amount: config.defaultBetLevel });
    if (round.active) return round.betID;
  }
  throw new Error(`none of ${MOST_ROUNDS} rounds is open`);
}

async function signInElsewhere(browser: Browser, site: ConsoleSite, role: 'support' | 'administrator'): Promise<Page> {
  const page = await browser.newPage();
  await site.signIn(page, { role });
  return page;
}
