import {
  bytesOf,
  type FairDocument,
  type FairRound,
  type FairTable,
  FORMAT,
  hex,
  hmacUnder,
  leafBytes,
  leafCheck,
  nodeBytes,
  type Row,
  rootBytes,
  sha256,
  splitOf,
  type TreeNode,
  ticketOf,
} from '@roundhouse/fair';

/** It is a lookup table as a server has it: all rows, and the book of each. */
type WholeTable = { game: string; version: string; mode: string; rows: Row[]; totalWeight: bigint };

const SERVER_SEED = 'c0ffee'.padEnd(64, '7');
const BET_MICROS = 1_000_000;
const FIRST_BET_ID = 5_000;
const text = new TextEncoder();

/** Returns the events of the book of a row. */
function bookOf(id: bigint): string {
  return `[{"index":0,"type":"reveal","board":"${id}"},{"index":1,"type":"finalWin","amount":${id * 10n}}]`;
}

/**
 * Makes a table whose weights differ and have a sum of about 2^50. A third of its rows pays
 * nothing.
 */
export function makeTable({ rows, game = 'test-game', mode = 'BASE' }: { rows: number; game?: string; mode?: string }) {
  const all = Array.from({ length: rows }, (_, position): Row => {
    const id = BigInt(position + 1);
    const weight = (2n ** 50n / BigInt(rows)) * BigInt((position % 7) + 1) + BigInt(position);
    return { id, weight, payout: BigInt((position % 3) * 50), bookHash: sha256(text.encode(bookOf(id))) };
  });
  const totalWeight = all.reduce((sum, { weight }) => sum + weight, 0n);
  return { game, version: '1.0.0', mode, rows: all, totalWeight };
}

type Period = {
  tables: readonly WholeTable[];
  rounds: number;
  serverSeed?: string;
  clientSeeds?: FairDocument['clientSeeds'];
  /** These nonces are void. */
  voids?: readonly number[];
};

/** Plays a seed period, the tables in turn, and exports it. */
export function exportOf({ tables, rounds, voids = [], ...seeds }: Period): FairDocument {
  const { serverSeed = SERVER_SEED, clientSeeds = [{ from: 0, clientSeed: 'my lucky words' }] } = seeds;
  const drawn = tables.map(() => new Set<number>());
  const positions = tables.map((table) => positionsOf(table));
  const hmac = hmacUnder(bytesOf(serverSeed));
  const played = Array.from({ length: rounds }, (_, nonce): FairRound => {
    const at = nonce % tables.length;
    const table = tables[at] as WholeTable;
    const round = { nonce, betID: FIRST_BET_ID + nonce * 3, table: at, amount: BET_MICROS };
    if (voids.includes(nonce)) return { ...round, void: true };
    const { clientSeed } = clientSeeds.findLast(({ from }) => from <= nonce) as { clientSeed: string };
    const ticket = ticketOf(hmac, { ...table, clientSeed, nonce }, table.totalWeight);
    const position = positions[at]?.(ticket) as number;
    drawn[at]?.add(position);
    const { id, payout } = table.rows[position] as Row;
    const paid = Number((BigInt(BET_MICROS) * payout) / 100n);
    return { ...round, payout: paid, bookID: Number(id), payoutMultiplier: String(payout) };
  });
  return {
    format: FORMAT,
    serverSeedHash: hex(sha256(bytesOf(serverSeed))),
    serverSeed,
    nonces: rounds,
    clientSeeds,
    tables: tables.map((table, at) => proofOf(table, drawn[at] as Set<number>)),
    rounds: played,
  };
}

/** Makes the proof of one round of an export, with its book. */
export function proofOfRound(period: Period, nonce: number): FairDocument {
  const all = exportOf(period);
  const round = all.rounds[nonce] as FairRound;
  const table = period.tables[round.table] as WholeTable;
  const { clientSeed } = all.clientSeeds.findLast(({ from }) => from <= nonce) as { clientSeed: string };
  const position = round.void ? undefined : table.rows.findIndex(({ id }) => Number(id) === round.bookID);
  const proven = proofOf(table, new Set(position === undefined ? [] : [position]));
  return {
    ...all,
    nonces: null,
    clientSeeds: [{ from: 0, clientSeed }],
    tables: [proven],
    rounds: [{ ...round, table: 0 }],
    ...(round.void ? {} : { book: bookOf(BigInt(round.bookID)) }),
  };
}

function positionsOf({ rows }: WholeTable): (ticket: bigint) => number {
  let sum = 0n;
  const ends = rows.map(({ weight }) => {
    sum += weight;
    return sum;
  });
  return (ticket) => {
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] as bigint) > ticket) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** Makes the part of a document that proves these rows of the table. */
function proofOf({ rows, totalWeight, ...names }: WholeTable, positions: ReadonlySet<number>): FairTable {
  const drawn = [...positions].sort((a, b) => a - b);
  const siblings: FairTable['siblings'] = [];
  const walk = (low: number, high: number, isInside: boolean): TreeNode => {
    const isSibling = isInside && !drawn.some((position) => position >= low && position < high);
    const node = high - low === 1 ? leaf(rows[low] as Row) : split(low, high, isInside && !isSibling);
    if (isSibling) siblings.push([String(node.weight), hex(node.hash)]);
    return node;
  };
  const split = (low: number, high: number, isInside: boolean): TreeNode => {
    const middle = low + splitOf(high - low);
    const [left, right] = [walk(low, middle, isInside), walk(middle, high, isInside)];
    return { weight: left.weight + right.weight, hash: sha256(nodeBytes(left, right)) };
  };
  const root = hex(sha256(rootBytes(rows.length, walk(0, rows.length, true))));
  return {
    ...names,
    rows: rows.length,
    totalWeight: String(totalWeight),
    sha256: hex(sha256(text.encode(`${names.game} ${names.mode}`))),
    root,
    drawn: drawn.map((position) => {
      const { id, weight, payout, bookHash } = rows[position] as Row;
      const check = leafCheck(leaf(rows[position] as Row).hash);
      return [position, Number(id), String(weight), String(payout), hex(bookHash), check];
    }),
    siblings,
  };
}

function leaf(row: Row): TreeNode {
  return { weight: row.weight, hash: sha256(leafBytes(row)) };
}
