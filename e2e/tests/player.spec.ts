import { moneyText } from '../support/money.ts';
import { PlayerPage } from '../support/playerPage.ts';
import { expect, test } from '../support/test.ts';

test.use({ game: 'sample-lines' });

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;

test('the printed launch URL opens the sample game, ready to play', async ({ player, launchUrl, server, page }) => {
  await player.openReady(launchUrl);
  await expect(player.heading).toHaveText('sample-lines 1.1.0');
  await expect(page).toHaveTitle('sample-lines 1.1.0');
  await expect(player.alert).toBeEmpty();
  const sessionID = new URL(launchUrl).searchParams.get('sessionID') ?? '';
  await player.expectBalance(await server.balanceOf(sessionID));
});

test('the bet goes down and up through every level, and stops at both ends', async ({ player, server }) => {
  const { url, sessionID } = await server.startSession();
  const { config } = await server.authenticate(sessionID);
  await player.openReady(url);
  await expect(player.bet).toHaveValue(String(config.defaultBetLevel));

  const levelsDown = config.betLevels.filter((level) => level < config.defaultBetLevel).reverse();
  for (const level of levelsDown) {
    await player.lower.click();
    await expect(player.bet).toHaveValue(String(level));
  }
  await expect(player.lower).toBeDisabled();
  for (const level of config.betLevels.slice(1)) {
    await player.higher.click();
    await expect(player.bet).toHaveValue(String(level));
    await expect(player.mode('BASE')).toContainText(moneyText(level));
    await expect(player.mode('BONUS')).toContainText(moneyText(100 * level));
  }
  await expect(player.higher).toBeDisabled();
  await expect(player.lower).toBeEnabled();
  await expect(player.bet.getByRole('option')).toHaveText(config.betLevels.map((level) => moneyText(level)));
});

test('a second tab has the open round, and only one of the two tabs plays', async ({
  player,
  page,
  context,
  server,
}) => {
  const { url } = await server.startSession();
  await player.openReady(url);
  const round = await player.play('BASE');
  const other = new PlayerPage(await context.newPage());
  await other.open(url);
  await expect(other.status).toHaveText(new RegExp(`^Resumed: round ${round} is still open`));
  await expect(player.endRound).toBeDisabled();
  await other.end();
  await page.getByRole('button', { name: 'Play here' }).click();
  await expect(player.status).toHaveText('Ready. Choose a bet and play a round.');
  await expect(other.alert).toContainText('This session is open in another tab.');
});

test('rounds in each mode leave the balance on screen that the server has', async ({ player, server }) => {
  const { url, sessionID } = await server.startSession();
  await player.openReady(url);
  await player.bet.selectOption('$0.20');
  let lastRound = 0;
  for (const { mode, price } of [...rounds(3, 'base', 0.2), ...rounds(2, 'bonus', 20), ...rounds(1, 'base', 0.2)]) {
    const before = await server.balanceOf(sessionID);
    const round = await player.play(mode);
    expect(round).toBeGreaterThan(lastRound);
    lastRound = round;
    await expect(player.fact('Mode')).toHaveText(mode);
    await expect(player.fact('State')).toHaveText('open');
    await expect(player.fact('Price')).toHaveText(moneyText(price));
    expect(await player.events.count()).toBeGreaterThan(1);
    await expect(player.modes().and(player.page.locator(':enabled'))).toHaveCount(0);
    expect(await server.balanceOf(sessionID)).toBe(before - price);
    await player.expectBalance(before - price);

    const { round: open } = await server.authenticate(sessionID);
    expect(open).toMatchObject({ betID: round, active: true });
    await player.end();
    await expect(player.fact('State')).toHaveText('completed');
    await expect(player.fact('Pays')).toContainText(moneyText(open.payout ?? Number.NaN));
    await player.expectBalance(before - price + (open.payout ?? Number.NaN));
    await player.expectBalance(await server.balanceOf(sessionID));
  }
});

test('a reload in the middle of a round resumes it, with the recorded event', async ({ player, server, page }) => {
  const { url, sessionID } = await server.startSession();
  await player.openReady(url);
  const round = await player.play('BASE');
  await expect(player.fact('Last event')).toHaveText('none');
  await player.recordEvent('first reel stopped');
  await expect(player.fact('Last event')).toHaveText('first reel stopped');
  await player.recordEvent('二番目 <b>reel</b>');
  const events = await player.events.allTextContents();

  await page.reload();
  await expect(player.status).toHaveText(`Resumed: round ${round} is still open. End it to play the next one.`);
  await expect(player.roundTitle).toHaveText(`Round ${round}`);
  await expect(player.fact('Last event')).toHaveText('二番目 <b>reel</b>');
  await expect(player.events).toHaveText(events);
  await expect(player.mode('BASE')).toBeDisabled();
  await expect(player.lower).toBeDisabled();
  await expect(player.higher).toBeDisabled();
  await player.expectBalance(OPENING_BALANCE - UNIT);

  await player.end();
  await player.expectBalance(await server.balanceOf(sessionID));
  await page.reload();
  await expect(player.status).toHaveText('Ready. Choose a bet and play a round.');
  await expect(player.roundTitle).toHaveText(`Round ${round}`);
  await expect(player.fact('State')).toHaveText('completed');
});

test('a second session of the player finds the round that the first one left open', async ({ player, server }) => {
  const token = `two-sessions-${crypto.randomUUID()}`;
  const first = await server.startSession({ token });
  await player.openReady(first.url);
  const round = await player.play('BONUS');

  const second = await server.startSession({ token });
  await player.open(second.url);
  await expect(player.status).toHaveText(`Resumed: round ${round} is still open. End it to play the next one.`);
  await player.end();
  await player.expectBalance(await server.balanceOf(second.sessionID));
});

test('two clicks at once play one round', async ({ player, server }) => {
  const { url, sessionID } = await server.startSession();
  await player.openReady(url);
  await player.mode('BASE').dblclick();
  await expect(player.status).toHaveText(/^Round \d+ pays/);
  await player.expectBalance(OPENING_BALANCE - UNIT);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT);
});

test('the balance can be requested again', async ({ player, server }) => {
  const token = `refreshed-${crypto.randomUUID()}`;
  const { url } = await server.startSession({ token });
  await player.openReady(url);
  await player.expectBalance(OPENING_BALANCE);
  await server.startSession({ token, setBalance: 7 * UNIT });
  await player.page.getByRole('button', { name: 'Refresh' }).click();
  await player.expectBalance(7 * UNIT);
});

test('the events of a book can be stepped through', async ({ player, server, page }) => {
  const { url } = await server.startSession();
  await player.openReady(url);
  await player.play('BONUS');
  const step = (name: string) => page.getByRole('button', { name, exact: true });
  const current = player.events.and(page.locator('.current'));
  await step('Last').click();
  await expect(current).toContainText('finalWin');
  await expect(step('Next')).toBeDisabled();
  await step('First').click();
  await expect(current).toContainText('reveal');
  await expect(step('Back')).toBeDisabled();
  await step('Next').click();
  await expect(player.events.nth(1)).toContainClass('current');
  await expect(page.getByRole('table', { name: 'Board of 3 reels' })).toBeVisible();
});

/** Plays `count` rounds in a mode. `price` is in units and is kept in micros. */
function rounds(count: number, mode: string, price: number): { mode: string; price: number }[] {
  return Array.from({ length: count }, () => ({ mode, price: price * UNIT }));
}
