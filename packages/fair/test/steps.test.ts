import { expect, it } from 'vitest';
import { type FairDocument, type StepName, stepsOf } from '../src/index.ts';
import { makeDocument, makeTable, proofOf } from './support/makeDocument.ts';

const tables = [makeTable(300)];
const genuine = makeDocument({
  serverSeed: Buffer.alloc(32, 3),
  clientSeeds: [
    { from: 0, clientSeed: 'one' },
    { from: 5, clientSeed: 'two' },
  ],
  tables,
  plays: Array.from({ length: 10 }, (_, nonce) => ({ table: 0, amount: 100, isVoid: nonce === 2 })),
});
const NAMES: StepName[] = [
  'serverSeed',
  'clientSeed',
  'message',
  'hmac',
  'value',
  'ticket',
  'row',
  'payoutMultiplier',
  'payout',
  'book',
  'weights',
  'root',
];

it('a round of an export matches in each step; only its book is not there', () => {
  for (const nonce of [0, 1, 5, 9]) {
    const steps = stepsOf(genuine, nonce);
    expect(steps).toMatchObject({ nonce, isVoid: false, result: 'match', game: 'aurora-line', mode: 'BASE' });
    expect(steps?.steps.map(({ name }) => name)).toEqual(NAMES);
    expect(steps?.steps.filter(({ result }) => result !== 'match').map(({ name, result }) => [name, result])).toEqual([
      ['book', 'unknown'],
    ]);
    const { row, tries } = steps ?? {};
    const ticket = BigInt(steps?.steps[5]?.value ?? -1);
    expect(BigInt(row?.firstTicket ?? 0) <= ticket && ticket <= BigInt(row?.lastTicket ?? 0)).toBe(true);
    expect(tries?.at(-1)).toMatchObject({ accepted: true, message: steps?.steps[2]?.value });
  }
});

it('the proof of a round matches in each step, its book too', () => {
  const steps = stepsOf(proofOf(genuine, tables, 4), 4);
  expect(steps?.steps.map(({ result }) => result)).toEqual(NAMES.map(() => 'match'));
  expect(steps?.path.length).toBeGreaterThan(5);
});

it('a void round shows its draw, and no outcome', () => {
  const steps = stepsOf(genuine, 2);
  expect(steps).toMatchObject({ isVoid: true, result: 'match' });
  expect(steps?.steps.map(({ name }) => name)).toEqual([...NAMES.slice(0, 6), 'weights', 'root']);
});

it('without the server seed the draw is unknown, and the rest matches', () => {
  const steps = stepsOf({ ...proofOf(genuine, tables, 4), serverSeed: null }, 4);
  expect(steps).toMatchObject({ result: 'unknown', tries: [], row: { position: expect.any(Number) } });
  const unknown = steps?.steps.filter(({ result }) => result === 'unknown').map(({ name }) => name);
  expect(unknown).toEqual(['serverSeed', 'hmac', 'value', 'ticket', 'row']);
  expect(steps?.steps[2]?.value).toBe('roundhouse-fair-1:aurora-line:1.0.0:BASE:4:0:one');
});

it.each<[string, StepName[], (document: FairDocument) => void]>([
  ['server seed', ['serverSeed', 'row', 'payoutMultiplier'], (document) => ({ ...document, serverSeed: '' })],
  ['bookID', ['row'], (document) => change(document.rounds[0], { bookID: 999 })],
  ['multiplier', ['payoutMultiplier', 'payout'], (document) => change(document.rounds[0], { payoutMultiplier: '7' })],
  ['payout', ['payout'], (document) => change(document.rounds[0], { payout: 7 })],
  ['book', ['book'], (document) => change(document, { book: '[]' })],
  ['total weight', ['weights'], (document) => change(document.tables[0], { totalWeight: `${2 ** 45}` })],
  ['root', ['root'], (document) => change(document.tables[0], { root: '0'.repeat(64) })],
])('a changed %s is the step that differs', (name, differing, tamper) => {
  const document = structuredClone(proofOf(genuine, tables, 4));
  if (name === 'server seed') document.serverSeed = '0'.repeat(64);
  else tamper(document);
  const steps = stepsOf(document, 4);
  expect(steps?.result).toBe('mismatch');
  const found = steps?.steps.filter(({ result }) => result === 'mismatch').map(({ name: step }) => step);
  expect(found).toEqual(expect.arrayContaining(differing.slice(0, 1)));
});

it('a nonce that is not there has no steps', () => expect(stepsOf(genuine, 10)).toBeUndefined());

function change(target: object | undefined, fields: object): void {
  Object.assign(target ?? {}, fields);
}
