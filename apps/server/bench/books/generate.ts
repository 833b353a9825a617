import { type SeededRandom, seededRandom } from '@roundhouse/math';

const REELS = 5;
const ROWS = 5;
const STRIP_LENGTH = 220;
/** One for each place on a strip: low symbols are common, wilds and scatters rare. */
const SYMBOLS = 'L1 L2 L3 L4 L5 L1 L2 L3 L4 L5 L3 L4 L5 H1 H2 H3 H4 H2 H3 H4 W S'.split(' ');
const PAYS = [10, 20, 30, 50, 80, 100, 150, 500];
const MOST_SPINS = 6;
/** A lookup table's weights reach far beyond 2^32, as those of tools that tilt a table to an exact RTP do. */
const WEIGHT_STEPS = 2 ** 20;
const WEIGHT_STEP = 131_071;

/** A line of a book file and its row of the lookup table, each without its line feed. */
export type BookText = { book: string; row: string };

type Spins = { random: SeededRandom; strips: readonly string[][]; events: string[]; totalWin: number };

/**
 * Books of a slot with free spins, 4 KB each in the mean and 1 to 9 KB long: boards from reel strips, wins with their
 * positions. They look and pack as published ones do, with the blanks that Python's JSON has. The same at every call.
 */
export function* benchBooks(count: number): Generator<BookText> {
  const random = seededRandom({ stream: 5, round: 1 });
  const strips = Array.from({ length: REELS }, () =>
    Array.from({ length: STRIP_LENGTH }, () => symbolText(oneOf(random, SYMBOLS), random)),
  );
  for (let id = 0; id < count; id += 1) {
    const { events, totalWin } = playSpins({ random, strips, events: [], totalWin: 0 });
    const wins = `"baseGameWins": 0.0, "freeGameWins": ${totalWin / 100}`;
    const criteria = `"criteria": "${totalWin === 0 ? '0' : 'freegame'}"`;
    yield {
      book: `{"id": ${id}, "payoutMultiplier": ${totalWin}, "events": [${events.join(', ')}], ${criteria}, ${wins}}`,
      row: `${id},${(1 + random.below(WEIGHT_STEPS)) * WEIGHT_STEP},${totalWin}`,
    };
  }
}

function symbolText(name: string, random: SeededRandom): string {
  if (name === 'W') return `{"name": "W", "wild": true, "multiplier": ${1 + random.below(5)}}`;
  return name === 'S' ? '{"name": "S", "scatter": true}' : `{"name": "${name}"}`;
}

function playSpins(spins: Spins): Spins {
  const count = 1 + spins.random.below(MOST_SPINS);
  for (let spin = 0; spin < count; spin += 1) {
    if (spin > 0) addEvent(spins, 'updateFreeSpin', `"amount": ${spin - 1}, "total": ${count - 1}`);
    reveal(spins, spin === 0 ? 'basegame' : 'freegame');
    payWins(spins);
    addEvent(spins, 'setTotalWin', `"amount": ${spins.totalWin}`);
  }
  addEvent(spins, 'finalWin', `"amount": ${spins.totalWin}`);
  return spins;
}

function addEvent({ events }: Spins, type: string, members: string): void {
  events.push(`{"index": ${events.length}, "type": "${type}", ${members}}`);
}

function reveal(spins: Spins, gameType: string): void {
  const { random, strips } = spins;
  const tops = strips.map(() => random.below(STRIP_LENGTH - ROWS + 1));
  const board = strips.map((strip, reel) => {
    const top = tops[reel] as number;
    return `[${strip.slice(top, top + ROWS).join(', ')}]`;
  });
  const padding = `"paddingPositions": [${tops.join(', ')}], "gameType": "${gameType}"`;
  const members = `"board": [${board.join(', ')}], ${padding}, "anticipation": [0, 0, 0, 0, ${random.below(2)}]`;
  addEvent(spins, 'reveal', members);
}

/** None, one, two or three lines. */
function payWins(spins: Spins): void {
  const { random } = spins;
  const count = Math.max(0, random.below(5) - 1);
  if (count === 0) return;
  let totalWin = 0;
  const wins = Array.from({ length: count }, () => {
    const win = oneOf(random, PAYS);
    totalWin += win;
    return winText(win, random);
  });
  spins.totalWin += totalWin;
  addEvent(spins, 'winInfo', `"totalWin": ${totalWin}, "wins": [${wins.join(', ')}]`);
  addEvent(spins, 'setWin', `"amount": ${totalWin}, "winLevel": ${1 + random.below(5)}`);
}

function winText(win: number, random: SeededRandom): string {
  const kind = 3 + random.below(REELS - 2);
  const positions = Array.from({ length: kind }, (_, reel) => `{"reel": ${reel}, "row": ${random.below(ROWS)}}`);
  const line = `"lineIndex": ${random.below(20)}, "multiplier": 1, "winWithoutMult": ${win}`;
  const meta = `{${line}, "globalMult": 1, "lineMultiplier": 1}`;
  const head = `"symbol": "${oneOf(random, SYMBOLS)}", "kind": ${kind}, "win": ${win}`;
  return `{${head}, "positions": [${positions.join(', ')}], "meta": ${meta}}`;
}

function oneOf<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item;
}
