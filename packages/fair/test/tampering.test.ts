import { describe, expect, it } from 'vitest';
import { type FairDocument, type FairRound, type IssueKind, verify } from '../src/index.ts';
import { makeDocument, makeTable, numbersFrom, proofOf } from './support/makeDocument.ts';

type Numbers = (below: number) => number;
type Expected = { kind: IssueKind; nonce?: number | undefined; position?: number | undefined };
/** Changes the document, and says what the report has to name. */
type Tampering = (document: FairDocument, below: Numbers) => Expected;
type Completed = Extract<FairRound, { payout: number }>;

const TAMPERINGS_OF_EACH = 12;
const tables = [makeTable(9973, 'BASE', 3), makeTable(1009, 'BONUS', 5)];
const genuine = makeDocument({
  serverSeed: Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7)),
  clientSeeds: [
    { from: 0, clientSeed: 'first: with a colon' },
    { from: 150, clientSeed: 'zweiter 😀' },
    { from: 151, clientSeed: 'of one round' },
    { from: 152, clientSeed: 'x' },
    { from: 400, clientSeed: 'not played with' },
  ],
  tables,
  plays: Array.from({ length: 400 }, (_, nonce) => ({
    table: nonce % 5 === 3 ? 1 : 0,
    amount: 1_000_000 * (1 + (nonce % 3)),
    isVoid: nonce % 41 === 7,
  })),
});

const digits = (text: string, below: Numbers): string => {
  const at = below(text.length);
  const digit = ((Number.parseInt(text[at] as string, 16) + 1 + below(15)) % 16).toString(16);
  return text.slice(0, at) + digit + text.slice(at + 1);
};
const more = (text: string, below: Numbers): string => `${BigInt(text) + BigInt(1 + below(1000))}`;
const anyOf = <T>(list: T[], below: Numbers): T => list[below(list.length)] as T;
const completed = (document: FairDocument): Completed[] => document.rounds.filter((round) => !round.void);
/** A round whose row no other round has drawn. */
const single = (document: FairDocument, below: Numbers): Completed => {
  const key = ({ table, bookID }: Completed): string => `${table} ${bookID}`;
  const counts = new Map<string, number>();
  for (const round of completed(document)) counts.set(key(round), (counts.get(key(round)) ?? 0) + 1);
  return anyOf(
    completed(document).filter((round) => counts.get(key(round)) === 1),
    below,
  );
};

const TAMPERINGS: Record<string, Tampering> = {
  'server seed': (document, below) => {
    document.serverSeed = digits(document.serverSeed as string, below);
    return { kind: 'serverSeed' };
  },
  'hash of the server seed': (document, below) => {
    document.serverSeedHash = digits(document.serverSeedHash, below);
    return { kind: 'serverSeed' };
  },
  'client seed': (document, below) => {
    const seed = document.clientSeeds[below(4)];
    if (seed) seed.clientSeed = `${seed.clientSeed}${below(10)}`;
    return { kind: 'clientSeed', nonce: seed?.from };
  },
  'client seed left out': (document, below) => {
    document.clientSeeds.splice(anyOf([0, 1, 3], below), 1);
    return { kind: 'clientSeed' };
  },
  'start of a client seed': (document, below) => {
    const seed = document.clientSeeds[3];
    if (seed) seed.from += 1 + below(200);
    return { kind: 'clientSeed' };
  },
  'order of client seeds': (document, below) => {
    const at = 1 + below(4);
    document.clientSeeds.splice(at - 1, 2, ...document.clientSeeds.slice(at - 1, at + 1).reverse());
    return { kind: 'clientSeed' };
  },
  nonce: (document, below) => {
    const round = anyOf(document.rounds, below);
    round.nonce = (round.nonce + 1 + below(399)) % 400;
    return { kind: 'nonce', nonce: round.nonce };
  },
  'nonce above all': (document, below) => {
    const round = anyOf(document.rounds, below);
    round.nonce = 400 + below(5);
    return { kind: 'nonce', nonce: round.nonce };
  },
  'nonces exchanged': (document, below) => {
    const [one, other] = [anyOf(document.rounds.slice(0, 200), below), anyOf(document.rounds.slice(200), below)];
    [one.nonce, other.nonce] = [other.nonce, one.nonce];
    return { kind: 'nonce' };
  },
  'missing round': (document, below) => {
    const [round] = document.rounds.splice(below(400), 1);
    return { kind: 'missing', nonce: round?.nonce };
  },
  'missing rounds': (document, below) => {
    const [round] = document.rounds.splice(below(390), 2 + below(8));
    return { kind: 'missing', nonce: round?.nonce };
  },
  'end left out': (document, below) => {
    const [round] = document.rounds.splice(200 + below(200));
    return { kind: 'missing', nonce: round?.nonce };
  },
  'count of nonces': (document, below) => {
    const by = 1 + below(100);
    document.nonces = 400 + by;
    return { kind: 'missing', nonce: 400 };
  },
  'fewer nonces': (document, below) => {
    document.nonces = 400 - 1 - below(3);
    return { kind: 'nonce' };
  },
  'two rounds swapped': (document, below) => {
    const [one, other] = [below(200), 200 + below(200)];
    swap(document.rounds, one, other);
    return { kind: 'order' };
  },
  'neighbours swapped': (document, below) => {
    const at = below(399);
    swap(document.rounds, at, at + 1);
    return { kind: 'order' };
  },
  'round moved': (document, below) => {
    const [round] = document.rounds.splice(below(200), 1);
    if (round) document.rounds.splice(210 + below(180), 0, round);
    return { kind: 'order', nonce: round?.nonce };
  },
  'round twice': (document, below) => {
    const at = below(400);
    document.rounds.splice(at, 0, structuredClone(document.rounds[at] as FairRound));
    return { kind: 'nonce', nonce: at };
  },
  'bet out of order': (document, below) => {
    const round = document.rounds[below(399)] as FairRound;
    round.betID += 3;
    return { kind: 'order' };
  },
  'id of a row': (document, below) => {
    const row = anyOf(document.tables[0]?.drawn ?? [], below);
    row[1] += 20_000 + below(100);
    return { kind: 'row', position: row[0] };
  },
  'weight of a row': (document, below) => {
    const row = anyOf(document.tables[0]?.drawn ?? [], below);
    row[2] = more(row[2], below);
    return { kind: 'weight', position: row[0] };
  },
  'payout of a row': (document, below) => {
    const row = anyOf(document.tables[0]?.drawn ?? [], below);
    row[3] = more(row[3], below);
    return { kind: 'payout', position: row[0] };
  },
  'hash of a book': (document, below) => {
    const row = anyOf(document.tables[below(2)]?.drawn ?? [], below);
    row[4] = digits(row[4], below);
    return { kind: 'book', position: row[0] };
  },
  'check digits of a row': (document, below) => {
    const row = anyOf(document.tables[0]?.drawn ?? [], below);
    row[5] = digits(row[5] as string, below);
    return { kind: 'row', position: row[0] };
  },
  'order of rows': (document, below) => {
    const drawn = document.tables[0]?.drawn ?? [];
    const at = below(drawn.length - 1);
    swap(drawn, at, at + 1);
    return { kind: 'row' };
  },
  'row left out': (document, below) => {
    const drawn = document.tables[0]?.drawn ?? [];
    drawn.splice(below(drawn.length), 1);
    return { kind: 'table' };
  },
  'weight of a sibling': (document, below) => {
    const sibling = anyOf(document.tables[0]?.siblings ?? [], below);
    sibling[0] = more(sibling[0], below);
    return { kind: 'weight' };
  },
  'hash of a sibling': (document, below) => {
    const sibling = anyOf(document.tables[0]?.siblings ?? [], below);
    sibling[1] = digits(sibling[1], below);
    return { kind: 'table' };
  },
  'sibling left out': (document, below) => {
    const siblings = document.tables[0]?.siblings ?? [];
    siblings.splice(below(siblings.length), 1);
    return { kind: 'table' };
  },
  'sibling too many': (document) => {
    document.tables[0]?.siblings.push(['1', '0'.repeat(64)]);
    return { kind: 'table' };
  },
  'total weight': (document, below) => {
    const table = document.tables[below(2)];
    if (table) table.totalWeight = more(table.totalWeight, below);
    return { kind: 'weight' };
  },
  root: (document, below) => {
    const table = document.tables[below(2)];
    if (table) table.root = digits(table.root, below);
    return { kind: 'table' };
  },
  'count of rows': (document, below) => {
    const table = document.tables[0];
    if (table) table.rows += 1 + below(3);
    return { kind: 'table' };
  },
  'name of a table': (document, below) => {
    const table = document.tables[below(2)];
    if (table) table[anyOf(['game', 'version', 'mode'] as const, below)] += 'X';
    return { kind: 'table' };
  },
  'table of a round': (document, below) => {
    const round = anyOf(completed(document), below);
    round.table = 1 - round.table;
    return { kind: 'row', nonce: round.nonce };
  },
  'no table of a round': (document, below) => {
    const round = anyOf(document.rounds, below);
    round.table = 2 + below(5);
    return { kind: 'table', nonce: round.nonce };
  },
  'book of a round': (document, below) => {
    const round = anyOf(completed(document), below);
    const other = anyOf(document.tables[round.table]?.drawn.filter((row) => row[1] !== round.bookID) ?? [], below);
    round.bookID = other[1];
    return { kind: 'row', nonce: round.nonce };
  },
  'book and payout of a round': (document, below) => {
    const round = anyOf(completed(document), below);
    const other = anyOf(
      document.tables[round.table]?.drawn.filter((row) => row[3] !== round.payoutMultiplier) ?? [],
      below,
    );
    [round.bookID, round.payoutMultiplier] = [other[1], other[3]];
    round.payout = Number((BigInt(round.amount) * BigInt(other[3])) / 100n);
    return { kind: 'row', nonce: round.nonce };
  },
  'book that nobody drew': (document, below) => {
    const round = anyOf(completed(document), below);
    round.bookID += 20_000;
    return { kind: 'row', nonce: round.nonce };
  },
  'multiplier of a round': (document, below) => {
    const round = anyOf(completed(document), below);
    round.payoutMultiplier = more(round.payoutMultiplier, below);
    return { kind: 'payout', nonce: round.nonce };
  },
  'multiplier and payout of a round': (document, below) => {
    const round = anyOf(completed(document), below);
    round.payoutMultiplier = more(round.payoutMultiplier, below);
    round.payout = Number((BigInt(round.amount) * BigInt(round.payoutMultiplier)) / 100n);
    return { kind: 'payout', nonce: round.nonce };
  },
  payout: (document, below) => {
    const round = anyOf(completed(document), below);
    round.payout += 1 + below(1000);
    return { kind: 'payout', nonce: round.nonce };
  },
  'amount of a win': (document, below) => {
    const round = anyOf(
      completed(document).filter(({ payout }) => payout > 0),
      below,
    );
    round.amount += 1 + below(1000);
    return { kind: 'payout', nonce: round.nonce };
  },
  'round made void': (document, below) => {
    const round = single(document, below);
    const { nonce, betID, table, amount } = round;
    document.rounds[nonce] = { nonce, betID, table, amount, void: true };
    const position = document.tables[table]?.drawn.find((row) => row[1] === round.bookID)?.[0];
    return { kind: 'row', position };
  },
  'void round shown as another': (document, below) => {
    const at = document.rounds.findIndex((round) => round.void);
    const { nonce, betID, table, amount } = document.rounds[at] as FairRound;
    const [, bookID, , payoutMultiplier] = anyOf(document.tables[table]?.drawn ?? [], below);
    const payout = Number((BigInt(amount) * BigInt(payoutMultiplier)) / 100n);
    document.rounds[at] = { nonce, betID, table, amount, payout, bookID, payoutMultiplier };
    return { kind: 'row', nonce };
  },
  'type of a field': (document, below) => {
    Object.assign(anyOf(document.rounds, below), { amount: anyOf(['1', -1, 0.5, null], below) });
    return { kind: 'format' };
  },
};

it('a genuine export matches', () => {
  expect(verify(genuine)).toEqual({
    ok: true,
    rounds: 400,
    voids: 10,
    notRevealed: false,
    issues: [],
    issueCount: 0,
  });
});

describe.each(Object.entries(TAMPERINGS))('an export with a changed %s', (name, tamper) => {
  const numbers = Array.from({ length: TAMPERINGS_OF_EACH }, (_, run) => name.length * 1000 + run);

  it.each(numbers)('is found and named (%i)', (seed) => {
    const document = structuredClone(genuine);
    const expected = tamper(document, numbersFrom(seed));
    const { ok, issues } = verify(document);
    expect(ok).toBe(false);
    expect([...new Set(issues.map(({ kind }) => kind))]).toEqual([expected.kind]);
    const wanted = Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined));
    expect(issues).toContainEqual(expect.objectContaining(wanted));
  });
});

describe('without check digits', () => {
  const bare = structuredClone(genuine);
  for (const table of bare.tables) for (const row of table.drawn) row.length = 5;

  it.each(['id of a row', 'payout of a row', 'weight of a row'])('a changed %s is named', (name) => {
    for (let seed = 1; seed <= TAMPERINGS_OF_EACH; seed += 1) {
      const document = structuredClone(bare);
      const { kind } = (TAMPERINGS[name] as Tampering)(document, numbersFrom(seed));
      expect(verify(document).issues).toEqual([expect.objectContaining({ kind })]);
    }
  });

  it("a changed hash of a book is the table's", () => {
    const document = structuredClone(bare);
    (TAMPERINGS['hash of a book'] as Tampering)(document, numbersFrom(1));
    expect(verify(document).issues).toEqual([expect.objectContaining({ kind: 'table' })]);
  });
});

describe('without the server seed', () => {
  const secret = { ...structuredClone(genuine), serverSeed: null };

  it('matches as far as it can be checked', () => {
    expect(verify(secret)).toMatchObject({ ok: true, notRevealed: true, issueCount: 0 });
  });

  it.each([
    'missing round',
    'neighbours swapped',
    'id of a row',
    'weight of a row',
    'payout of a row',
    'hash of a book',
    'hash of a sibling',
    'multiplier of a round',
    'book that nobody drew',
    'payout',
    'round made void',
  ])('a changed %s is named', (name) => {
    for (let seed = 1; seed <= TAMPERINGS_OF_EACH; seed += 1) {
      const document = structuredClone(secret);
      const { kind } = (TAMPERINGS[name] as Tampering)(document, numbersFrom(seed));
      expect([...new Set(verify(document).issues.map((issue) => issue.kind))]).toEqual([kind]);
    }
  });
});

describe('the proof of one round', () => {
  const nonce = completed(genuine).find(({ payout }) => payout > 0)?.nonce as number;
  const proof = proofOf(genuine, tables, nonce);
  const tampered = (edit: (document: FairDocument) => void): IssueKind[] => {
    const document = structuredClone(proof);
    edit(document);
    return verify(document).issues.map(({ kind }) => kind);
  };

  it('matches, also of a void round', () => {
    const voidNonce = genuine.rounds.find((round) => round.void)?.nonce as number;
    expect([verify(proof).ok, verify(proofOf(genuine, tables, voidNonce)).ok]).toEqual([true, true]);
  });

  it('names a book that is another one', () => {
    expect(tampered((document) => Object.assign(document, { book: `${document.book} ` }))).toEqual(['book']);
    expect(tampered(({ tables: [table] }) => table?.drawn[0]?.splice(4, 1, 'ab'.repeat(32)))).toEqual(['book']);
  });

  it('says that the draw differs, when nonce, client seed or a name was changed', () => {
    expect(tampered(({ rounds: [round] }) => Object.assign(round as FairRound, { nonce: nonce + 1 }))).toEqual([
      'draw',
    ]);
    expect(tampered(({ clientSeeds: [seed] }) => Object.assign(seed as object, { clientSeed: 'y' }))).toEqual(['draw']);
    expect(tampered(({ tables: [table] }) => Object.assign(table as object, { mode: 'ANTE' }))).toEqual(['draw']);
  });

  it('names a round that states another book or payout', () => {
    const edit = (change: object) => tampered(({ rounds: [round] }) => Object.assign(round as FairRound, change));
    expect(edit({ bookID: 20_001 })).toEqual(['row']);
    expect(edit({ payoutMultiplier: '1' })).toEqual(['payout']);
    expect(edit({ payout: 1 })).toEqual(['payout']);
  });
});

describe('what the player has noted', () => {
  const [root] = genuine.tables.map((table) => table.root) as [string];

  it('has to be in the document', () => {
    const { serverSeedHash, tables: all } = genuine;
    const roots = all.map((table) => table.root);
    expect(verify(genuine, { expected: { serverSeedHash, roots } }).ok).toBe(true);
  });

  it('names a server seed and a table that are others', () => {
    const kindsOf = (expected: object) => verify(genuine, { expected }).issues.map(({ kind }) => kind);
    expect(kindsOf({ serverSeedHash: '0'.repeat(64) })).toEqual(['serverSeed']);
    expect(kindsOf({ roots: [root] })).toEqual(['table']);
  });
});

it('calls with the progress about every 1,000 rounds', () => {
  const calls: unknown[] = [];
  verify(genuine, { onProgress: (...call) => calls.push(call) });
  expect(calls).toEqual([
    [0, 400],
    [400, 400],
  ]);
});

it('lists 100 issues and counts all', () => {
  const document = structuredClone(genuine);
  for (const round of completed(document)) round.payout += 1;
  const { issues, issueCount } = verify(document);
  expect([issues.length, issueCount]).toEqual([100, 390]);
});

function swap<T>(list: T[], one: number, other: number): void {
  [list[one], list[other]] = [list[other] as T, list[one] as T];
}
