import type { DialectTraits, WalletContext, WalletResult } from '@roundhouse/dialects';
import { roundhouse } from '@roundhouse/dialects';
import { beforeAll, describe, expect, it } from 'vitest';
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
type Sent = { name: string; body: { transactionID?: string; debitTransactionID?: string }; context: WalletContext };

/** Sends at a wallet with these traits, which gives this result to each request. */
function senderOf(traits: Partial<DialectTraits>, result: WalletResult) {
  const sent: Sent[] = [];
  const send = async (_operator: unknown, name: string, body: object, context: WalletContext) => {
    sent.push({ name, body, context });
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
  return { sender, sent };
}

/** Sends a stored wallet transaction of this age once, and returns what is stored then. */
async function sendOnce({ kind, ageMs = 0, retriedMs = ageMs, traits = {}, result }: Case) {
  const debit = { kind: 'debit', state: kind === 'credit' ? 'accepted' : 'abandoned' } as const;
  const createdAt = new Date(Date.now() - ageMs);
  const { ids, round } = await books.round(player, [debit, { kind, state: 'pending', createdAt }]);
  const [, transactionID = ''] = ids;
  const retryUntil = new Date(Date.now() - retriedMs + roundhouse.traits.retryMs);
  await books.db.walletTransaction.update({ where: { transactionId: transactionID }, data: { retryUntil } });
  const { sender, sent } = senderOf(traits, result);
  const { pending } = await sender.send(transactionID);
  const stored = await findWalletTransaction(books.db, transactionID);
  // The round is of this test alone: an open one would be in the way of the next.
  await books.db.round.update({ where: { id: round.id }, data: { endedAt: new Date(), walletState: 'credited' } });
  return {
    pending,
    state: stored?.state,
    settledBy: stored?.settledBy,
    contexts: sent.map(({ context }) => context),
    createdAt,
  };
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

describe('a lost debit, where one that has closed its round cannot be rolled back', () => {
  const ROLLED_BACK: WalletResult<'rollback'> = { kind: 'accepted', httpStatus: 200, body: {} };
  const UNCERTAIN = { kind: 'uncertain', code: 'timeout' } as const;
  const STANDS = { ...refused('ERR_VAL', true), debitStands: true } as WalletResult;
  const DAYS_MS = 73 * 60 * MINUTE_MS;

  /** Abandons a pending debit of a lost round of this age, and returns what is stored then. */
  async function abandon(result: WalletResult, ageMs = 0) {
    const createdAt = new Date(Date.now() - ageMs);
    const { ids, round } = await books.round(player, [{ kind: 'debit', state: 'pending', createdAt }], { payout: 0n });
    const [debitID = ''] = ids;
    const isOpen = { endedAt: null, walletState: 'debit_pending' } as const;
    await books.db.round.update({ where: { id: round.id }, data: isOpen });
    const { sender, sent } = senderOf({ closedDebitsStand: true }, result);
    const { pending } = await sender.send(debitID, 'recovery');
    const where = { id: round.id };
    const { walletState } = await books.db.round.findUniqueOrThrow({ where });
    const rows = await books.db.walletTransaction.findMany({ where: { roundId: round.id }, orderBy: { kind: 'asc' } });
    await books.db.round.update({ where, data: { endedAt: new Date(), walletState: 'void' } });
    const rollbackID = rows.find(({ kind }) => kind === 'rollback')?.transactionId;
    expect(sent).toMatchObject([{ name: 'rollback', body: { debitTransactionID: debitID } }]);
    // The stored rollback is the one that the wallet knows.
    if (rollbackID !== undefined) expect(sent[0]?.body.transactionID).toBe(rollbackID);
    return { pending, walletState, rows: rows.map(({ kind, state }) => `${kind} ${state}`) };
  }

  it.each<[string, WalletResult, number, string, string[]]>([
    ['is void when it is rolled back', ROLLED_BACK, 0, 'void', ['debit abandoned', 'rollback pending']],
    [
      'is void when the wallet does not know it',
      refused('ERR_BNF'),
      0,
      'void',
      ['debit abandoned', 'rollback pending'],
    ],
    ['is lost when the debit stands', STANDS, 0, 'credited', ['debit accepted', 'credit accepted']],
    ['waits while the wallet does not say', UNCERTAIN, 0, 'debit_pending', ['debit pending']],
    ['waits while that can be mended', refused('ERR_VAL'), 0, 'debit_pending', ['debit pending']],
    [
      'is void when nothing else will come',
      refused('ERR_VAL', true),
      0,
      'void',
      ['debit abandoned', 'rollback pending'],
    ],
    ['is void at the end of all retries', UNCERTAIN, DAYS_MS, 'void', ['debit abandoned', 'rollback pending']],
  ])('its round %s', async (_what, result, ageMs, walletState, rows) => {
    expect(await abandon(result, ageMs)).toEqual({ pending: walletState === 'debit_pending', walletState, rows });
  });
});
