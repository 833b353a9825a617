import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BookFacts, type MathMode, publishMath } from '@roundhouse/math';
import { GAME_VERSION, MODE_COST_HUNDREDTHS, type ModeName, RTP_BASIS_POINTS } from '../rules.ts';
import { gameSettings } from './gameSettings.ts';
import type { Mode } from './modes.ts';
import type { Outcome } from './outcomes.ts';
import { bookOf, STREAMS_PER_MODE } from './publishGame.ts';
import { tuned } from './weights.ts';

/** Another version: the same one never has other books. */
export const SMALL_VERSION = `${GAME_VERSION}-small`;

/** `build:math` writes this list, and `math/` has a copy of it. */
export const SMALL_LIST = 'smallEdition.csv';

/** Classes of payouts start at 1, 2 and 5 times a power of ten, in hundredths. */
const CLASS_STEPS = [1, 2, 5];

type ChosenBook = { readonly bookID: number; readonly position: number; payoutMultiplier: number; weight: bigint };

/** Heads the file that lists the small edition: a round for each of its books. */
const COLUMNS = 'mode,id,stream,round,payoutMultiplier,weight';

/**
 * Lists about `books` of the books of `math`: few enough to travel in a package, with the same
 * return, and every kind of round about as likely. `outcomes` has book n at position n − 1.
 */
export function listSmallEdition(
  modes: readonly { math: MathMode; outcomes: readonly Outcome[] }[],
  books: number,
): string {
  const rows = modes.flatMap(({ math, outcomes }) =>
    chosenBooks(math, books).map(({ bookID, payoutMultiplier, weight }) => {
      const { stream, round } = outcomes[bookID - 1] as Outcome;
      return [math.name, bookID, stream, round, payoutMultiplier, weight].join(',');
    }),
  );
  return `${[COLUMNS, ...rows].join('\n')}\n`;
}

/**
 * Writes to `into` the game with the books of the list alone. Their rounds are played again, which
 * takes a second; to choose them takes all books. The same list gives the same bytes.
 */
export async function publishSmallEdition(
  list: string,
  { into, modes }: { into: string; modes: readonly Mode[] },
): Promise<void> {
  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  const rows = list.trim().split('\n').slice(1);
  await publishMath(
    join(into, 'math'),
    modes.map((mode) => ({
      name: mode.name,
      cost: MODE_COST_HUNDREDTHS[mode.name] / 100,
      books: listedBooks(mode, rows),
    })),
  );
  await writeFile(join(into, 'game.json'), `${JSON.stringify({ ...gameSettings, version: SMALL_VERSION }, null, 2)}\n`);
}

function* listedBooks({ name, parts }: Mode, rows: readonly string[]) {
  for (const row of rows) {
    const [mode, id, stream, round, paid, weight] = row.split(',') as [string, string, string, string, string, string];
    if (mode !== name) continue;
    const part = parts[Number(stream) % STREAMS_PER_MODE];
    if (part === undefined) throw new Error(`there is no part for stream ${stream} in mode ${name}`);
    const outcome = { part, stream: Number(stream), round: Number(round), payoutMultiplier: Number(paid) };
    const { criteria: _, ...book } = bookOf({ ...outcome, weight: BigInt(weight) }, Number(id));
    yield book;
  }
}

/** Takes some books of each class of payouts, which represent the class. */
function chosenBooks(mode: MathMode, books: number): ChosenBook[] {
  const classes = classesOf(mode);
  const share = books / classes.reduce((sum, { length }) => sum + Math.sqrt(length), 0);
  const chosen = classes.flatMap((facts) => spread(facts, Math.ceil(share * Math.sqrt(facts.length))));
  chosen.sort((one, other) => one.position - other.position);
  return tuned(chosen, targetOf(mode.key as ModeName));
}

function classesOf(mode: MathMode): BookFacts[][] {
  const classes = new Map<number, BookFacts[]>();
  for (const facts of mode.books()) {
    const start = classOf(facts);
    if (!classes.has(start)) classes.set(start, []);
    if (facts.weight > 0n) classes.get(start)?.push(facts);
  }
  return [...classes.values()];
}

function classOf({ payoutMultiplier }: BookFacts): number {
  if (payoutMultiplier === 0n) return 0;
  const tens = 10 ** (String(payoutMultiplier).length - 1);
  return tens * (CLASS_STEPS.findLast((step) => step * tens <= Number(payoutMultiplier)) ?? 1);
}

/** Chooses evenly over the weights, from the lowest payout up: it pays what the class pays. */
function spread(facts: BookFacts[], keep: number): ChosenBook[] {
  const ascending = facts.toSorted((one, other) => Number(one.payoutMultiplier - other.payoutMultiplier));
  const total = ascending.reduce((sum, { weight }) => sum + weight, 0n);
  const count = BigInt(Math.min(keep, facts.length));
  const chosen = new Map<number, ChosenBook>();
  let passed = 0n;
  let place = -1;
  for (let step = 0n; step < count; step++) {
    while (passed * 2n * count <= (2n * step + 1n) * total) passed += (ascending[++place] as BookFacts).weight;
    const { bookID, position, payoutMultiplier } = ascending[place] as BookFacts;
    const weight = (chosen.get(position)?.weight ?? 0n) + total / count;
    chosen.set(position, { bookID, position, payoutMultiplier: Number(payoutMultiplier), weight });
  }
  return [...chosen.values()];
}

/** Returns the mean payout of the mode, in hundredths of the base bet. */
function targetOf(name: ModeName): bigint {
  return (BigInt(MODE_COST_HUNDREDTHS[name]) * BigInt(RTP_BASIS_POINTS)) / 10_000n;
}
