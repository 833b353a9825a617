import { randomUUID } from 'node:crypto';
import { axeViolations } from '../support/axe.ts';
import { moneyText } from '../support/money.ts';
import type { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { recordCalls } from '../support/slotWire.ts';
import { Staff } from '../support/staff.ts';

// freeRounds.test.ts tests other offers, and ends of a grant, with the game's model.

test.use(SMALL);

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
const FREE_BET = 400_000;
const HOUR_MS = 3_600_000;

const button = ({ dialog, words }: SlotPage, key: string) =>
  dialog.getByRole('button', { name: words.say(key), exact: true });
const counter = ({ page, words }: SlotPage) => page.getByRole('status', { name: words.say('freeRounds'), exact: true });
const leftText = ({ words }: SlotPage, left: number, given: number) => words.say('freeRoundsLeft', { left, given });

test('an offer is accepted, its rounds are played at its bet, also over a reload, and the end says what they have won', async ({
  slot,
  server,
  page,
  stack,
}) => {
  const player = `free-${randomUUID()}`;
  const endsAt = new Date(Date.now() + HOUR_MS);
  const terms = { gameIDs: ['aurora-line'], mode: 'BASE', bets: { USD: FREE_BET }, rounds: 3, endsAt };
  const grants = [{ grantID: `grant-${randomUUID()}`, playerID: player, currency: 'USD' }];
  await Staff.of(stack).request('/admin/free-rounds/house/grants', { terms, grants, newPlayers: true });
  const { url, sessionID } = await server.startSession({ token: player, setBalance: OPENING_BALANCE });
  const calls = recordCalls(page);
  await slot.openIntro(url);
  await slot.enter();
  const offer = slot.dialogNamed('freeRoundsOffer_other', { count: 3 });
  await expect(offer).toBeVisible();
  await expect(offer).toContainText(moneyText(FREE_BET));
  expect(await axeViolations(page)).toEqual([]);
  // A space bar that is pressed to spin accepts nothing.
  await page.keyboard.press('Space');
  await expect(offer).toBeVisible();
  await button(slot, 'freeRoundsAccept').click();
  await expect(slot.dialog).toBeHidden();

  await expect(counter(slot)).toHaveText(leftText(slot, 3, 3));
  await slot.expectBet(FREE_BET);
  for (const key of [slot.raiseBet, slot.lowerBet, slot.chooseBet, slot.ante, slot.buy]) {
    for (const found of await key.all()) await expect(found).toBeDisabled();
  }
  expect(await axeViolations(page)).toEqual([]);

  const first = await slot.spinShort();
  await expect(counter(slot)).toHaveText(leftText(slot, 2, 3));
  await slot.expectBalance(OPENING_BALANCE + first.payout);
  await slot.forceShort();
  const second = await slot.begin();
  await page.reload();
  await slot.enter();
  await slot.expectReady();
  await expect(counter(slot)).toHaveText(leftText(slot, 1, 3));
  await expect(page.getByRole('status', { name: slot.words.say('totalWin'), exact: true })).toHaveText(
    moneyText(first.payout + second.payout),
  );

  await slot.ear.forget();
  await slot.forceShort();
  const third = await slot.begin();
  await expect(slot.dialogNamed('freeRoundsFinished')).toContainText(
    moneyText(first.payout + second.payout + third.payout),
  );
  expect(await axeViolations(page)).toEqual([]);
  const heard = await slot.ear.heard();
  expect(heard).toEqual(expect.arrayContaining(['Free round 3 of 3', slot.words.say('freeRoundsFinished')]));
  await button(slot, 'continuePlaying').click();
  await slot.expectReady();
  await slot.expectBet(UNIT);
  await expect(slot.raiseBet).toBeEnabled();
  const total = OPENING_BALANCE + first.payout + second.payout + third.payout;
  await slot.expectBalance(total);
  expect(await server.balanceOf(sessionID)).toBe(total);
  const plays = calls.filter(({ path }) => path === '/wallet/play');
  expect(new Set(plays.map(({ body }) => body.grantID)).size).toBe(1);
  expect(plays).toHaveLength(3);
});
