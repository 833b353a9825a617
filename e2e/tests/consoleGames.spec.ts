import { fileURLToPath } from 'node:url';
import { test as base, ConsoleSite, expect, expectGoodPage } from '../support/console.ts';
import type { RgsServer } from '../support/server.ts';
import { type Stack, startStack } from '../support/stack.ts';

const SAMPLE_GAME = fileURLToPath(new URL('../../games/sample/dist', import.meta.url));
const START_MS = 300_000;

/** These tests stop the game for everybody, so they have a stack of their own. */
const test = base.extend<{ site: ConsoleSite; launchUrl: string }, { stack: Stack }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures one needs
    async ({}, use) => {
      const stack = await startStack([SAMPLE_GAME]);
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: START_MS },
  ],
  site: async ({ stack }, use) => use(new ConsoleSite(stack)),
  launchUrl: async ({ stack }, use) => use(stack.launchUrl),
});

test.describe.configure({ mode: 'serial' });

/** Plays a bet in a new session, and returns the status and the code of a refusal. */
async function tryPlay(server: RgsServer, sessionID: string): Promise<string> {
  const body = JSON.stringify({ sessionID, mode: 'BASE', amount: 1_000_000 });
  const response = await fetch(`${server.origin}/wallet/play`, { method: 'POST', body });
  return response.ok ? 'played' : ((await response.json()) as { error: string }).error;
}

async function openSession(server: RgsServer): Promise<string> {
  const { sessionID } = await server.startSession();
  await server.authenticate(sessionID);
  return sessionID;
}

test('a game manager sees what a game returned, withdraws its version and reinstates it', async ({
  page,
  site,
  server,
}) => {
  const sessionID = await openSession(server);
  for (let rounds = 0; rounds < 5; rounds += 1) await playToTheEnd(server, sessionID);
  await site.signIn(page, { role: 'gameManager' }, '/games');
  const games = page.getByRole('region', { name: 'Games', exact: true });
  await expect(games.getByRole('row')).toHaveCount(2);
  await expect(games).toContainText('available');
  await expectGoodPage(page, 'games');
  await games.getByRole('link').first().click();

  const returns = page.getByRole('region', { name: 'RTP over time', exact: true });
  await expect(returns.getByRole('figure', { name: /^RTP of BASE in USD/ })).toBeVisible();
  await expect(returns.locator('canvas')).toBeVisible();
  await returns.getByText('Show as a table').click();
  await expect(returns.getByRole('columnheader', { name: 'RTP of the table' })).toBeVisible();
  await expect(returns.getByRole('cell', { name: /^\d+\.\d\d %$/ }).first()).toBeVisible();
  await expectGoodPage(page, 'game');

  const versions = page.getByRole('region', { name: 'Versions', exact: true });
  await versions.getByRole('button', { name: 'Withdraw' }).click();
  const dialog = page.getByRole('dialog', { name: /^Withdraw version/ });
  await expect(dialog).toContainText(/open rounds stay open/);
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await expect(versions).toContainText('withdrawn');
  expect(await tryPlay(server, sessionID)).toBe('ERR_MAINTENANCE');

  await versions.getByRole('button', { name: 'Reinstate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reinstate' }).click();
  await expect(versions).toContainText('available');
  expect(await tryPlay(server, sessionID)).toBe('played');
});

test('maintenance names who is stopped, and its end lets them play again', async ({ page, site, server }) => {
  const sessionID = await openSession(server);
  await site.signIn(page, { role: 'gameManager' }, '/games');
  await page.getByRole('button', { name: 'Stop the server' }).click();
  const dialog = page.getByRole('dialog', { name: 'Switch on maintenance of the server?' });
  await expect(dialog).toContainText('All players of every operator get ERR_MAINTENANCE');
  await expect(dialog).toContainText('Open rounds stay open');
  await dialog.getByRole('button', { name: 'Stop the server' }).click();
  const list = page.getByRole('region', { name: 'Maintenance that is on' });
  await expect(list).toContainText('the server');
  expect(await tryPlay(server, sessionID)).toBe('ERR_MAINTENANCE');
  await list.getByRole('button', { name: 'End' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End maintenance' }).click();
  await expect(list).toContainText('No maintenance is on');
  expect(await tryPlay(server, sessionID)).toBe('played');
});

test('a viewer sees games and may change nothing', async ({ page, site }) => {
  await site.signIn(page, { role: 'viewer' }, '/games');
  await expect(page.getByRole('region', { name: 'Games', exact: true }).getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Stop the server' })).toHaveCount(0);
  await page.getByRole('region', { name: 'Games', exact: true }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'RTP over time' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Withdraw' })).toHaveCount(0);
});

async function playToTheEnd(server: RgsServer, sessionID: string): Promise<void> {
  const { round } = await server.play({ sessionID, mode: 'BASE', amount: 1_000_000 });
  if (!round.active) return;
  const body = JSON.stringify({ sessionID });
  const response = await fetch(`${server.origin}/wallet/end-round`, { method: 'POST', body });
  expect(response.status).toBe(200);
}
