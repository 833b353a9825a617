import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { type ConsoleSite, expect, expectGoodPage, test } from '../support/console.ts';
import { expectHarmless } from '../support/hostile.ts';
import type { RgsServer, Round } from '../support/server.ts';
import { findBook } from '../support/slotBooks.ts';

const UNIT = 1_000_000;
const HOSTILE = `<img data-hostile src=x onerror="window.hostile=1">"'javascript:`;

type Played = { playerID: string; sessionID: string; round: Round };

/** Leaves a round open that pays two to nine times its bet of 1 unit. */
async function openRound(server: RgsServer, playerID: string = `player-${randomUUID().slice(0, 8)}`): Promise<Played> {
  const { sessionID } = await server.startSession({ token: playerID });
  await server.authenticate(sessionID);
  const { bookID } = await findBook(server, 'BASE', { payout: { from: 200, to: 900 }, freeSpins: 'none' });
  await server.forceNext({ sessionID, mode: 'BASE', bookID });
  const { round } = await server.play({ sessionID, mode: 'BASE', amount: UNIT });
  expect(round.active).toBe(true);
  return { playerID, sessionID, round };
}

const send = async (server: RgsServer, path: string, body: object) => {
  const response = await fetch(server.origin + path, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status, path).toBe(200);
};
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const timeline = (page: Page) => page.getByRole('list', { name: 'Timeline of the round' });
const dialog = (page: Page) => page.getByRole('dialog');
const roundPath = ({ round }: Played) => `/rounds/${round.betID}`;
const playerPath = ({ playerID }: Played) => `/players/house/${encodeURIComponent(playerID)}`;

async function refuseAs(page: Page, site: ConsoleSite, path: string): Promise<number> {
  return (await site.api(page, path, { reason: 'no right' })).status();
}

test('support finds the round of a complaint in less than 5 clicks, and voids it', async ({ page, site, server }) => {
  const played = await openRound(server);
  const { sessionID, playerID, round } = played;
  await send(server, '/bet/event', { sessionID, event: 'picked:3' });
  const before = await server.balanceOf(sessionID);
  await site.signIn(page, { role: 'support' });

  let clicks = 0;
  const click = (locator: Locator) => {
    clicks += 1;
    return locator.click();
  };
  await click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Rounds', exact: true }));
  await page.getByLabel('Player', { exact: true }).fill(playerID);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`player=${playerID}`));
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByLabel('Player', { exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await expect(page.getByLabel('Player', { exact: true })).toHaveValue(playerID);
  for (const name of ['Bet', 'Payout', 'State'])
    await expect(page.getByRole('columnheader', { name })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  const row = page
    .getByRole('region', { name: 'Rounds' })
    .getByRole('link', { name: String(round.betID), exact: true });
  await click(row);
  await expect(heading(page)).toHaveText(`Round ${round.betID}`);
  await expect(timeline(page)).toContainText('picked:3');
  await expect(timeline(page)).toContainText('Bet: $1.00');
  await click(page.getByRole('button', { name: 'Void' }));
  await expect(dialog(page)).toContainText(`Returns $1.00 to player ${playerID} of house; the round pays nothing.`);
  await expect(dialog(page).getByRole('button', { name: 'Void the round' })).toBeDisabled();
  await page.getByLabel('Reason').fill('The reels stood still.');
  await click(dialog(page).getByRole('button', { name: 'Void the round' }));
  await expect(timeline(page)).toContainText('Round voided');
  expect(clicks).toBeLessThan(5);
  await expect(timeline(page)).toContainText('The reels stood still.');
  const transactions = page.getByRole('region', { name: 'Wallet transactions' });
  await expect(transactions).toContainText('The bet was returned to the player.');
  // The fading dialog also has a button whose name begins like this.
  await expect(page.getByRole('button', { name: 'Void', exact: true })).toBeDisabled();
  expect(await server.balanceOf(sessionID)).toBe(before + UNIT);
});

test('the second of two people sees who voided the round', async ({ page, site, server, watch, browser }) => {
  const played = await openRound(server);
  await site.signIn(page, { role: 'support' }, roundPath(played));
  await page.getByRole('button', { name: 'Void' }).click();
  await page.getByLabel('Reason').fill('I was second.');

  const other = await browser.newPage();
  const first = await site.signIn(other, { role: 'support', isNew: true }, roundPath(played));
  await site.api(other, `/admin${roundPath(played)}/void`, { reason: 'I was first.' });
  await other.close();

  watch.expectComplaint(/status of 409/);
  await dialog(page).getByRole('button', { name: 'Void the round' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText(`Somebody else was first: ${first.email}`);
  await expect(page.getByLabel('Reason')).toHaveValue('I was second.');
});

test('a round whose player is gone is completed, and pays what its book says', async ({ page, site, server }) => {
  const played = await openRound(server);
  const before = await server.balanceOf(played.sessionID);
  await site.signIn(page, { role: 'support' }, roundPath(played));
  await page.getByRole('button', { name: 'Complete' }).click();
  await expect(dialog(page)).toContainText(`to player ${played.playerID} of house and ends the round`);
  await page.getByLabel('Reason').fill('Gone for a week.');
  await dialog(page).getByRole('button', { name: 'Complete the round' }).click();
  await expect(timeline(page)).toContainText('The server completed the round');
  expect(await server.balanceOf(played.sessionID)).toBe(before + played.round.payout);
});

test('a round shows its book and is replayed by the front end of its game', async ({ page, site, server }) => {
  const played = await openRound(server);
  await send(server, '/wallet/end-round', { sessionID: played.sessionID });
  await site.signIn(page, { role: 'viewer' }, roundPath(played));
  const book = page.getByRole('region', { name: 'Book' });
  await expect(book).toContainText(/Book \d+ pays \d/);
  await book.getByText(/^1\. /).click();
  await expect(book.locator('pre').first()).toContainText('"type"');
  await expect(page.getByRole('button', { name: 'Void' })).toHaveCount(0);
  await expectGoodPage(page, 'round');

  await book.getByRole('button', { name: 'Replay' }).click();
  const game = page.frameLocator('iframe[title^="Replay of round"]');
  await expect(game.getByRole('region', { name: 'Replay' })).toContainText('No money moves', { timeout: 90_000 });
  await book.getByRole('button', { name: 'Close the replay' }).click();
  await expect(page.locator('iframe')).toHaveCount(0);
});

test('a round of a provably fair draw shows its seeds, and leads to the verifier', async ({ page, site, server }) => {
  const { sessionID } = await server.startSession({ draws: 'provablyFair' });
  await server.authenticate(sessionID);
  const clientSeed = HOSTILE.slice(0, 64);
  await server.setClientSeed({ sessionID, clientSeed });
  const { meta } = await server.authenticate(sessionID);
  const { round } = await server.play({ sessionID, mode: 'BASE', amount: UNIT });
  await site.signIn(page, { role: 'support' }, `/rounds/${round.betID}`);
  const panel = page.getByRole('region', { name: 'Provably fair draw' });
  await expect(panel).toContainText(meta?.fairness?.serverSeedHash ?? 'a hash');
  await expect(panel).toContainText(clientSeed);
  await expect(panel).toContainText('Nonce0');
  await expectHarmless(page);
  await expectGoodPage(page, 'fair-round');

  const opened = page.waitForEvent('popup');
  await panel.getByRole('link', { name: 'verifier' }).click();
  const verifier = await opened;
  await expect(verifier.getByRole('heading', { level: 1 })).toHaveText('Check a fair round');
  await verifier.close();
});

test('the page of a player sets limits, ends the login and the sessions', async ({ page, site, server }) => {
  const played = await openRound(server);
  const { playerID, sessionID } = played;
  await send(server, '/wallet/end-round', { sessionID });
  await site.signIn(page, { role: 'compliance' }, `/players?prefix=${playerID}`);
  await expectGoodPage(page, 'players');
  await page.getByRole('link', { name: playerID }).click();
  await expect(heading(page)).toHaveText(playerID);

  await page.getByRole('button', { name: 'Set limits' }).click();
  const wager = page.getByLabel('Daily wager limit, USD');
  const confirm = dialog(page).getByRole('button', { name: 'Set limits' });
  for (const wrong of ['-1', 'ten', '1.2345678']) {
    await wager.fill(wrong);
    await expect(dialog(page)).toContainText('Enter an amount of zero or more');
    await expect(confirm).toBeDisabled();
  }
  await wager.fill('1.00');
  await expect(dialog(page)).toContainText('From now on the player may wager $1.00 and lose any amount per day');
  await confirm.click();
  await expect(page.getByText(`The limits of ${playerID} in USD are set`)).toBeVisible();
  const over = await fetch(`${server.origin}/wallet/play`, {
    method: 'POST',
    body: JSON.stringify({ sessionID, mode: 'BASE', amount: UNIT }),
  });
  expect(await over.json()).toMatchObject({ error: 'ERR_GLE' });

  await page.getByRole('tab', { name: 'Net position' }).click();
  await expect(page.getByRole('figure', { name: 'Net position by day' })).toBeVisible();
  await expect(page.getByRole('tabpanel')).toContainText('Bets$1.00');
  await expectGoodPage(page, 'player');

  await page.getByRole('tab', { name: 'Sessions' }).click();
  await expect(page.getByRole('region', { name: 'Sessions of the player' })).toContainText('open');
  await page.getByRole('button', { name: 'End sessions' }).click();
  await expect(dialog(page)).toContainText('One session of this player at house ends immediately');
  await dialog(page).getByRole('button', { name: 'End the sessions' }).click();
  await expect(page.getByRole('region', { name: 'Sessions of the player' })).toContainText('ended');

  await page.getByRole('button', { name: 'Login expiry' }).click();
  await dialog(page).getByRole('button', { name: 'Set the expiry' }).click();
  await expect(page.getByText('login expired', { exact: true })).toBeVisible();
});

test('an operator sees nothing of another one, and a viewer may do nothing', async ({ page, site, server, watch }) => {
  const played = await openRound(server);
  watch.expectComplaint(/status of 404/);
  await site.signIn(page, { role: 'support', operator: 'lobby' }, roundPath(played));
  await expect(page.getByRole('alert')).toContainText('there is no such round');
  expect(await refuseAs(page, site, `/admin${roundPath(played)}/void`)).toBe(404);
  expect(await refuseAs(page, site, `/admin${playerPath(played)}/end-sessions`)).toBe(404);
  await page.goto(`${site.url}/rounds?player=${played.playerID}&operator=house`);
  await expect(page.getByText('No matching rounds')).toBeVisible();

  await site.signIn(page, { role: 'viewer' }, roundPath(played));
  await expect(timeline(page)).toBeVisible();
  await expect(page.getByRole('button', { name: /Void|Complete/ })).toHaveCount(0);
  expect(await refuseAs(page, site, `/admin${roundPath(played)}/void`)).toBe(403);
  await page.goto(site.url + playerPath(played));
  await expect(page.getByRole('tab', { name: 'Rounds', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /Set limits|Login expiry|End sessions/ })).toHaveCount(0);
});

test('texts of players and games stay texts', async ({ page, site, server }) => {
  const played = await openRound(server, `${HOSTILE}${randomUUID().slice(0, 8)}`);
  await send(server, '/bet/event', { sessionID: played.sessionID, event: HOSTILE });
  await site.signIn(page, { role: 'support' }, roundPath(played));
  await expect(timeline(page)).toContainText(HOSTILE);
  await page.getByRole('button', { name: 'Void' }).click();
  await expect(dialog(page)).toContainText(played.playerID);
  await page.getByLabel('Reason').fill(HOSTILE);
  await dialog(page).getByRole('button', { name: 'Void the round' }).click();
  await expect(timeline(page)).toContainText('Round voided');
  await expectHarmless(page);
  for (const path of [playerPath(played), '/rounds', '/players']) {
    await page.goto(site.url + path);
    await expect(page.getByText(played.playerID).first()).toBeAttached();
    await expectHarmless(page);
  }
});
