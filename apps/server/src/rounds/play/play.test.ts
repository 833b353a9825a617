import { toMicros } from '@roundhouse/contract';
import { describe, expect, it, vi } from 'vitest';
import type { BearerSession } from '../wallets/wallet.ts';
import { type PlayDeps, play } from './play.ts';

describe('a play throws before it costs anything', () => {
  it.each([
    { why: 'a debit that is not exact', cost: '0.5', payoutMultiplier: 100n, message: '1 × 0.5 is not exact' },
    { why: 'a payout that is not exact', cost: '1', payoutMultiplier: 115n, message: '1 × 115/100 is not exact' },
  ])('$why', async ({ cost, payoutMultiplier, message }) => {
    const mode = { key: 'BASE', costMultiplier: cost, math: { readEvents: () => Buffer.from('[]') } };
    await expect(playOn({ modes: new Map([['BASE', mode]]), payoutMultiplier })).rejects.toThrow(message);
  });
});

it.each([
  { opened: { ok: false, refusal: 'round_active' }, released: 1 },
  { opened: { ok: true, replayed: false, roundID: 7n, balance: toMicros(0) }, released: 0 },
])('the drawn book is given up when, and only when, the play is refused', async ({ opened, released }) => {
  const mode = { key: 'BASE', costMultiplier: '1', math: { readEvents: () => Buffer.from('[]') } };
  const release = vi.fn();
  await playOn({ modes: new Map([['BASE', mode]]), opened, release });
  expect(release).toHaveBeenCalledTimes(released);
});

/** Plays one micro in BASE, in a game that allows any bet. */
function playOn({
  modes = new Map(),
  payoutMultiplier = 0n,
  opened = {},
  release = () => {},
}: Partial<Record<string, unknown>>) {
  const limits = { minBet: 1, maxBet: 10, stepBet: 1 };
  const game = { modes, betSettings: () => limits };
  const draw = { next: () => ({ book: { bookID: 1, position: 0, payoutMultiplier }, release }) };
  const wallet = { openRound: async () => opened };
  return play(
    { catalogue: { find: () => game }, draw, observeBookRead: () => {} } as unknown as PlayDeps,
    { currency: 'USD', jurisdiction: {}, wallet } as unknown as BearerSession,
    { amount: toMicros(1), mode: 'BASE', playKey: undefined, grantID: undefined },
  );
}
