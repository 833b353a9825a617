import { createHash, createHmac } from 'node:crypto';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  bytesOf,
  type DrawFacts,
  hex,
  hmacUnder,
  leafBytes,
  nodeBytes,
  rootBytes,
  sha256,
  ticketOf,
  verify,
} from '../src/index.ts';
import { above, leafOf, levelsOf, makeDocument, makeTable, proofOf, tableOf } from './support/makeDocument.ts';

const FILE = path.join(import.meta.dirname, '../../../docs/fairness/vectors.json');
const serverSeed = bytesOf('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
const facts: DrawFacts = {
  game: 'aurora-line',
  version: '1.0.0',
  mode: 'BASE',
  clientSeed: 'a client seed: é😀',
  nonce: 0,
};
/** Just above half of the range: every second value is rejected. */
const HALF = 2n ** 63n + 1n;
const DRAWS: { about: string; nonce: number; totalWeight: bigint }[] = [
  { about: 'a total weight of a power of two rejects nothing', nonce: 0, totalWeight: 2n ** 50n },
  { about: 'a total weight of 1 has one ticket', nonce: 1, totalWeight: 1n },
  { about: 'a small total weight', nonce: 2, totalWeight: 1_000_003n },
  { about: 'the largest total weight', nonce: 3, totalWeight: 2n ** 64n - 1n },
  { about: 'values above the limit are rejected', nonce: firstRejected(), totalWeight: HALF },
];

it('the vectors of the documents are those of the package, and of node:crypto', async () => {
  const table = makeTable(5);
  const plays = [
    { table: 0, amount: 1_000_000 },
    { table: 0, amount: 200_000, isVoid: true },
    { table: 0, amount: 100_000 },
  ];
  const clientSeeds = [
    { from: 0, clientSeed: facts.clientSeed },
    { from: 2, clientSeed: 'another' },
  ];
  const document = makeDocument({ serverSeed: Buffer.from(serverSeed), clientSeeds, tables: [table], plays });
  expect(verify(document)).toMatchObject({ ok: true, rounds: 3, voids: 1 });
  const vectors = {
    format: 'roundhouse-fair-1',
    serverSeed: hex(serverSeed),
    serverSeedHash: hex(sha256(serverSeed)),
    draws: DRAWS.map(drawVector),
    rows: table.rows.map((row) => {
      const bookHash = createHash('sha256').update(row.events).digest();
      const bytes = leafBytes({ id: BigInt(row.id), weight: row.weight, payout: row.payout, bookHash });
      expect(hex(sha256(bytes))).toBe(hex(leafOf(row).hash));
      const { id, weight, payout, events } = row;
      const texts = { weight: `${weight}`, payoutMultiplier: `${payout}`, events, bookHash: hex(bookHash) };
      return { id, ...texts, leafBytes: hex(bytes), leaf: hex(sha256(bytes)) };
    }),
    nodes: levelsOf(table.rows)
      .slice(1)
      .map((level) => level.map(({ weight, hash }) => ({ weight: `${weight}`, hash: hex(hash) }))),
    firstNodeBytes: nodeBytesOf(
      table.rows.slice(0, 2).map(leafOf) as [ReturnType<typeof leafOf>, ReturnType<typeof leafOf>],
    ),
    rootBytes: hex(rootBytes(table.rows.length, levelsOf(table.rows).at(-1)?.[0] as ReturnType<typeof leafOf>)),
    root: tableOf(table, []).root,
    document,
    proof: proofOf(document, [table], 2),
  };
  await expect(`${JSON.stringify(vectors, null, 2)}\n`).toMatchFileSnapshot(FILE);
});

function drawVector({ about, nonce, totalWeight }: (typeof DRAWS)[number]) {
  const tries: { message: string; hmac: string; value: string; accepted: boolean }[] = [];
  let limit = 0n;
  const ticket = ticketOf(hmacUnder(serverSeed), { ...facts, nonce }, totalWeight, (one) => {
    const hmac = createHmac('sha256', serverSeed).update(one.message).digest('hex');
    expect(hex(one.hmac)).toBe(hmac);
    limit = one.limit;
    tries.push({ message: one.message, hmac, value: `${one.value}`, accepted: one.accepted });
  });
  const texts = { totalWeight: `${totalWeight}`, limit: `${limit}`, ticket: `${ticket}` };
  return { about, ...facts, nonce, ...texts, tries };
}

/** Returns the first nonce whose draw needs three tries. */
function firstRejected(): number {
  for (let nonce = 0; ; nonce += 1) {
    let tries = 0;
    ticketOf(hmacUnder(serverSeed), { ...facts, nonce }, HALF, () => (tries += 1));
    if (tries === 3) return nonce;
  }
}

function nodeBytesOf([left, right]: [ReturnType<typeof leafOf>, ReturnType<typeof leafOf>]): string {
  expect(hex(sha256(nodeBytes(left, right)))).toBe(hex(above(left, right).hash));
  return hex(nodeBytes(left, right));
}
