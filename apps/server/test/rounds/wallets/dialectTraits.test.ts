import type { DialectTraits, WalletContext, WalletResult } from '@roundhouse/dialects';
import { roundhouse } from '@roundhouse/dialects';
import { beforeAll, expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { createTransactionSender } from '../../../src/rounds/wallets/seamless/transactionSender.ts';
import type { WalletClient } from '../../../src/rounds/wallets/seamless/walletClient.ts';
import { createWalletOperators } from '../../../src/rounds/wallets/seamless/walletOperators.ts';
import { sealWalletToken } from '../../../src/store/database/secretKeys.ts';
import { findWalletOperator } from '../../../src/store/operators/operators.ts';
import { findWalletTransaction } from '../../../src/store/rounds/walletTransactions.ts';
import { type BooksPlayer, useBooks } from '../../cli/commands/books.ts';

const books = useBooks();
let operatorID: number;
let player: BooksPlayer;
beforeAll(async () => {
  operatorID = await books.seamlessOperator('acme', 'http://127.0.0.1:9');
  player = await books.player(operatorID, 'anna');
});

const MINUTE_MS = 60_000;
const refused = (code: 'ERR_BNF' | 'ERR_IS' | 'ERR_VAL', final = false): WalletResult => {
  return { kind: 'refused', code, httpStatus: 200, ...(final && { final }) };
};

type Case = {
  kind: 'credit' | 'rollback';
  ageMs?: number;
  /** The time for which it is retried, if a person has made it pending again. */
  retriedMs?: number;
  traits?: Partial<DialectTraits>;
  result: WalletResult;
};

/** Sends a stored wallet transaction of this age once, and returns what is stored then. */
async function sendOnce({ kind, ageMs = 0, retriedMs = ageMs, traits = {}, result }: Case) {
  const debit = { kind: 'debit', state: kind === 'credit' ? 'accepted' : 'abandoned' } as const;
  const createdAt = new Date(Date.now() - ageMs);
  const { ids, round } = await books.round(player, [debit, { kind, state: 'pending', createdAt }]);
  const [, transactionID = ''] = ids;
  const retryUntil = new Date(Date.now() - retriedMs + roundhouse.traits.retryMs);
  await books.db.walletTransaction.update({ where: { transactionId: transactionID }, data: { retryUntil } });
  const contexts: WalletContext[] = [];
  const send = async (_operator: unknown, _name: string, _body: unknown, context: WalletContext) => {
    contexts.push(context);
    return result;
  };
  const sender = createTransactionSender({
    db: books.db,
    ledger: createLedger(books.db),
    client: { send, traits: () => ({ ...roundhouse.traits, ...traits }) } as unknown as WalletClient,
    operators: createWalletOperators((operatorID) => findWalletOperator(books.db, { operatorID })),
    failpoint: () => {},
    onError: () => {},
  });
  const { pending } = await sender.send(transactionID);
  const stored = await findWalletTransaction(books.db, transactionID);
  // The round is of this test alone: an open one would be in the way of the next.
  await books.db.round.update({ where: { id: round.id }, data: { endedAt: new Date(), walletState: 'credited' } });
  return { pending, state: stored?.state, settledBy: stored?.settledBy, contexts, createdAt };
}

it.each<[string, Case, object]>([
  ['an unknown debit is certain at once', { kind: 'rollback', result: refused('ERR_BNF') }, { state: 'accepted' }],
  [
    'a young debit may still come',
    { kind: 'rollback', result: refused('ERR_BNF'), traits: { unknownDebitAfterMs: MINUTE_MS } },
    { pending: true, state: 'pending' },
  ],
  [
    'an old debit comes no more',
    { kind: 'rollback', result: refused('ERR_BNF'), traits: { unknownDebitAfterMs: MINUTE_MS }, ageMs: 2 * MINUTE_MS },
    { state: 'accepted', settledBy: 'operator' },
  ],
  ['a refused credit is retried', { kind: 'credit', result: refused('ERR_VAL') }, { pending: true, state: 'pending' }],
  [
    'a final refusal parks it',
    { kind: 'credit', result: refused('ERR_VAL', true) },
    { pending: true, state: 'parked' },
  ],
  [
    'it is parked when the time for retries is over',
    { kind: 'rollback', result: refused('ERR_VAL'), traits: { retryMs: MINUTE_MS }, ageMs: 2 * MINUTE_MS },
    { state: 'parked' },
  ],
  [
    'the time for retries begins anew when a person retries it',
    {
      kind: 'rollback',
      result: refused('ERR_VAL'),
      traits: { retryMs: MINUTE_MS },
      ageMs: 2 * MINUTE_MS,
      retriedMs: 0,
    },
    { state: 'pending' },
  ],
  ['a refused session is retried', { kind: 'credit', result: refused('ERR_IS') }, { state: 'pending' }],
  [
    'a refused session is final where it must be live',
    { kind: 'credit', result: refused('ERR_IS'), traits: { settlesWithoutSession: false } },
    { state: 'parked' },
  ],
])('%s', async (_, sent, expected) => {
  const outcome = await sendOnce(sent);
  expect(outcome).toMatchObject(expected);
  expect(outcome.contexts).toHaveLength(1);
});

it('the first rollback waits as long as the dialect says', async () => {
  const wait = { kind: 'rollback', traits: { rollbackAfterMs: MINUTE_MS }, result: refused('ERR_BNF') } as const;
  expect(await sendOnce(wait)).toMatchObject({ pending: true, state: 'pending', contexts: [] });
  expect(await sendOnce({ ...wait, ageMs: 2 * MINUTE_MS })).toMatchObject({ pending: false, state: 'accepted' });
});

it('the wallet of another protocol gets the token of the launch and the same time in each attempt', async () => {
  const ofCredit = { kind: 'credit', ageMs: MINUTE_MS, result: refused('ERR_VAL') } as const;
  expect((await sendOnce(ofCredit)).contexts).toMatchObject([{ token: undefined }]);
  await books.db.operator.update({ where: { id: operatorID }, data: { dialect: 'another' } });
  const walletToken = sealWalletToken(books.db.secretKeys, 'a token', 'acme');
  await books.db.session.update({ where: { id: player.id }, data: { walletToken } });
  const { contexts, createdAt } = await sendOnce(ofCredit);
  expect(contexts).toMatchObject([{ token: 'a token', storedAt: createdAt, amount: 2_000_000 }]);
});
