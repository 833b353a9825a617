import { randomUUID } from 'node:crypto';
import type { Locator } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { cancelFreeRounds, giveFreeRounds } from '../support/freeRounds.ts';
import { moneyText } from '../support/money.ts';
import type { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { recordCalls } from '../support/slotWire.ts';

test.use(SMALL);

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
const FREE_BET = 400_000;

const newPlayer = () => `free-${randomUUID()}`;
const button = ({ dialog, words }: SlotPage, key: string) =>
  dialog.getByRole('button', { name: words.say(key), exact: true });
const counter = ({ page, words }: SlotPage) => page.getByRole('status', { name: words.say('freeRounds'), exact: true });
const leftText = ({ words }: SlotPage, left: number, given: number) => words.say('freeRoundsLeft', { left, given });

/** Expects the offer, with its text for screen readers. */
async function expectOffer(slot: SlotPage, count: number): Promise<Locator> {
  const offer = slot.dialogNamed(count === 1 ? 'freeRoundsOffer_one' : 'freeRoundsOffer_other', { count });
  await expect(offer).toBeVisible();
  return offer;
}

async function accept(slot: SlotPage): Promise<void> {
  await button(slot, 'freeRoundsAccept').click();
  await expect(slot.dialog).toBeHidden();
}

test('an offer is accepted, its rounds are played at its bet, also over a reload, and the end says what they have won', async ({
  slot,
  server,
  page,
}) => {
  const player = newPlayer();
  await giveFreeRounds({ player, rounds: 3 });
  const { url, sessionID } = await server.startSession({ token: player, setBalance: OPENING_BALANCE });
  const calls = recordCalls(page);
  await slot.openIntro(url);
  await slot.enter();
  const offer = await expectOffer(slot, 3);
  await expect(offer).toContainText(moneyText(FREE_BET));
  expect(await axeViolations(page)).toEqual([]);
  // A space bar that is pressed to spin accepts nothing.
  await page.keyboard.press('Space');
  await expect(offer).toBeVisible();
  await accept(slot);

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

test('free rounds that are kept for later wait behind a mark, also over a reload; the wins of the grant come at its end', async ({
  slot,
  server,
  page,
}) => {
  const player = newPlayer();
  await giveFreeRounds({ player, rounds: 1, paidAtEnd: true });
  const { url } = await server.startSession({ token: player, setBalance: OPENING_BALANCE });
  await slot.openIntro(url);
  await slot.enter();
  await expectOffer(slot, 1);
  await page.keyboard.press('Escape');
  await expect(slot.dialog).toBeHidden();
  const paid = await slot.spinShort();
  await slot.expectBalance(OPENING_BALANCE - UNIT + paid.payout);
  await page.reload();
  await slot.enter();
  await slot.expectReady();
  await page.getByRole('button', { name: `${slot.words.say('freeRounds')}: 1` }).click();
  await expectOffer(slot, 1);
  await accept(slot);
  await slot.forceShort();
  const free = await slot.begin();
  await expect(slot.dialogNamed('freeRoundsFinished')).toBeVisible();
  await slot.expectBalance(OPENING_BALANCE - UNIT + paid.payout + free.payout);

  await button(slot, 'continuePlaying').click();
  await slot.menu.click();
  await button(slot, 'history').click();
  const lines = slot.dialogNamed('history').getByRole('listitem');
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText(slot.words.say('freeRound'));
  await expect(lines.last()).not.toContainText(slot.words.say('freeRound'));
});

test('declining asks first, and leads to the next grant', async ({ slot, server, page }) => {
  const player = newPlayer();
  await giveFreeRounds({ player, rounds: 2 });
  await giveFreeRounds({ player, rounds: 4 });
  const { url } = await server.startSession({ token: player, setBalance: OPENING_BALANCE });
  await slot.openIntro(url);
  await slot.enter();
  await expectOffer(slot, 2);
  await button(slot, 'freeRoundsDecline').click();
  await expect(slot.dialogNamed('freeRounds')).toContainText(slot.words.say('freeRoundsDeclineQuestion'));
  await button(slot, 'cancel').click();
  await expectOffer(slot, 2);
  await button(slot, 'freeRoundsDecline').click();
  await button(slot, 'freeRoundsDecline').click();
  await expectOffer(slot, 4);
  await page.reload();
  await slot.enter();
  await expectOffer(slot, 4);
});

test('an offer that expires while its dialog is open, and free rounds that are cancelled in the middle: the game says so, and bets nothing', async ({
  slot,
  server,
  page,
  watch,
}) => {
  watch.expectComplaint(/status of 400/);
  const player = newPlayer();
  await giveFreeRounds({ player, endsInMs: 15_000 });
  const { url, sessionID } = await server.startSession({ token: player, setBalance: OPENING_BALANCE });
  await slot.openIntro(url);
  await slot.enter();
  await expectOffer(slot, 3);
  await expect(slot.dialogNamed('freeRoundsExpired')).toBeVisible();
  await expect(slot.dialog).toContainText(slot.words.say('freeRoundsNext'));
  await button(slot, 'continuePlaying').click();
  await slot.expectReady();
  await slot.expectBet(UNIT);

  const grantID = await giveFreeRounds({ player });
  await page.reload();
  await slot.enter();
  await expectOffer(slot, 3);
  await accept(slot);
  const { payout } = await slot.spinShort();
  await cancelFreeRounds(grantID);
  await slot.readyKey.click();
  await expect(slot.dialogNamed('freeRoundsCancelled')).toContainText(moneyText(payout));
  await button(slot, 'continuePlaying').click();
  await slot.expectReady();
  await slot.expectBet(UNIT);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE + payout);
});

test('an automatic grant is played at its bet without an offer, and an autoplay ends with it', async ({
  slot,
  server,
}) => {
  const player = newPlayer();
  await giveFreeRounds({ player, rounds: 1, automatic: true });
  const { url, sessionID } = await server.startSession({ token: player, setBalance: OPENING_BALANCE });
  await slot.openIntro(url);
  await slot.enter();
  await slot.expectReady();
  await expect(counter(slot)).toHaveText(leftText(slot, 1, 1));
  await slot.expectBet(FREE_BET);
  await slot.forceShort();
  await slot.autoplay.click();
  await button(slot, 'autoplayStart').click();
  await expect(slot.dialog).toContainText(slot.words.say('freeRoundsAutoplay'));
  const { payout } = await slot.begin(() => button(slot, 'autoplayStart').click());
  await expect(slot.dialogNamed('freeRoundsFinished')).toBeVisible();
  await button(slot, 'continuePlaying').click();
  await slot.expectReady();
  await slot.expectBet(UNIT);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE + payout);
});
