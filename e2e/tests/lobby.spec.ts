import { LobbyPage } from '../support/lobbyPage.ts';
import { findBook } from '../support/slotBooks.ts';
import { expect, test } from '../support/slotTest.ts';
import { SlotWords } from '../support/slotWords.ts';

test.use({
  framesPerSecond: 6,
  speed: 3,
  silent: true,
  viewport: { width: 1360, height: 860 },
  deviceScaleFactor: 0.5,
  contextOptions: { reducedMotion: 'reduce' },
  origins: async ({ server, lobbyUrl }, use) => use([server.origin, new URL(lobbyUrl).origin]),
});

// One after the other: the faults of the wallet are those of the one operator.
test.describe.configure({ mode: 'default' });

const GAME_WIRE_FAILED = /console error: Failed to load resource: the server responded with a status of 500/;

/** Through the intro of the game in the frame. */
async function enter(lobby: LobbyPage): Promise<void> {
  await lobby.game.getByRole('button', { name: 'Play', exact: true }).click({ timeout: 60_000 });
  await expect(spinKey(lobby)).toBeVisible({ timeout: 60_000 });
}

const spinKey = (lobby: LobbyPage) => lobby.game.getByRole('button', { name: 'Spin', exact: true, disabled: false });

test('launch from the lobby, play, and the statement shows each wallet transaction', async ({
  page,
  lobbyUrl,
  server,
}) => {
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  await lobby.play('Aurora Line');
  await enter(lobby);
  await expect(lobby.game.getByRole('status', { name: 'Balance' })).toHaveText('$1,000.00');
  await lobby.openBench();

  await lobby.force('Loss');
  await spinKey(lobby).click();
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
});

test('an answer of the wallet that is lost after a bet was taken: the bet comes back, and the balance rights itself', async ({
  page,
  lobbyUrl,
  watch,
}) => {
  watch.expectComplaints(GAME_WIRE_FAILED);
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  await lobby.play('Aurora Line');
  await enter(lobby);
  await lobby.openBench();
  await lobby.force('Loss');
  await lobby.switchFault('Answer lost', '/debit');
  await spinKey(lobby).click();
  // The game repeats its play with the same key: the lost bet is rolled back, and one bet counts.
  await expect
    .poll(async () => (await lobby.statement()).map(({ what }) => what).sort(), { timeout: 60_000 })
    .toEqual(['Bet', 'Bet', 'Bet returned', 'Deposit', 'Round closed']);
  await expect(lobby.balance).toHaveText('$999.00');
  await expect(spinKey(lobby)).toBeVisible({ timeout: 60_000 });
  // The game may have read its balance before the rollback. Its next spin shows the right one.
  await lobby.force('Loss');
  await spinKey(lobby).click();
  await expect(lobby.balance).toHaveText('$998.00');
  await expect(spinKey(lobby)).toBeVisible({ timeout: 60_000 });
  await expect(lobby.game.getByRole('status', { name: 'Balance' })).toHaveText('$998.00');
});

test('an answer that is lost after a payout: the same credit again, once', async ({ page, lobbyUrl, watch }) => {
  watch.expectComplaints(GAME_WIRE_FAILED);
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  await lobby.play('Aurora Line');
  await enter(lobby);
  await lobby.openBench();
  await lobby.force('Small win');
  await lobby.switchFault('Answer lost', '/credit');
  await spinKey(lobby).click();
  await expect
    .poll(async () => (await lobby.statement()).map(({ what }) => what), { timeout: 60_000 })
    .toEqual(['Win', 'Bet', 'Deposit']);
  await expect(spinKey(lobby)).toBeVisible({ timeout: 60_000 });
  const [win] = await lobby.statement();
  await expect(lobby.balance).toHaveText(win?.balance ?? '');
  await expect(lobby.game.getByRole('status', { name: 'Balance' })).toHaveText(win?.balance ?? '');
});

test('a game opens on a mobile frame, in the language and the demands that were chosen', async ({ page, lobbyUrl }) => {
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  await page.getByLabel('Language').selectOption({ label: 'German' });
  await page.getByRole('radio', { name: 'Mobile' }).first().check({ force: true });
  await page.getByText('Jurisdiction').first().click();
  await page.getByRole('switch', { name: 'No autoplay' }).check({ force: true });
  await lobby.play('Aurora Line');
  await expect(page.getByTestId('frame')).toHaveAttribute('data-device', 'mobile');
  const words = new SlotWords('de');
  const button = (key: string) => lobby.game.getByRole('button', { name: words.say(key), exact: true });
  await button('play').click({ timeout: 60_000 });
  await expect(button('spin')).toBeVisible({ timeout: 60_000 });
  await expect(button('autoplay')).toHaveCount(0);
});

test('a balance that is set at the bench is what the game has', async ({ page, lobbyUrl }) => {
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  await lobby.openBench();
  await page.getByLabel('New balance in USD').fill('12.34');
  await page.getByRole('button', { name: 'Set balance' }).click();
  await expect(lobby.balance).toHaveText('$12.34');
  await lobby.play('Aurora Line');
  await enter(lobby);
  await expect(lobby.game.getByRole('status', { name: 'Balance' })).toHaveText('$12.34');
});

test.describe('a game without a front end', () => {
  test.use({ game: 'sample' });

  test('opens on the page for such games, and its money is the operator’s too', async ({ page, lobbyUrl }) => {
    const lobby = new LobbyPage(page);
    await lobby.open(lobbyUrl);
    const [name] = await page
      .getByRole('button', { name: /^Play / })
      .evaluateAll((keys) => keys.map((key) => key.getAttribute('aria-label') ?? key.textContent ?? ''));
    await expect(page.getByText('Test page').first()).toBeVisible();
    await page.getByRole('button', { name: name ?? '' }).click();
    await expect(lobby.game.getByText('1,000.00').first()).toBeVisible({ timeout: 60_000 });
  });
});
