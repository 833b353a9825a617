import { randomUUID } from 'node:crypto';
import { BET_LEVELS, type DialectStack, startDialectStack } from '../support/dialectStack.ts';
import { RgsServer } from '../support/server.ts';
import { test as base, expect, SMALL } from '../support/slotTest.ts';

/** Each launches the slot in its own protocol, and its wallet keeps the money. */
const DIALECTS = ['hub88', 'pragmatic', 'softswiss'];
const GAME = { gameID: 'aurora-line', currency: 'USD' };
const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
const FREE_BET = 400_000;
const HOUR_MS = 3_600_000;

const test = base.extend<{ dialect: string; aggregator: DialectStack }>({
  dialect: ['', { option: true }],
  async aggregator({ dialect }, use) {
    const stack = await startDialectStack(dialect);
    await use(stack);
    await stack.stop();
  },
  server: async ({ aggregator }, use) => use(new RgsServer(aggregator.url, GAME.gameID)),
});

test.use(SMALL);

for (const dialect of DIALECTS) {
  test.describe(dialect, () => {
    test.use({ dialect });

    test('its launch opens the slot, which plays, wins, resumes and plays free rounds with its money', async ({
      slot,
      page,
      aggregator,
    }) => {
      test.slow();
      const player = randomUUID();
      const account = `/balance?player=${player}&currency=USD`;
      let balance = OPENING_BALANCE;
      const expectMoney = async () => {
        await slot.expectBalance(balance);
        await expect.poll(() => aggregator.control(account)).toEqual({ balance });
      };
      const launch = { ...GAME, player, language: 'en', device: 'desktop' };
      const { url } = await aggregator.control<{ url: string }>('/launch', launch);
      await slot.openReady(url);
      await expectMoney();
      const won = await slot.spinShort();
      expect(won.payout).toBeGreaterThan(0);
      balance += won.payout - UNIT;
      await expectMoney();

      await slot.forceShort();
      const open = await slot.begin();
      await page.reload();
      await slot.enter();
      await slot.expectReady();
      balance += open.payout - UNIT;
      await expectMoney();

      const endsAt = new Date(Date.now() + HOUR_MS).toISOString();
      const rounds = 2;
      const grant = { id: randomUUID(), player, ...GAME, bet: FREE_BET, rounds, endsAt, betLevels: BET_LEVELS };
      await aggregator.control('/free-rounds', grant);
      await page.reload();
      await slot.enter();
      await slot.expectReady();
      await slot.expectBet(FREE_BET);
      const counter = page.getByRole('status', { name: slot.words.say('freeRounds'), exact: true });
      await expect(counter).toHaveText(slot.words.say('freeRoundsLeft', { left: 2, given: 2 }));
      balance += (await slot.spinShort()).payout;
      await expect(counter).toHaveText(slot.words.say('freeRoundsLeft', { left: 1, given: 2 }));
      await slot.forceShort();
      balance += (await slot.begin()).payout;
      await expect(slot.dialogNamed('freeRoundsFinished')).toBeVisible();
      await page.getByRole('button', { name: slot.words.say('continuePlaying'), exact: true }).click();
      await slot.expectReady();
      await expectMoney();
      await slot.expectBet(UNIT);
      expect(await aggregator.control('/prove')).toEqual({ ok: true });
    });
  });
}
