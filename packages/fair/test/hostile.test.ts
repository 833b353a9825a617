import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FairDocument, type FairTable, stepsOf, verify } from '../src/index.ts';
import { makeDocument, makeTable } from './support/makeDocument.ts';

const genuine = makeDocument({
  serverSeed: Buffer.alloc(32, 9),
  clientSeeds: [
    { from: 0, clientSeed: 'a' },
    { from: 10, clientSeed: 'b' },
  ],
  tables: [makeTable(100)],
  plays: Array.from({ length: 30 }, (_, nonce) => ({ table: 0, amount: 100, isVoid: nonce === 3 })),
});
const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withTypedArray: true,
  withSparseArray: true,
  maxDepth: 4,
});
const numbers = fc.oneof(
  fc.constantFrom(0, -0, -1, 2 ** 53 - 1, 2 ** 53, 0.5, Number.NaN, Number.POSITIVE_INFINITY),
  fc.nat(200),
);
const values = fc.oneof(
  anything,
  numbers,
  fc.bigInt({ min: 0n, max: 2n ** 65n }).map(String),
  fc.string(),
  fc.constantFrom('0', '1', '18446744073709551615', '18446744073709551616', '0'.repeat(64), 'f'.repeat(64), 'é:'),
);

/** Every path to a value in the document. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [...(path.length > 0 ? [path] : []), ...keys.flatMap((key) => pathsOf((value as never)[key], [...path, key]))];
}

describe('hostile documents never throw', () => {
  it('anything at all', () => {
    fc.assert(
      fc.property(anything, (document) => {
        const { ok, issues } = verify(document);
        expect([ok, issues[0]?.kind]).toEqual([false, 'format']);
        expect(stepsOf(document, 0)).toBeUndefined();
      }),
      { numRuns: 3000 },
    );
  });

  it('a genuine document with any values at any places', () => {
    const paths = pathsOf(genuine);
    const edits = fc.array(fc.tuple(fc.nat(paths.length - 1), values), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(edits, (changes) => {
        const document = structuredClone(genuine);
        for (const [at, value] of changes) setAt(document, paths[at] ?? [], value);
        const report = verify(document);
        expect(report.ok).toBe(report.issueCount === 0);
        stepsOf(document, 5);
      }),
      { numRuns: 5000 },
    );
  });

  it('a genuine document without any of its values', () => {
    for (const path of pathsOf(genuine)) {
      const document = structuredClone(genuine);
      const parent = path.slice(0, -1).reduce((at: never, key) => at[key], document as never);
      delete parent[path.at(-1) as never];
      const isOptional = path.at(-1) === 5 && path.at(-3) === 'drawn';
      expect(verify(document).ok, path.join('.')).toBe(isOptional);
    }
  });

  it('lists with holes', () => {
    const rounds = new Array(2000);
    expect(verify({ ...genuine, rounds })).toMatchObject({ ok: false, issueCount: 1002 });
  });

  it('a document nested 100,000 deep', () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    for (const document of [deep, { ...genuine, tables: deep }, { ...genuine, rounds: [deep] }]) {
      expect(verify(document).ok).toBe(false);
    }
  });
});

describe('hostile documents never take long', () => {
  const table = genuine.tables[0] as FairTable;
  const [round] = genuine.rounds;
  const many = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
  const DOCUMENTS: Record<string, unknown> = {
    'as many rows as a number has': { ...genuine, tables: [{ ...table, rows: 2 ** 53 - 1 }] },
    'as many nonces as a number has': { ...genuine, nonces: 2 ** 53 - 1 },
    'the largest weights': {
      ...genuine,
      tables: [{ ...table, siblings: table.siblings.map(([, hash]) => ['18446744073709551615', hash]) }],
    },
    'a total weight with many rejections': {
      ...genuine,
      tables: [
        {
          ...table,
          rows: 1,
          totalWeight: `${2n ** 63n + 1n}`,
          drawn: [],
          siblings: [[`${2n ** 63n + 1n}`, table.root]],
        },
      ],
      rounds: many(20_000, (nonce) => ({ ...round, nonce, betID: nonce })),
      nonces: 20_000,
    },
    'as many tables as rounds': {
      ...genuine,
      tables: many(5000, () => ({ ...table, drawn: table.drawn.slice(0, 3) })),
      rounds: many(5000, (nonce) => ({ ...round, table: nonce, nonce, betID: nonce })),
      nonces: 5000,
    },
    'as many client seeds as rounds': {
      ...genuine,
      clientSeeds: many(30_000, (from) => ({ from, clientSeed: 'wrong' })),
      rounds: many(30_000, (nonce) => ({ ...round, nonce, betID: nonce })),
      nonces: 30_000,
    },
    'rounds in descending order': {
      ...genuine,
      rounds: many(30_000, (at) => ({ ...round, nonce: 30_000 - at, betID: 30_000 - at })),
      nonces: 30_000,
    },
    'the same round each time': { ...genuine, rounds: many(50_000, () => round), nonces: 50_000 },
    'long names': {
      ...genuine,
      tables: [{ ...table, game: 'x'.repeat(1000) }],
      rounds: many(20_000, (nonce) => ({ ...round, nonce, betID: nonce })),
      nonces: 20_000,
    },
  };

  it.each(Object.entries(DOCUMENTS))('%s', (_, document) => {
    const before = process.cpuUsage();
    expect(verify(document).ok).toBe(false);
    stepsOf(document, 5);
    // These are seconds of this process, so that other tests do not count.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
  });
});

it('names and seeds of a document are in messages as they are quoted', () => {
  const document: FairDocument = structuredClone(genuine);
  Object.assign(document.clientSeeds[1] ?? {}, { clientSeed: '<b>"' });
  expect(verify(document).issues[0]?.message).toContain('"<b>\\"');
});

function setAt(document: unknown, path: (string | number)[], value: unknown): void {
  let at = document as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) {
    const next = at[key];
    if (typeof next !== 'object' || next === null) return;
    at = next as Record<string | number, unknown>;
  }
  if (Object.isExtensible(at) && !ArrayBuffer.isView(at)) Object.assign(at, { [path.at(-1) as string]: value });
}
