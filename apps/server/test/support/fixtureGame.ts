import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hex, leafBytes, nodeBytes, rootBytes, sha256, type TreeNode } from '@roundhouse/fair';
import { publishMath } from '@roundhouse/math';

/** Tests force these books. payoutMultiplier in hundredths is part of the name. */
export const BOOK = { pays0: 1, pays150: 2, pays20: 3, pays100000: 4 } as const;

/** Maps books to hundredths of the bet. */
export const PAYOUTS: Readonly<Record<number, number>> = { 1: 0, 2: 150, 3: 20, 4: 100_000 };

/** Maps the keys of the modes to their published names, which games see. */
export const MODE_NAMES = { BASE: 'base', ANTE: 'Ante', BONUS: 'BONUS', AUTO: 'AUTO' } as const;

/** Returns a book's events, with `mode` as game files write it; the multiplier is in hundredths. */
export function fixtureEvents(mode: string, payoutMultiplier: number) {
  const board = [
    ['A', 'B'],
    ['Ä', '漢'],
  ];
  return [
    { index: 0, type: 'reveal', mode, board },
    { index: 1, type: 'finalWin', amount: payoutMultiplier },
  ];
}

const WEIGHT = 10n;

/** Computes what commits to the table of a mode, whose name is as game files write it. */
export function fixtureCommitment(mode: string) {
  const text = new TextEncoder();
  const [a, b, c, d] = Object.entries(PAYOUTS).map(([id, payout]): TreeNode => {
    const bookHash = sha256(text.encode(JSON.stringify(fixtureEvents(mode, payout))));
    const row = { id: BigInt(id), weight: WEIGHT, payout: BigInt(payout), bookHash };
    return { weight: WEIGHT, hash: sha256(leafBytes(row)) };
  }) as [TreeNode, TreeNode, TreeNode, TreeNode];
  const above = (left: TreeNode, right: TreeNode): TreeNode => ({
    weight: left.weight + right.weight,
    hash: sha256(nodeBytes(left, right)),
  });
  const table = Object.entries(PAYOUTS).map(([id, payout]) => `${id},${WEIGHT},${payout}\n`);
  return {
    rows: 4,
    totalWeight: '40',
    sha256: hex(sha256(text.encode(table.join('')))),
    root: hex(sha256(rootBytes(4, above(above(a, b), above(c, d))))),
  };
}

function* books(mode: string) {
  for (const [id, payoutMultiplier] of Object.entries(PAYOUTS)) {
    yield { id: Number(id), payoutMultiplier, events: fixtureEvents(mode, payoutMultiplier), weight: WEIGHT };
  }
}

/**
 * Writes a game whose every book is known. BASE costs 1, ANTE 1.25, BONUS 100 and is a feature,
 * AUTO completes rounds that pay nothing. EUR has the limits of the default, JPY its own narrow
 * ones; 1 unit is 1,000,000.
 */
export async function writeFixtureFiles(folder: string, options: FixtureOptions = {}): Promise<void> {
  const costs = { BASE: 1, ANTE: 1.25, BONUS: 100, AUTO: 1 };
  const modes = Object.entries(MODE_NAMES).map(([key, name]) => ({
    ...{ name, cost: costs[key as keyof typeof costs], books: books(name) },
  }));
  await publishMath(path.join(folder, 'math'), modes);
  await writeFile(path.join(folder, 'game.json'), JSON.stringify(gameFile(options)));
}

/** Writes the same to a new folder, beside one for its indexed books. */
export async function writeFixtureGame(options: FixtureOptions = {}) {
  const root = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-fixture-'));
  const folder = path.join(root, 'game');
  await writeFixtureFiles(folder, options);
  return { folder, storeFolder: path.join(root, 'store'), remove: () => rm(root, { recursive: true, force: true }) };
}

type FixtureOptions = {
  id?: string;
  version?: string;
  jurisdiction?: object;
  /** The largest bet in micros, where JPY has no limits. */
  maxBet?: number;
};

function gameFile({ id = 'fixture', version = '1.0.0', jurisdiction = {}, maxBet = 100_000_000 }: FixtureOptions) {
  const unit = 1_000_000;
  return {
    id,
    version,
    title: 'Fixture',
    betLimits: {
      default: {
        minBet: 200_000,
        maxBet,
        stepBet: 100_000,
        defaultBetLevel: unit,
        betLevels: [200_000, unit, maxBet],
      },
      JPY: { minBet: 10 * unit, maxBet: 1000 * unit, stepBet: 10 * unit, defaultBetLevel: 100 * unit, betLevels: [] },
    },
    modes: {
      BASE: { autoClose: false },
      ANTE: { autoClose: false },
      BONUS: { autoClose: false, feature: true },
      AUTO: { autoClose: true },
    },
    jurisdiction,
  };
}
