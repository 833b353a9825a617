import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChangeKind, changeOperator, type OperatorChange } from '../../src/ledger/queries/changeOperator.ts';
import { type Books, openBooks, SECRET } from './books.ts';

const OTHER_SECRET = 'another secret of more than thirty-two characters';
const walletUrl = 'http://127.0.0.1:9';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const change = (code: string, settings: OperatorChange, kind: ChangeKind = 'add_or_set') =>
  changeOperator(books.db, { code, kind, change: settings, makeSecret: () => SECRET });
const secretsOf = (code: string) => books.secretsOf(code);

it('of two that add the same operator at once, one is refused', async () => {
  const outcomes = await Promise.all([1, 2].map((count) => change('raced', { name: String(count) }, 'add')));
  expect(outcomes.filter(({ ok }) => !ok)).toEqual([{ ok: false, refusal: { kind: 'taken' } }]);
});

it('of two that become the default at once, one is refused', async () => {
  const outcomes = await Promise.all(['one', 'two'].map((code) => change(code, { walletUrl, isDefault: true })));
  expect(outcomes.filter(({ ok }) => !ok)).toMatchObject([{ refusal: { kind: 'other_default' } }]);
  expect(await books.db.operator.count({ where: { isDefault: true } })).toBe(1);
});

it('a change that is refused changes nothing', async () => {
  await change('refused', { name: 'as it was' });
  expect(await change('refused', { name: 'another', isDefault: true })).toMatchObject({ ok: false });
  expect(await books.db.operator.findUniqueOrThrow({ where: { code: 'refused' } })).toMatchObject({
    name: 'as it was',
  });
});

it('a secret is made only for a wallet, and only when there is none', async () => {
  expect(await change('secretive', {})).toMatchObject({ ok: true, newSecret: undefined });
  expect(await secretsOf('secretive')).toEqual([]);
  expect(await change('secretive', { walletUrl })).toMatchObject({ ok: true, newSecret: SECRET });
  expect(await change('secretive', { walletUrl })).toMatchObject({ ok: true, newSecret: undefined });
  expect(await secretsOf('secretive')).toEqual([SECRET]);
});

it('a given secret takes the place of others, and a known one leaves a rotation under way', async () => {
  await change('given', { walletUrl, secret: SECRET });
  await change('given', { secret: OTHER_SECRET });
  expect(await secretsOf('given')).toEqual([OTHER_SECRET]);
  await books.db.operator.update({ where: { code: 'given' }, data: { secrets: [OTHER_SECRET, SECRET] } });
  await change('given', { secret: OTHER_SECRET });
  expect(await secretsOf('given')).toEqual([OTHER_SECRET, SECRET]);
});
