import type { Page, Route } from '@playwright/test';
import { expect, test } from '../support/test.ts';

test.use({ game: 'sample-lines' });

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
const STATUS_400 = /console error: Failed to load resource: the server responded with a status of 400/;
const NO_RESPONSE = /console error: Failed to load resource: net::ERR_/;

test('not enough money: the page says so, and nothing moves', async ({ player, server, watch }) => {
  watch.expectComplaint(STATUS_400);
  const { url, sessionID } = await server.startSession({ setBalance: UNIT / 2 });
  await player.openReady(url);
  await player.mode('BASE').click();
  await expect(player.alert).toContainText('ERR_IPB');
  await expect(player.alert).toContainText('Choose a lower amount');
  await player.expectBalance(UNIT / 2);
  expect(await server.balanceOf(sessionID)).toBe(UNIT / 2);
  await expect(player.endRound).toBeHidden();

  await player.bet.selectOption('$0.50');
  await player.play('BASE');
  await expect(player.alert).toBeEmpty();
  await player.expectBalance(0);
  await player.end();
  await player.expectBalance(await server.balanceOf(sessionID));
});

test('a session that the server does not know', async ({ player, server, watch }) => {
  watch.expectComplaint(STATUS_400);
  const { url } = await server.startSession();
  await player.open(withParameter(url, 'sessionID', 'nobody-has-this-one'));
  await expect(player.alert).toContainText('ERR_IS');
  await expect(player.alert).toContainText('launch the game again');
  await expect(player.status).toHaveText('That did not work.');
  await expect(player.balance).toBeHidden();
  await expect(player.mode('BASE')).toBeHidden();
});

for (const [name, problem] of [
  ['sessionID', 'The launch link has no session (sessionID).'],
  ['rgs_url', 'The launch link does not say which server to play on (rgs_url).'],
] as const) {
  test(`a launch URL without ${name}`, async ({ player, server, page }) => {
    const calls = countCalls(page);
    const { url } = await server.startSession();
    await player.open(withParameter(url, name, null));
    await expect(player.status).toHaveText('This page cannot start.');
    await expect(player.alert).toContainText(problem);
    await expect(player.mode('BASE')).toBeHidden();
    expect(calls).toEqual([]);
  });
}

test('a play whose response is lost is sent again, and debits once', async ({ player, server, page, watch }) => {
  watch.expectComplaint(NO_RESPONSE);
  const calls = countCalls(page);
  const { url, sessionID } = await server.startSession();
  await player.openReady(url);
  await loseNextResponse(page, '/wallet/play');
  await player.mode('BASE').click();
  await expect(player.status).toHaveText('The server may have taken the bet.');
  await expect(player.alert).toContainText('The server did not respond.');
  await expect(player.modes().and(page.locator(':enabled'))).toHaveCount(0);
  await expect(player.lower).toBeDisabled();
  const { round: taken } = await server.authenticate(sessionID);
  expect(taken.active).toBe(true);

  await player.retryBet.click();
  await expect(player.status).toHaveText(/^Round \d+ pays/);
  await expect(player.retryBet).toBeHidden();
  await expect(player.alert).toBeEmpty();
  expect(await player.roundNumber()).toBe(taken.betID);
  await player.expectBalance(OPENING_BALANCE - UNIT);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT);

  // The page authenticates and finds the round. It does not send the bet again.
  const plays = calls.filter(({ path }) => path === '/wallet/play');
  expect(plays).toEqual([{ path: '/wallet/play', idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
  await player.end();
  await player.expectBalance(await server.balanceOf(sessionID));
});

test('an end-round whose response is lost is sent again, and pays once', async ({ player, server, page, watch }) => {
  watch.expectComplaint(NO_RESPONSE);
  const { url, sessionID } = await server.startSession();
  await player.openReady(url);
  await player.play('BONUS');
  const { round } = await server.authenticate(sessionID);
  await loseNextResponse(page, '/wallet/end-round');
  await player.endRound.click();
  await expect(player.alert).toContainText('The server did not respond.');
  await player.end();
  const expected = OPENING_BALANCE - 100 * UNIT + (round.payout ?? Number.NaN);
  await player.expectBalance(expected);
  expect(await server.balanceOf(sessionID)).toBe(expected);
});

/** The server works, and its response is lost. */
async function loseNextResponse(page: Page, path: string): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort('connectionreset');
  };
  await page.route(`**${path}`, lose, { times: 1 });
}

type Call = { path: string; idempotencyKey: string | undefined };

/** Counts the page's requests to the server's endpoints. */
function countCalls(page: Page): Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    calls.push({ path: new URL(request.url()).pathname, idempotencyKey: request.headers()['idempotency-key'] });
  });
  return calls;
}

function withParameter(url: string, name: string, value: string | null): string {
  const changed = new URL(url);
  if (value === null) changed.searchParams.delete(name);
  else changed.searchParams.set(name, value);
  return changed.href;
}
