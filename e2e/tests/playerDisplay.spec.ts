import type { Locator } from '@playwright/test';
import { allTexts } from '../support/allTexts.ts';
import { expect, test } from '../support/test.ts';

test.use({ game: 'sample-lines' });

const UNIT = 1_000_000;

test('Japanese yen are shown without decimals', async ({ player, server, page }) => {
  const { url, sessionID } = await server.startSession({ currency: 'JPY', setBalance: 500_000 * UNIT });
  await player.openReady(url);
  await expect(player.balance).toHaveText('¥500,000');
  await expect(player.bet.getByRole('option')).toHaveText([
    ...['¥10', '¥20', '¥50', '¥100', '¥200', '¥500', '¥1,000', '¥2,000', '¥5,000', '¥10,000'],
  ]);
  await expect(player.mode('BONUS')).toContainText('¥10,000');
  await player.play('BASE');
  await expect(player.balance).toHaveText('¥499,900');
  await player.end();
  await player.expectBalance(await server.balanceOf(sessionID), 'JPY');
  await expect(page.getByRole('main')).not.toContainText(/¥[\d,]*\.\d/);
});

test('social coins are named, as the language writes them, and the bet is a play amount', async ({
  player,
  server,
  page,
}) => {
  const { url } = await server.startSession({ currency: 'XGC', social: true, language: 'de' });
  await player.openReady(url);
  await expect(player.balance).toHaveText('1.000,00 GC');
  await expect(page.getByRole('combobox', { name: 'Play amount' })).toBeVisible();
  await expect(player.bet).toBeHidden();
});

test('in social mode dollars have no sign of money', async ({ player, server, page }) => {
  const { url } = await server.startSession({ currency: 'USD', social: true });
  await player.openReady(url);
  await expect(player.balance).toHaveText('1,000.00 GC');
  await player.play('BASE');
  await player.end();
  expect((await allTexts(page)).filter((text) => /\p{Sc}/u.test(text))).toEqual([]);
});

test('a replay needs no session and moves no money', async ({ player, server, page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(request.url());
  });
  const { url } = await server.startSession();
  const bookID = 7;
  const book = await server.book(`sample-lines/1.1.0/BASE/${bookID}`);
  await player.open(replayUrl(url, { mode: 'BASE', event: String(bookID), amount: String(2 * UNIT) }));
  await expect(player.status).toHaveText('This is a replay. No money moves.');
  await expect(player.roundTitle).toHaveText(`Replay of book ${bookID}`);
  await expect(player.fact('Mode')).toHaveText('BASE');
  await expect(player.fact('Price')).toHaveText('1× = $2.00');
  await expect(player.fact('Pays')).toContainText(`${book.payoutMultiplier}× = $`);
  await expect(player.events).toHaveCount(book.state.length);
  await expect(player.events).toContainText(book.state.map(({ type }) => type));
  await expect(player.mode('BASE')).toBeHidden();
  expect(calls).toEqual([]);
});

test('a replay of a book that does not exist', async ({ player, server, watch }) => {
  watch.expectComplaint(/status of 404/);
  const { url } = await server.startSession();
  await player.open(replayUrl(url, { mode: 'BASE', event: '99999999' }));
  await expect(player.status).toHaveText('That did not work.');
  await expect(player.alert).not.toBeEmpty();
});

test('a round fits a desktop, a phone and a phone on its side', async ({ player, server, page }) => {
  const { url, sessionID } = await server.startSession();
  await server.forceNext({ sessionID, mode: 'BONUS', bookID: 7 });
  await player.openReady(url);
  const expectFit = async (...parts: Locator[]) => {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect(page.locator('html')).toHaveJSProperty('scrollWidth', width);
      for (const part of parts) await expect(part).toBeInViewport();
    }
  };
  await expectFit(player.balance, player.mode('BASE'));
  await player.play('BONUS');
  await expect(page.getByRole('table', { name: 'Board of 3 reels' })).toBeVisible();
  await player.recordEvent('first reel stopped');
  await expectFit();
  await player.end();
  await expectFit();
  await player.expectBalance(await server.balanceOf(sessionID));
});

function replayUrl(launchUrl: string, replay: Record<string, string>): string {
  const url = new URL(launchUrl);
  url.searchParams.delete('sessionID');
  const { pathname } = url;
  const [, game = '', version = ''] = pathname.split('/');
  const parameters = { replay: 'true', game, version, currency: 'USD', ...replay };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
