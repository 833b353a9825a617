import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BookFacts, type MathMode, type MathPackage, publishMath } from '@roundhouse/math';
import { GAME_VERSION, MODE_COST_HUNDREDTHS, type ModeName, RTP_BASIS_POINTS } from '../rules.ts';
import { gameSettings } from './gameSettings.ts';
import { tuned } from './weights.ts';

/** Another version: the same one never has other books. */
export const SMALL_VERSION = `${GAME_VERSION}-small`;

/** Classes of payouts start at 1, 2 and 5 times a power of ten, in hundredths. */
const CLASS_STEPS = [1, 2, 5];

type ChosenBook = { readonly bookID: number; readonly position: number; payoutMultiplier: number; weight: bigint };

/**
 * Writes to `into` the game with about `booksPerMode` of the books of `math`: small enough to
 * travel in a package, with the same return, and every kind of round about as likely. The same
 * published files give the same bytes.
 */
export async function publishSmallEdition(
  math: MathPackage,
  { into, booksPerMode }: { into: string; booksPerMode: number },
): Promise<void> {
  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  const modes = [...math.modes.values()].map((mode) => ({
    name: mode.name,
    cost: Number(mode.cost),
    books: booksOf(mode, chosenBooks(mode, booksPerMode)),
  }));
  await publishMath(join(into, 'math'), modes);
  await writeFile(join(into, 'game.json'), `${JSON.stringify({ ...gameSettings, version: SMALL_VERSION }, null, 2)}\n`);
}

function* booksOf(mode: MathMode, chosen: readonly ChosenBook[]) {
  for (const { bookID, position, payoutMultiplier, weight } of chosen) {
    yield { id: bookID, payoutMultiplier, events: JSON.parse(String(mode.readEvents(position))), weight };
  }
}

/** Takes some books of each class of payouts, which stand for all of it. */
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
