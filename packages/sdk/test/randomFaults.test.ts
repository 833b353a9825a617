import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRgsError } from '../src/index.ts';
import type { Fault } from './support/faultProxy.ts';
import { expectTruth, type Game, openedBetIDs, startGame } from './support/games.ts';
import { rgs } from './support/rgs.ts';
import { BOOK, UNIT } from './support/testGames.ts';

const BETS = [
  { amount: UNIT, mode: 'BASE' },
  { amount: 2 * UNIT, mode: 'ANTE' },
  { amount: UNIT, mode: 'AUTO' },
];
const START = 1000 * UNIT;
const PATHS = ['/wallet/authenticate', '/wallet/balance', '/wallet/play', '/wallet/end-round', '/bet/event'] as const;
const FAULTS = [
  'lostRequest',
  'heldRequest',
  'lostResponse',
  'cutBody',
  'malformedResponse',
  'badGateway',
  'serverError',
  { status: 400, body: { error: 'ERR_IS', message: 'timed out' } },
  { status: 500, body: { error: 'ERR_MAINTENANCE', message: 'later' } },
] as const satisfies readonly Fault[];

const step = fc.record({
  action: fc.constantFrom('spin', 'spin', 'spin', 'endRound', 'event', 'balance', 'authenticate', 'reload'),
  bet: fc.constantFrom(...BETS),
  book: fc.constantFrom(...Object.values(BOOK)),
  faults: fc.array(fc.record({ path: fc.constantFrom(...PATHS), fault: fc.constantFrom<Fault>(...FAULTS) }), {
    maxLength: 6,
  }),
  /** The player does this after a spin that failed. */
  afterFailure: fc.constantFrom('again', 'reload', 'otherBet'),
  deliversHeld: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * A player spins until the spin is there, through whatever fails. The type holds what is known of
 * the player without the client.
 */
type Player = { game: Game; spins: number; shown: Set<number>; balanceAtLoad: number };

it('after every failure authenticate makes the state true, and each spin is debited once', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
    const game = await startGame({ setBalance: START, options: { maxRetries: 1 } });
    const player: Player = { game, spins: 0, shown: new Set(), balanceAtLoad: START };
    for (const each of steps) {
      for (const { path, fault } of each.faults) game.proxy.fail(path, fault);
      await act(player, each);
      await recover(player, each);
      await expectTruth(game);
      const { balance, netPositionMicros } = game.client.state;
      expect(netPositionMicros).toBe((balance?.amount ?? 0) - player.balanceAtLoad);
      expect(openedBetIDs(game.proxy)).toEqual([...player.shown]);
      expect(player.shown.size).toBe(player.spins);
    }
  });
  await fc.assert(property, { numRuns: 20 });
});

async function act(player: Player, what: Step): Promise<void> {
  const { game } = player;
  if (what.action === 'spin') return spin(player, what);
  if (what.action === 'reload') return reload(player);
  if (what.action === 'event') return settle(game.client.event('picked'));
  return settle(game.client[what.action]());
}

async function spin(player: Player, what: Step): Promise<void> {
  const { game } = player;
  // An ordinary game does this first: it finishes the open round.
  if (game.client.state.activeRound) return settle(game.client.endRound());
  await rgs.force(game.session, what.bet.mode, what.book);
  const before = game.client.state.round?.betID;
  player.spins += 1;
  let bet = what.bet;
  for (;;) {
    const played = await game.client.play(bet).catch((error) => {
      expect(isRgsError(error)).toBe(true);
      return undefined;
    });
    if (played) {
      player.shown.add(played.round.betID);
      return;
    }
    if (what.afterFailure === 'reload') await reload(player);
    if (what.afterFailure === 'otherBet') bet = BETS[(BETS.indexOf(bet) + 1) % BETS.length] ?? bet;
    await recover(player, what);
    const { round } = game.client.state;
    if (round && round.betID !== before) {
      player.shown.add(round.betID);
      return;
    }
  }
}

/** The network is well again, and the client authenticates if its state says that it must. */
async function recover({ game }: Player, { deliversHeld }: Step): Promise<void> {
  game.proxy.heal();
  if (deliversHeld) await game.proxy.deliverHeld();
  // The client cannot know what arrived without its request.
  if (deliversHeld || game.client.state.needsAuthenticate) await game.client.authenticate();
  await game.client.balance();
}

async function reload(player: Player): Promise<void> {
  player.balanceAtLoad = (await rgs.truth(player.game.session)).balance.amount;
  player.game.proxy.heal();
  await player.game.reload().authenticate();
}

async function settle(call: Promise<unknown>): Promise<void> {
  await call.catch((error) => expect(isRgsError(error)).toBe(true));
}
