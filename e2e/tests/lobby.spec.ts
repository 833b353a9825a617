import { LobbyPage } from '../support/lobbyPage.ts';
import { findBook } from '../support/slotBooks.ts';
import { expect, HALF_PIXELS, test } from '../support/slotTest.ts';
import { SlotWords } from '../support/slotWords.ts';

test.use({
  ...HALF_PIXELS,
  viewport: { width: 1360, height: 860 },
  origins: async ({ server, lobbyUrl }, use) => use([server.origin, new URL(lobbyUrl).origin]),
});

const GAME_WIRE_FAILED = /console error: Failed to load resource: the server responded with a status of 500/;

/** Goes through the intro of the game in the frame. */
async function enter(lobby: LobbyPage): Promise<void> {
  await lobby.game.getByRole('button', { name: 'Play', exact: true }).click({ timeout: 60_000 });
  await expect(spinKey(lobby)).toBeVisible({ timeout: 60_000 });
}

const spinKey = (lobby: LobbyPage) => lobby.game.getByRole('button', { name: 'Spin', exact: true, disabled: false });

test('launch from the lobby, play, and the statement shows each wallet transaction, also one whose response is lost', async ({
  page,
  lobbyUrl,
  server,
  watch,
}) => {
  watch.expectComplaints(GAME_WIRE_FAILED);
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  await lobby.play('Aurora Line');
  await enter(lobby);
  await expect(lobby.game.getByRole('status', { name: 'Balance' })).toHaveText('$1,000.00');
  await lobby.openBench();

  await lobby.force('Loss');
  // After an action of the bench the game has the keyboard.
  await page.keyboard.press('Space');
  await expect.poll(() => lobby.statement()).toHaveLength(3);
  expect(await lobby.statement()).toMatchObject([
    { what: 'Round closed', balance: '$999.00' },
    { what: 'Bet', amount: '−$1.00', balance: '$999.00' },
    { what: 'Deposit', amount: '+$1,000.00', balance: '$1,000.00' },
  ]);
  await expect(lobby.balance).toHaveText('$999.00');

  await expect(spinKey(lobby)).toBeVisible();
  const { bookID } = await findBook(server, 'BASE', { payout: { from: 150, to: 300 }, freeSpins: 'none' });
  await lobby.forceBook(bookID);
  await spinKey(lobby).click();
  await expect(lobby.game.getByRole('status', { name: 'Balance' })).toHaveText('$998.00');
  await expect.poll(async () => (await lobby.statement())[0]?.what, { timeout: 60_000 }).toBe('Win');
  const [win] = await lobby.statement();
  await expect(lobby.balance).toHaveText(win?.balance ?? '');
  await expect(spinKey(lobby)).toBeVisible({ timeout: 60_000 });
  await expect(lobby.game.getByRole('status', { name: 'Balance' })).toHaveText(win?.balance ?? '');

  await lobby.force('Loss');
  await lobby.switchFault('Response lost', '/debit');
  await expect(page.getByTestId('faultStrip')).toContainText('Response lost Wallet wire · /debit · 1 request left');
  await spinKey(lobby).click();
  // The game repeats its play with the same key: the lost bet is rolled back, and one bet counts.
  await expect
    .poll(
      async () =>
        (await lobby.statement())
          .slice(0, 4)
          .map(({ what }) => what)
          .sort(),
      { timeout: 60_000 },
    )
    .toEqual(['Bet', 'Bet', 'Bet returned', 'Round closed']);
  await expect(page.getByTestId('faultStrip')).toHaveCount(0);
  await expect(spinKey(lobby)).toBeVisible({ timeout: 60_000 });
});

test('a game opens in the size, language, jurisdiction, draws and balance that were chosen', async ({
  page,
  lobbyUrl,
  server,
}) => {
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  const tile = page.getByRole('article', { name: 'Aurora Line' });
  await expect(tile.getByText('Provably fair')).toBeHidden();
  await lobby.openOptions();
  await page.getByLabel('Language').selectOption({ label: 'German' });
  await page.getByRole('radio', { name: 'Mobile' }).first().check({ force: true });
  await page.getByRole('switch', { name: 'Provably fair draws' }).click();
  await page.getByText('Jurisdiction').first().click();
  await page.getByRole('switch', { name: 'No autoplay' }).check({ force: true });
  await expect(lobby.options).toContainText('Provably fair draws');
  await expect(tile.getByText('Provably fair')).toBeVisible();
  expect(await tile.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(1);
  await lobby.openBench();
  await page.getByLabel('New balance in USD').fill('12.34');
  await page.getByRole('button', { name: 'Set balance' }).click();
  await expect(lobby.balance).toHaveText('$12.34');

  await lobby.play('Aurora Line');
  await expect(page.getByTestId('draws')).toHaveText('Provably fair draws');
  await expect(page.getByTestId('frame')).toHaveAttribute('data-device', 'mobile');
  await expect(page.getByRole('link', { name: 'Verifier' })).toHaveAttribute(
    'href',
    `${server.origin}/fairness/verifier`,
  );
  const words = new SlotWords('de');
  const button = (key: string) => lobby.game.getByRole('button', { name: words.say(key), exact: true });
  await button('play').click({ timeout: 60_000 });
  await expect(button('spin')).toBeVisible({ timeout: 60_000 });
  await expect(button('autoplay')).toHaveCount(0);
  await expect(lobby.game.getByRole('status', { name: words.say('balance'), exact: true })).toHaveText(/^12,34.\$$/);
  await button('menu').click();
  await button('fairness').click();
  await expect(lobby.game.getByRole('dialog', { name: words.say('fairness') })).toContainText(/[0-9a-f]{64}/);
});

test('a game without a front end opens on the test page, where the operator pays the bets of free rounds', async ({
  page,
  lobbyUrl,
}) => {
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  await expect(page.getByRole('article', { name: 'Sample Lines' }).getByText('Test page').first()).toBeVisible();
  await lobby.play('Sample Lines');
  await expect(lobby.game.getByText('1,000.00').first()).toBeVisible({ timeout: 60_000 });
  const play = lobby.game.getByRole('group', { name: 'Play a round' }).getByRole('button').first();
  await expect(play).toBeVisible({ timeout: 60_000 });
  await lobby.openBench();
  // A game that knows no grants plays them as well.
  await page.getByRole('switch', { name: 'Used without a grant id' }).check({ force: true });
  await page.getByRole('button', { name: 'Give 5 at $1.00' }).click();
  await expect(page.getByText(/^5 free rounds of .* given\.$/)).toBeVisible();
  await expect(play).toBeEnabled({ timeout: 60_000 });
  await lobby.force('Loss');
  await play.click();
  const free = async () => (await lobby.statement()).find(({ what }) => what === 'Free round');
  await expect.poll(free).toMatchObject({ amount: '$0.00', balance: '$1,000.00' });
  await expect(lobby.balance).toHaveText('$1,000.00');
});
