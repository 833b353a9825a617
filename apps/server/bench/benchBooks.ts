import { type SeededRandom, seededRandom, type WeightedBook } from '@roundhouse/math';

const REELS = 5;
const ROWS = 5;
const STRIP_LENGTH = 220;
/** One for each place on a strip: low symbols are common, wilds and scatters rare. */
const SYMBOLS = 'L1 L2 L3 L4 L5 L1 L2 L3 L4 L5 L3 L4 L5 H1 H2 H3 H4 H2 H3 H4 W S'.split(' ');
const PAYS = [10, 20, 30, 50, 80, 100, 150, 500];
const MOST_SPINS = 6;
/**
 * A lookup table's weights reach far beyond 2^32, as those of tables that are tilted to an exact
 * RTP do.
 */
const WEIGHT_STEPS = 2 ** 20;
const WEIGHT_STEP = 131_071;

/**
 * Books of a slot with free spins, 1 to 9 KB each: boards from reel strips, wins with their
 * positions. They pack as published ones do. The same at every call.
 */
export function* benchBooks(count: number): Generator<WeightedBook> {
  const random = seededRandom({ stream: 5, round: 1 });
  const strips = Array.from({ length: REELS }, () =>
    Array.from({ length: STRIP_LENGTH }, () => symbolOf(oneOf(random, SYMBOLS), random)),
  );
  for (let id = 0; id < count; id += 1) {
    const events: object[] = [];
    const add = (type: string, members: object) => events.push({ index: events.length, type, ...members });
    let payoutMultiplier = 0;
    const spins = 1 + random.below(MOST_SPINS);
    for (let spin = 0; spin < spins; spin += 1) {
      if (spin > 0) add('updateFreeSpin', { amount: spin - 1, total: spins - 1 });
      const paddingPositions = strips.map(() => random.below(STRIP_LENGTH - ROWS + 1));
      const board = strips.map((strip, reel) => strip.slice(paddingPositions[reel]).slice(0, ROWS));
      const gameType = spin === 0 ? 'basegame' : 'freegame';
      add('reveal', { board, paddingPositions, gameType, anticipation: [0, 0, 0, 0, random.below(2)] });
      const wins = Array.from({ length: Math.max(0, random.below(5) - 1) }, () => winOf(random));
      const totalWin = wins.reduce((sum, { win }) => sum + win, 0);
      payoutMultiplier += totalWin;
      if (wins.length > 0) add('winInfo', { totalWin, wins });
      add('setTotalWin', { amount: payoutMultiplier });
    }
    add('finalWin', { amount: payoutMultiplier });
    yield { id, payoutMultiplier, events, weight: (1 + random.below(WEIGHT_STEPS)) * WEIGHT_STEP };
  }
}

function symbolOf(name: string, random: SeededRandom): object {
  if (name === 'W') return { name, wild: true, multiplier: 1 + random.below(5) };
  return name === 'S' ? { name, scatter: true } : { name };
}

function winOf(random: SeededRandom) {
  const kind = 3 + random.below(REELS - 2);
  const positions = Array.from({ length: kind }, (_, reel) => ({ reel, row: random.below(ROWS) }));
  const win = oneOf(random, PAYS);
  const meta = { lineIndex: random.below(20), multiplier: 1, winWithoutMult: win, globalMult: 1, lineMultiplier: 1 };
  return { symbol: oneOf(random, SYMBOLS), kind, win, positions, meta };
}

function oneOf<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item;
}
