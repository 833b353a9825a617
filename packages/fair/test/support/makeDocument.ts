import { createHash, createHmac } from 'node:crypto';
import type { DrawnRow, FairDocument, FairRound, FairTable, Sibling } from '../../src/index.ts';

/** A table as a studio publishes it, with the text of each book's events. */
export type TableRow = { id: number; weight: bigint; payout: bigint; events: string };
export type Table = { game: string; version: string; mode: string; rows: TableRow[] };
type Node = { weight: bigint; hash: Uint8Array };
type Play = { table: number; amount: number; isVoid?: boolean };

const sha256 = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const u64 = (value: bigint | number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bookHashOf = ({ events }: TableRow): Buffer => sha256(Buffer.from(events));
export const leafOf = (row: TableRow): Node => ({
  weight: row.weight,
  hash: sha256(Buffer.of(0), u64(row.id), u64(row.weight), u64(row.payout), bookHashOf(row)),
});
export const above = (left: Node, right: Node): Node => ({
  weight: left.weight + right.weight,
  hash: sha256(Buffer.of(1), u64(left.weight), left.hash, u64(right.weight), right.hash),
});

/** Builds the whole tree level by level: an odd last node moves up unchanged. */
export function levelsOf(rows: TableRow[]): Node[][] {
  const levels = [rows.map(leafOf)];
  for (let level = levels[0] ?? []; level.length > 1; level = levels.at(-1) ?? []) {
    const next: Node[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = [level[at] as Node, level[at + 1]];
      next.push(right ? above(left, right) : left);
    }
    levels.push(next);
  }
  return levels;
}

/** Returns the table of a document with these positions, which ascend, as drawn rows. */
export function tableOf({ game, version, mode, rows }: Table, positions: number[]): FairTable {
  const levels = levelsOf(rows);
  const top = levels.at(-1)?.[0] as Node;
  const isDrawn = new Set(positions);
  const siblings: Sibling[] = [];
  // The node `at` of a level is above the rows from at × 2^level on.
  const visit = (level: number, at: number): void => {
    const node = levels[level]?.[at];
    if (!node) return;
    const [from, to] = [at * 2 ** level, Math.min((at + 1) * 2 ** level, rows.length)];
    if (!positionsWithin(isDrawn, positions, from, to)) siblings.push([`${node.weight}`, hex(node.hash)]);
    else if (level > 0) {
      visit(level - 1, at * 2);
      visit(level - 1, at * 2 + 1);
    }
  };
  visit(levels.length - 1, 0);
  const drawn = positions.map((position): DrawnRow => {
    const row = rows[position] as TableRow;
    const check = hex(leafOf(row).hash).slice(0, 8);
    return [position, row.id, `${row.weight}`, `${row.payout}`, bookHashOf(row).toString('hex'), check];
  });
  return {
    game,
    version,
    mode,
    rows: rows.length,
    totalWeight: `${top.weight}`,
    sha256: sha256(Buffer.from(rows.map((row) => `${row.id},${row.weight},${row.payout}\n`).join(''))).toString('hex'),
    root: sha256(Buffer.of(2), u64(rows.length), u64(top.weight), top.hash).toString('hex'),
    drawn,
    siblings,
  };
}

function positionsWithin(all: Set<number>, sorted: number[], from: number, to: number): boolean {
  if (to - from < 64) {
    for (let at = from; at < to; at += 1) if (all.has(at)) return true;
    return false;
  }
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const half = (low + high) >> 1;
    if ((sorted[half] as number) < from) low = half + 1;
    else high = half;
  }
  return low < sorted.length && (sorted[low] as number) < to;
}

/** Draws as the scheme says, by a loop over the rows' ends: returns the position. */
function positionOf(
  serverSeed: Buffer,
  { game, version, mode, rows }: Table,
  { nonce, clientSeed }: { nonce: number; clientSeed: string },
  ends = endsOf(rows),
): number {
  const total = ends.at(-1) as bigint;
  const limit = (2n ** 64n / total) * total;
  for (let attempt = 0; ; attempt += 1) {
    const message = `roundhouse-fair-1:${game}:${version}:${mode}:${nonce}:${attempt}:${clientSeed}`;
    const value = createHmac('sha256', serverSeed).update(message, 'utf8').digest().readBigUInt64BE(0);
    if (value >= limit) continue;
    const ticket = value % total;
    let [low, high] = [0, rows.length - 1];
    while (low < high) {
      const half = (low + high) >> 1;
      if ((ends[half] as bigint) > ticket) high = half;
      else low = half + 1;
    }
    return low;
  }
}

function endsOf(rows: TableRow[]): bigint[] {
  let end = 0n;
  return rows.map(({ weight }) => {
    end += weight;
    return end;
  });
}

/** Plays the rounds under a server seed and writes the export of the period. */
export function makeDocument({
  serverSeed,
  clientSeeds,
  tables,
  plays,
}: {
  serverSeed: Buffer;
  clientSeeds: FairDocument['clientSeeds'];
  tables: Table[];
  plays: Play[];
}): FairDocument {
  const ends = tables.map(({ rows }) => endsOf(rows));
  const positions = tables.map(() => new Set<number>());
  let part = 0;
  const rounds = plays.map(({ table: at, amount, isVoid }, nonce): FairRound => {
    while ((clientSeeds[part + 1]?.from ?? Number.POSITIVE_INFINITY) <= nonce) part += 1;
    const betID = 1000 + nonce * 3;
    if (isVoid) return { nonce, betID, table: at, amount, void: true };
    const table = tables[at] as Table;
    const clientSeed = clientSeeds[part]?.clientSeed as string;
    const position = positionOf(serverSeed, table, { nonce, clientSeed }, ends[at]);
    positions[at]?.add(position);
    const { id, payout } = table.rows[position] as TableRow;
    const paid = Number((BigInt(amount) * payout) / 100n);
    return { nonce, betID, table: at, amount, payout: paid, bookID: id, payoutMultiplier: `${payout}` };
  });
  return {
    format: 'roundhouse-fair-1',
    serverSeedHash: sha256(serverSeed).toString('hex'),
    serverSeed: serverSeed.toString('hex'),
    nonces: plays.length,
    clientSeeds,
    tables: tables.map((table, at) =>
      tableOf(
        table,
        [...(positions[at] ?? [])].sort((one, other) => one - other),
      ),
    ),
    rounds,
  };
}

/** Returns the proof of one round of an export, as the server writes it. */
export function proofOf(document: FairDocument, tables: Table[], nonce: number): FairDocument {
  const round = document.rounds.find((each) => each.nonce === nonce) as FairRound;
  const table = tables[round.table] as Table;
  const position = table.rows.findIndex(({ id }) => id === round.bookID);
  const clientSeed = document.clientSeeds.findLast(({ from }) => from <= nonce);
  return {
    ...document,
    nonces: null,
    clientSeeds: clientSeed ? [clientSeed] : [],
    tables: [tableOf(table, round.void ? [] : [position])],
    rounds: [{ ...round, table: 0 }],
    ...(!round.void && { book: (table.rows[position] as TableRow).events }),
  };
}

/** Makes numbers from a seed, so that a failing run can be repeated (mulberry32). */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/**
 * Makes a table that looks like a game's: about 70 % lose, ids from 1 in another order than the
 * rows.
 */
export function makeTable(count: number, mode = 'BASE', seed = 1, weightLimit = 2 ** 31): Table {
  const below = numbersFrom(seed);
  const rows = Array.from({ length: count }, (_, position): TableRow => {
    const payout = below(10) < 7 ? 0n : BigInt(10 * (1 + below(5000)));
    const id = ((position * 7919) % count) + 1;
    const weight = BigInt(1 + below(weightLimit));
    return { id, weight, payout, events: `[{"index":0,"type":"reveal","book":${id},"win":${payout}}]` };
  });
  return { game: 'aurora-line', version: '1.0.0', mode, rows };
}
