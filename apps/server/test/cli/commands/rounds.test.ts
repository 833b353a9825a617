import { describe, expect, it } from 'vitest';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { giveGrant } from '../../support/grants.ts';
import { useBooks } from './books.ts';

const books = useBooks();
const interrupted = (...args: string[]) => books.succeed('rounds', 'interrupted', ...args);
const HOUR_MS = 3_600_000;

describe('roundhouse rounds interrupted', () => {
  it('lists open rounds with the time at which they are due, and those that the server has completed', async () => {
    expect(await interrupted()).toBe('No round is interrupted.\n');
    const player = await books.player(await books.seamlessOperator('acme', 'http://127.0.0.1:9'), 'anna');
    const { round } = await books.round(player, [{ kind: 'debit' }], { payout: 12_500_000n });
    const openedAt = new Date(Date.now() - 2 * HOUR_MS);
    const change = (data: object) => books.db.round.update({ where: { id: round.id }, data });
    await change({ openedAt, endedAt: null, walletState: 'debited' });
    const head = `${round.id}  a-game, player anna of acme, bet 1.00 USD, pays 12.50\n  since ${openedAt.toISOString()}, `;
    expect(await interrupted()).toBe(`${head}open, waits for the player\n`);

    await setOperator(books.db, 'acme', { completeRoundsAfterHours: 24 });
    const dueAt = new Date(openedAt.getTime() + 24 * HOUR_MS);
    expect(await interrupted()).toBe(`${head}open, due ${dueAt.toISOString()}\n`);

    await change({ endedAt: new Date(), walletState: 'credited', autoCompletedAt: dueAt });
    expect(await interrupted()).toBe(`${head}completed ${dueAt.toISOString()}\n`);
    await change({ openedAt: new Date(Date.now() - 49 * HOUR_MS) });
    expect(await interrupted('--days', '2')).toBe('No round is interrupted.\n');

    const externalId = await giveGrant(books.db, { accountID: round.accountId, gameID: round.gameId });
    const grant = await books.db.grant.findFirstOrThrow({ where: { externalId } });
    await change({ grantId: grant.id });
    expect(await interrupted()).toContain(`of acme, free round of grant ${externalId}, bet 1.00 USD, pays 12.50\n`);
  });
});

describe('roundhouse rounds complete', () => {
  it('completes an open round once, and a person is its actor', async () => {
    const player = await books.player(await books.seamlessOperator('bravo', 'http://127.0.0.1:9'), 'berta');
    const { round } = await books.round(player, [{ kind: 'debit' }], { payout: 2_000_000n });
    await books.db.round.update({ where: { id: round.id }, data: { endedAt: null, walletState: 'debited' } });
    const words = ['rounds', 'complete', String(round.id), '--reason', 'gone for a week'] as const;
    expect(await books.succeed(...words)).toBe(`Round ${round.id} is completed.\n`);
    expect(await books.db.walletTransaction.findFirst({ where: { roundId: round.id, kind: 'credit' } })).toMatchObject({
      ...{ state: 'pending', amountMicros: 2_000_000n },
    });
    await books.expectRefused(
      `rounds complete ${round.id} --reason again`,
      /^Round \d+ is completed already, or its payout is in progress\.\n$/,
    );
    await books.expectRefused('rounds complete 999999 --reason none', /^Round 999999 does not exist\.\n$/);
    const events = await listEvents(books.db, { kind: 'round_completed' });
    expect(events).toMatchObject([{ actor: expect.stringMatching(/^person:/), subject: `round ${round.id}` }]);
    expect(events[0]?.after).toContain('gone for a week');
  });
});
