import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publishMath, type SeededRandom, seededRandom, type WeightedBook } from '@roundhouse/math';

/**
 * Each workload is one unit of work. A `play` is one request and a whole round, which the server
 * completes itself; a `fairPlay` is one with fair draws. A `round` is a play, then end-round with a
 * payout.
 */
export const WORKLOADS = ['play', 'fairPlay', 'round', 'authenticate', 'balance'] as const;
export type Workload = (typeof WORKLOADS)[number];

/** Every play bets this amount, in micros. */
export const BET_AMOUNT = 1_000_000;
/** Hundredths. A book of LOSE pays nothing and closes, one of WIN pays the bet back. */
const PAYOUT_MULTIPLIER = { LOSE: 0, WIN: 100 } as const;
export const CURRENCY = 'USD';
export const BOOKS_PER_MODE = 1_000;

/** The request is a POST; its body is the sessionID and these fields. */
type GameRequest = { path: string; fields: object };

const bet = (mode: keyof typeof PAYOUT_MULTIPLIER): GameRequest => ({
  path: '/wallet/play',
  fields: { amount: BET_AMOUNT, mode },
});

export const REQUESTS_OF: Readonly<Record<Workload, readonly [GameRequest, ...GameRequest[]]>> = {
  play: [bet('LOSE')],
  fairPlay: [bet('LOSE')],
  round: [bet('WIN'), { path: '/wallet/end-round', fields: {} }],
  authenticate: [{ path: '/wallet/authenticate', fields: {} }],
  balance: [{ path: '/wallet/balance', fields: {} }],
};

/** Returns the sessionID of a number, so that one statement makes a million (fillDatabase.ts). */
export function sessionOf(number: number): string {
  return createHash('sha256').update(`bench ${number}`).digest('hex').slice(0, 32);
}

/** Publishes two modes in which every outcome is known, so that each round costs the same. */
export async function writeBenchGame(folder: string): Promise<void> {
  const modes = (['LOSE', 'WIN'] as const).map((name) => ({
    name,
    cost: 1,
    books: equalBooks(PAYOUT_MULTIPLIER[name]),
  }));
  await publishMath(path.join(folder, 'math'), modes);
  const limits = { minBet: BET_AMOUNT, maxBet: BET_AMOUNT, stepBet: BET_AMOUNT };
  const game = {
    id: 'bench',
    version: '1.0.0',
    title: 'Bench',
    betLimits: { default: { ...limits, defaultBetLevel: BET_AMOUNT, betLevels: [BET_AMOUNT] } },
    modes: { LOSE: { autoClose: true }, WIN: { autoClose: false } },
  };
  await writeFile(path.join(folder, 'game.json'), JSON.stringify(game));
}

function* equalBooks(payoutMultiplier: number): Generator<WeightedBook> {
  for (let id = 1; id <= BOOKS_PER_MODE; id += 1) {
    yield { id, payoutMultiplier, weight: 1, events: bookEvents(id, { spins: 2, payoutMultiplier }) };
  }
}

const MOST_SPINS = 6;
const PAYS = [10, 20, 30, 50, 80, 100, 150, 500];
/** Weights reach far beyond 2^32, as those of tables that are tilted to an exact RTP do. */
const WEIGHT_STEPS = 2 ** 20;
const WEIGHT_STEP = 131_071;

/** Returns books of a slot with free spins, 1 to 9 KB each; they are the same at every call. */
export function* manyBooks(count: number): Generator<WeightedBook> {
  for (let id = 0; id < count; id += 1) {
    const random = seededRandom({ stream: 1, round: id });
    const payoutMultiplier = oneOf(random, PAYS);
    const events = bookEvents(id, { spins: 1 + random.below(MOST_SPINS), payoutMultiplier });
    yield { id, payoutMultiplier, events, weight: (1 + random.below(WEIGHT_STEPS)) * WEIGHT_STEP };
  }
}

const REELS = 5;
const ROWS = 5;
const STRIP_LENGTH = 220;
const SYMBOLS = ['L1', 'L2', 'L3', 'L4', 'L5', 'H1', 'H2', 'H3', 'H4', 'W', 'S'];
const STRIPS = Array.from({ length: REELS }, (_, reel) => {
  const random = seededRandom({ stream: 2, round: reel });
  return Array.from({ length: STRIP_LENGTH }, () => ({ name: oneOf(random, SYMBOLS) }));
});

/**
 * Returns about 1 KB a spin: a board from reel strips, wins with positions. They compress as
 * published ones do. The wins do not add up to the payout: the server does not read them.
 */
export function bookEvents(id: number, { spins, payoutMultiplier }: { spins: number; payoutMultiplier: number }) {
  const random = seededRandom({ stream: 3, round: id });
  const events: object[] = [];
  const add = (type: string, members: object) => events.push({ index: events.length, type, ...members });
  for (let spin = 0; spin < spins; spin += 1) {
    if (spin > 0) add('updateFreeSpin', { amount: spin - 1, total: spins - 1 });
    const paddingPositions = STRIPS.map(() => random.below(STRIP_LENGTH - ROWS + 1));
    const board = STRIPS.map((strip, reel) => strip.slice(paddingPositions[reel]).slice(0, ROWS));
    const gameType = spin === 0 ? 'basegame' : 'freegame';
    add('reveal', { board, paddingPositions, gameType, anticipation: [0, 0, 0, 0, random.below(2)] });
    add('winInfo', { wins: Array.from({ length: random.below(5) }, () => winOf(random)) });
    add('setTotalWin', { amount: payoutMultiplier });
  }
  add('finalWin', { amount: payoutMultiplier });
  return events;
}

function winOf(random: SeededRandom): object {
  const kind = 3 + random.below(REELS - 2);
  const positions = Array.from({ length: kind }, (_, reel) => ({ reel, row: random.below(ROWS) }));
  const win = oneOf(random, PAYS);
  const meta = { lineIndex: random.below(20), multiplier: 1, winWithoutMult: win, globalMult: 1, lineMultiplier: 1 };
  return { symbol: oneOf(random, SYMBOLS), kind, win, positions, meta };
}

function oneOf<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item;
}
