import { moneyText } from '../support/money.ts';
import { findBook } from '../support/slotBooks.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdRequests, recordCalls } from '../support/slotWire.ts';

test.use({ ...SMALL, speed: 1 });

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
/** A hundredth of the bet of one unit has so many micros. */
const HUNDREDTH = UNIT / 100;
const TIERS = /big win|mega win|epic win|maximum win/i;

test('BASE: a loss, a payout below the stake, a win that is paid when it has been shown, and a big win', async ({
  slot,
  server,
  page,
}) => {
  const calls = recordCalls(page);
  const { url, sessionID } = await server.startSession();
  await slot.openReady(url);
  let balance = OPENING_BALANCE;
  const expectBalance = async (change: number) => {
    balance += change;
    await slot.expectBalance(balance);
    expect(await server.balanceOf(sessionID)).toBe(balance);
  };
  const force = async (payout: { from: number; to?: number }) => {
    const book = await findBook(server, 'BASE', { payout, freeSpins: 'none' });
    await server.forceNext({ sessionID, mode: 'BASE', bookID: book.bookID });
    await slot.ear.forget();
    return book.payoutHundredths * HUNDREDTH;
  };

  await test.step('a loss', async () => {
    await force({ from: 0 });
    const round = await slot.spin();
    expect(round).toMatchObject({ payout: 0, mode: 'BASE', amount: UNIT });
    await expectBalance(-UNIT);
    await expect(slot.win).toHaveText('$0.00');
    expect(await slot.ear.heard()).toEqual(['The reels turn', 'No win']);
    // The server has closed it with the play.
    expect(calls.map(({ path }) => path)).not.toContain('/wallet/end-round');
  });

  await test.step('a payout below the stake', async () => {
    const payout = await force({ from: 10, to: 90 });
    await slot.spin();
    await expect(slot.win).toHaveText(moneyText(payout));
    await expectBalance(payout - UNIT);
    const heard = (await slot.ear.heard()).join(' ');
    expect(heard).toContain(moneyText(payout));
    expect(heard).not.toMatch(TIERS);
  });

  await test.step('a win', async () => {
    const payout = await force({ from: 150, to: 900 });
    const held = await holdRequests(page, '/wallet/end-round');
    await slot.begin();
    await held.arrived;
    // The whole round has been shown, and end-round has not been sent.
    await expect(slot.win).toHaveText(moneyText(payout));
    await expectBalance(-UNIT);
    held.release();
    await slot.expectReady();
    await expectBalance(payout);
    const heard = await slot.ear.heard();
    expect(heard).toContain(`Win ${moneyText(payout)}`);
    expect(heard.join(' ')).not.toMatch(TIERS);
  });

  await test.step('a big win', async () => {
    await slot.hurry();
    const payout = await force({ from: 1000, to: 1800 });
    await slot.begin();
    await slot.cutShort();
    await expect(slot.win).toHaveText(moneyText(payout));
    await expectBalance(payout - UNIT);
    const heard = (await slot.ear.heard()).join('; ');
    expect(heard).toContain('Big win');
    expect(heard).toContain(`Win ${moneyText(payout)}`);
  });
});

test('ANTE: a spin costs 1.25 bets, and 1.2 bets back are no celebration', async ({ slot, server, page }) => {
  const calls = recordCalls(page);
  const { url, sessionID } = await server.startSession();
  const book = await findBook(server, 'ANTE', { payout: { from: 100, to: 124 }, freeSpins: 'none' });
  const payout = book.payoutHundredths * HUNDREDTH;
  await server.forceNext({ sessionID, mode: 'ANTE', bookID: book.bookID });
  await slot.openReady(url);
  await expect(slot.ante).not.toBeChecked();
  await expect(slot.cost).toBeHidden();
  await slot.ante.click();
  await expect(slot.ante).toBeChecked();
  await expect(slot.cost).toHaveText('$1.25');
  await slot.ear.forget();

  const held = await holdRequests(page, '/wallet/end-round');
  const round = await slot.begin();
  expect(round).toMatchObject({ mode: 'ANTE', costMultiplier: 1.25, payout });
  await held.arrived;
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - 1.25 * UNIT);
  held.release();
  await slot.expectReady();
  expect((await slot.ear.heard()).join(' ')).not.toMatch(TIERS);
  expect(calls.find(({ path }) => path === '/wallet/play')?.body).toMatchObject({ amount: UNIT, mode: 'ANTE' });
  await slot.expectBalance(OPENING_BALANCE - 1.25 * UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - 1.25 * UNIT + payout);

  await slot.ante.click();
  await expect(slot.ante).not.toBeChecked();
  await expect(slot.cost).toBeHidden();
});

test('BONUS: bought after a question that names its price', async ({ slot, server, page }) => {
  test.slow();
  const calls = recordCalls(page);
  const { url, sessionID } = await server.startSession();
  const book = await findBook(server, 'BONUS', { payout: { from: 2000, to: 7000 }, freeSpins: 10 });
  await server.forceNext({ sessionID, mode: 'BONUS', bookID: book.bookID });
  const payout = book.payoutHundredths * HUNDREDTH;
  await slot.openReady(url);
  await slot.hurry();
  await slot.buy.click();
  const question = slot.dialogNamed('buy');
  await expect(question).toContainText('Buy free spins for $80.00?');
  await expect(question).toContainText('That is 80× your bet of $1.00.');
  // The second tap of a double tap buys nothing.
  const confirm = question.getByRole('button', { name: 'Buy for $80.00' });
  await expect(confirm).toHaveCSS('animation', /awaken/);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  expect(calls.map(({ path }) => path)).not.toContain('/wallet/play');

  await slot.ear.forget();
  await slot.buy.click();
  const round = await slot.begin(() => confirm.click());
  expect(round).toMatchObject({ mode: 'BONUS', amount: UNIT, costMultiplier: 80, payout });
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - 80 * UNIT);
  // Each spin is short at this pace, and each is announced.
  await expect(slot.freeSpins).toHaveText(/^\d+ of 10$/);
  await slot.expectBalance(OPENING_BALANCE - 80 * UNIT);
  await slot.cutShort();
  await slot.expectBalance(OPENING_BALANCE - 80 * UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - 80 * UNIT + payout);
  await expect(slot.freeSpins).toBeHidden();
  await expect(slot.win).toHaveText(moneyText(payout));
  expectEachFreeSpinHeard(await slot.ear.heard());
  // It paid less than it cost.
  expect((await slot.ear.heard()).join(' ')).not.toMatch(TIERS);
});

function expectEachFreeSpinHeard(heard: string[]): void {
  const spins = Array.from({ length: 10 }, (_, place) => `Free spin ${place + 1} of 10`);
  expect(heard.filter((text) => text.startsWith('Free spin '))).toEqual(spins);
}
