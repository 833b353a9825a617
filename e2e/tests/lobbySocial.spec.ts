import { allTexts } from '../support/allTexts.ts';
import { LobbyPage } from '../support/lobbyPage.ts';
import { expect, HALF_PIXELS, test } from '../support/slotTest.ts';
import { SlotWords } from '../support/slotWords.ts';

test.use({
  ...HALF_PIXELS,
  viewport: { width: 1360, height: 860 },
  origins: async ({ server, lobbyUrl }, use) => use([server.origin, new URL(lobbyUrl).origin]),
});

test('in social mode an account in dollars has no sign of money, in the lobby and in its game', async ({
  page,
  lobbyUrl,
}) => {
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  await lobby.openOptions();
  await page.getByRole('switch', { name: 'Social mode' }).check({ force: true });
  await expect(lobby.balance).toHaveText('1,000.00 GC');
  await expect(lobby.options).toHaveText('Options USD · English · Desktop · Social mode');
  const seen: string[] = [];
  const listen = async (where: string) => {
    const texts = (await Promise.all(page.frames().map(allTexts))).flat();
    expect(texts.length).toBeGreaterThan(50);
    seen.push(...texts.filter((text) => /\p{Sc}/u.test(text)).map((text) => `${where}: ${text}`));
  };
  await lobby.play('Aurora Line');
  const words = new SlotWords('en', { social: true });
  const button = (key: string) =>
    lobby.game.getByRole('button', { name: words.say(key), exact: true, disabled: false });
  await button('play').click();
  await expect(button('spin')).toBeVisible();
  await lobby.openBench();
  // Beside the bench the game is narrow, and its balance can still be read.
  const coins = lobby.game.getByRole('status', { name: words.say('balance') });
  await expect(coins).toHaveText('1,000.00 GC');
  await expect.poll(async () => (await coins.boundingBox())?.height).toBeGreaterThan(12);
  await lobby.force('Loss');
  await button('spin').click();
  await expect
    .poll(() => lobby.statement())
    .toMatchObject([
      { what: 'Round closed', amount: '0.00 GC', balance: '999.00 GC' },
      { what: 'Play', amount: '−1.00 GC', balance: '999.00 GC' },
      { what: 'Coins added', amount: '+1,000.00 GC', balance: '1,000.00 GC' },
    ]);
  await page.getByLabel('New balance in USD').fill('12.34');
  await page.getByRole('button', { name: 'Set balance' }).click();
  await expect(page.getByText('The balance is 12.34 GC.')).toBeVisible();
  await listen('game and bench');

  await page.goto(`${lobbyUrl}/?view=cashier`);
  await expect(page.getByRole('button', { name: 'Get 100.00 GC' })).toBeVisible();
  await listen('cashier');
  expect(seen).toEqual([]);
});
