import { moneyText } from '../support/money.ts';
import { findBook } from '../support/slotBooks.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdRequests, recordCalls, withQuery } from '../support/slotWire.ts';

// The tests in src/game of the slot show what a round does in each mode, at each limit and after
// each failure. These show that page, picture and server play together.

test.use({ ...SMALL, speed: 1 });

const UNIT = 1_000_000;
const HUNDREDTH = UNIT / 100;
const OPENING_BALANCE = 1000 * UNIT;
const NAMES: Readonly<Record<string, string>> = {
  ...{ H1: 'Locomotive', H2: 'Pocket watch', H3: 'Lantern', H4: "Conductor's cap", W: 'Wild', S: 'Ticket' },
  ...{ L1: 'A', L2: 'K', L3: 'Q', L4: 'J', L5: '10' },
};

test('the printed launch URL opens the slot: a loss, a win that is paid when it has been shown, its replay, autoplay, and the way home', async ({
  slot,
  server,
  page,
  launchUrl,
}) => {
  const home = `${server.origin}/healthz`;
  const help = 'https://casino.example/limits';
  const sessionID = new URL(launchUrl).searchParams.get('sessionID') ?? '';
  const calls = recordCalls(page);
  await slot.openReady(withQuery(launchUrl, { returnURL: home, responsibleGamblingURL: help }));
  await expect(page).toHaveTitle('Aurora Line');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await slot.expectBet(UNIT);
  let balance = await server.balanceOf(sessionID);
  const expectBalance = async (change: number) => {
    balance += change;
    await slot.expectBalance(balance);
    expect(await server.balanceOf(sessionID)).toBe(balance);
  };
  await expectBalance(0);
  const plays = () => calls.filter(({ path }) => path === '/wallet/play').length;
  const force = async (payout: { from: number; to?: number }) => {
    const book = await findBook(server, 'BASE', { payout, freeSpins: 'none' });
    await server.forceNext({ sessionID, mode: 'BASE', bookID: book.bookID });
    await slot.ear.forget();
    return book.payoutHundredths * HUNDREDTH;
  };

  await test.step('a loss, which the server has closed with the play', async () => {
    await force({ from: 0 });
    expect(await slot.spin()).toMatchObject({ payout: 0, mode: 'BASE', amount: UNIT });
    await expectBalance(-UNIT);
    await expect(slot.win).toHaveText('$0.00');
    expect(await slot.ear.heard()).toEqual(['The reels are turning', 'No win']);
    expect(calls.map(({ path }) => path)).not.toContain('/wallet/end-round');
  });

  const board = page.getByRole('region', { name: 'Aurora Line' });
  const payout = await force({ from: 150, to: 900 });
  await test.step('a win', async () => {
    const held = await holdRequests(page, '/wallet/end-round');
    const { state } = await slot.begin();
    await held.arrived;
    // The whole round has been shown, and end-round has not been sent.
    await expect(slot.win).toHaveText(moneyText(payout));
    await expectBalance(-UNIT);
    held.release();
    await slot.expectReady();
    await expectBalance(payout);
    expect(await slot.ear.heard()).toContain(`Win ${moneyText(payout)}`);
    const reels = state.findLast(({ type }) => type === 'reveal')?.board as string[][];
    const words = reels.map((symbols, reel) => `Reel ${reel + 1}: ${symbols.map((code) => NAMES[code]).join(', ')}`);
    await expect(board).toHaveText(words.join('. '));
  });

  await test.step('its replay, after which the game is as it was', async () => {
    const words = (await board.textContent()) ?? '';
    await slot.menu.click();
    await slot.dialog.getByRole('button', { name: slot.words.say('history') }).click();
    const round = slot.dialogNamed('history').getByRole('listitem').first();
    await expect(round).toContainText(moneyText(payout));
    await round.getByRole('button').press('Enter');
    await expect(slot.dialog).toBeHidden();
    for (const gone of [slot.balance, slot.raiseBet, slot.buy, slot.ante, slot.autoplay])
      await expect(gone).toBeHidden();
    const card = page.getByRole('region', { name: 'Replay' });
    await expect(card).toContainText(moneyText(payout));
    await card.getByRole('button', { name: 'Back to the game' }).click();
    await slot.expectReady();
    await expect(board).toHaveText(words);
    await expectBalance(0);
  });

  await test.step('autoplay, until it is stopped', async () => {
    const { bookID } = await findBook(server, 'BASE', { payout: { from: 0 } });
    await page.route('**/wallet/play', async (route) => {
      await server.forceNext({ sessionID, mode: 'BASE', bookID });
      await route.continue();
    });
    const playedBefore = plays();
    await slot.autoplay.click();
    await slot.dialog
      .getByRole('group', { name: 'Number of spins' })
      .getByRole('radio', { name: '50', exact: true })
      .check();
    await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
    await expect(slot.dialog).toContainText('Start 50 automatic spins at $1.00 each?');
    await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
    const stop = page.getByRole('button', { name: 'Stop autoplay' });
    await expect(stop).toHaveAccessibleDescription(/^4\d spins left$/);
    await stop.click();
    await slot.expectReady();
    await expectBalance(-(plays() - playedBefore) * UNIT);
    await page.unrouteAll();
  });

  await test.step('what a symbol pays, and the pages of the operator', async () => {
    const bubble = page.locator('.payBubble');
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    await page.mouse.click(width / 2, height * 0.4);
    await expect(bubble).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(bubble).toBeHidden();
    await slot.menu.click();
    const link = slot.dialog.getByRole('link', { name: 'Responsible gambling (opens a new tab)' });
    await expect(link).toHaveAttribute('href', help);
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(link).toHaveAttribute('rel', /noopener/);
    await slot.dialog.getByRole('button', { name: 'Home', exact: true }).click();
    await page.waitForURL(home);
  });
});

test('free spins are bought at the price that is asked for, and a reload during them goes on at the spin that was recorded', async ({
  slot,
  server,
  page,
}) => {
  test.slow();
  const { url, sessionID } = await server.startSession();
  const book = await findBook(server, 'BONUS', { payout: { from: 2000, to: 7000 }, freeSpins: 10 });
  const payout = book.payoutHundredths * HUNDREDTH;
  await server.forceNext({ sessionID, mode: 'BONUS', bookID: book.bookID });
  await slot.openReady(url);
  await slot.hurry();
  // Nothing is recorded from the third free spin on.
  const third = book.events.find(({ type, spin }) => type === 'updateFreeSpin' && spin === 3);
  const thirdMark = `next:${third?.index}`;
  const reachedThird = page.waitForResponse((response) => response.request().postData()?.includes(thirdMark) ?? false);
  await page.route('**/bet/event', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response });
    if (route.request().postData()?.includes(thirdMark)) await page.route('**/bet/event', () => undefined);
  });
  await slot.buy.click();
  const question = slot.dialogNamed('buy');
  await expect(question).toContainText('Buy free spins for $80.00?');
  await expect(question).toContainText('That is 80× your bet of $1.00.');
  // The second tap of a double tap buys nothing.
  const confirm = question.getByRole('button', { name: 'Buy for $80.00' });
  await expect(confirm).toHaveCSS('animation', /awaken/);
  const round = await slot.begin(() => confirm.click());
  expect(round).toMatchObject({ mode: 'BONUS', amount: UNIT, costMultiplier: 80, payout });
  await reachedThird;
  await page.reload();
  await page.unrouteAll();

  const { round: open } = await server.authenticate(sessionID);
  expect(open).toMatchObject({ active: true, event: thirdMark });
  await expect(page.getByText('Your last round is still open. It continues where it was.')).toBeVisible();
  await slot.ear.forget();
  await slot.enter();
  await expect(slot.freeSpins).toHaveText(/^([3-9]|10) of 10$/);
  await slot.expectBalance(OPENING_BALANCE - 80 * UNIT);
  await slot.cutShort();

  await expect(slot.freeSpins).toBeHidden();
  await expect(slot.win).toHaveText(moneyText(payout));
  await slot.expectBalance(OPENING_BALANCE - 80 * UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - 80 * UNIT + payout);
  // Events that had been shown were set without being announced again.
  const spinsHeard = (await slot.ear.heard()).filter((text) => text.startsWith('Free spin '));
  expect(spinsHeard.slice(-8)).toEqual(Array.from({ length: 8 }, (_, place) => `Free spin ${place + 3} of 10`));
  const { round: ended } = await server.authenticate(sessionID);
  expect(ended).toMatchObject({ active: false });
});
