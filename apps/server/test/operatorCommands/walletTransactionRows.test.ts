import { WALLET_ERROR_CODES } from '@roundhouse/contract';
import { beforeAll, expect, it } from 'vitest';
import { type BooksPlayer, useBooks } from './books.ts';

const books = useBooks();
let player: BooksPlayer;

beforeAll(async () => {
  player = await books.player(await books.seamlessOperator('acme', 'http://127.0.0.1:9'), 'anna');
});

type Row = Parameters<typeof books.db.walletTransaction.update>[0]['data'];

/**
 * Changes a debit that the operator has accepted, or the rollback of a round whose debit was
 * abandoned.
 */
async function change(kind: 'debit' | 'rollback', data: Row): Promise<void> {
  const abandoned = { kind: 'debit', state: kind === 'debit' ? 'accepted' : 'abandoned' } as const;
  const { ids } = await books.round(player, [abandoned, { kind: 'rollback' }]);
  const transactionId = ids[kind === 'debit' ? 0 : 1] ?? '';
  await books.db.walletTransaction.update({ where: { transactionId }, data });
}

const OPEN = { settledAt: null, settledBy: null } as const;
const byPerson = { state: 'accepted', settledBy: 'person', settlementNote: 'seen' } as const;

it.each<[string, 'debit' | 'rollback', Row]>([
  ['refused with a certain code', 'debit', { state: 'refused', resultCode: 'ERR_IPB', httpStatus: 400 }],
  ['refused because it was not sent', 'debit', { state: 'refused', resultCode: 'not_sent' }],
  ['abandoned after a timeout', 'debit', { state: 'abandoned', resultCode: 'timeout' }],
  ['given up by recovery', 'debit', { state: 'abandoned', resultCode: 'node_lost', settledBy: 'recovery' }],
  ['of an unknown debit', 'rollback', { resultCode: 'ERR_BNF', httpStatus: 400 }],
  ['settled by a person after any result', 'rollback', { ...byPerson, resultCode: 'timeout' }],
  ['pending without a result', 'debit', { ...OPEN, state: 'pending', resultCode: null, resultAt: null }],
  ...WALLET_ERROR_CODES.map((resultCode): [string, 'rollback', Row] => [
    `parked with ${resultCode}`,
    'rollback',
    { ...OPEN, state: 'parked', resultCode, httpStatus: 500 },
  ]),
])('a row can be %s', async (_name, kind, data) => {
  await change(kind, data);
});

it.each<[constraint: string, 'debit' | 'rollback', Row]>([
  ['result_code_known', 'rollback', { ...OPEN, state: 'pending', resultCode: 'ERR_WHAT' }],
  ['result_has_time', 'debit', { resultAt: null }],
  ['result_has_time', 'debit', { ...OPEN, state: 'pending', resultCode: null }],
  ['http_status_of_a_response', 'debit', { httpStatus: 99 }],
  ['http_status_of_a_response', 'debit', { state: 'abandoned', resultCode: 'timeout', httpStatus: 500 }],
  ['settled_has_time', 'debit', { settledAt: null, settledBy: null }],
  ['settled_has_settler', 'debit', { settledBy: null }],
  ['settled_has_settler', 'debit', { state: 'pending', settledAt: null }],
  ['note_of_a_person', 'debit', { settlementNote: 'a note' }],
  ['note_of_a_person', 'rollback', { settledBy: 'person' }],
  ['state_agrees_with_result', 'debit', { resultCode: 'ERR_BNF' }],
  ['state_agrees_with_result', 'debit', { resultCode: 'timeout' }],
  ['state_agrees_with_result', 'debit', { state: 'refused' }],
  ['state_agrees_with_result', 'debit', { state: 'refused', resultCode: 'ERR_UE' }],
  ['state_agrees_with_result', 'debit', { state: 'abandoned', resultCode: 'ERR_IPB' }],
  ['state_agrees_with_result', 'debit', { state: 'abandoned', resultCode: 'timeout', settledBy: 'recovery' }],
  ['state_agrees_with_result', 'rollback', { resultCode: 'ERR_GE' }],
  ['state_agrees_with_result', 'rollback', { state: 'refused', resultCode: 'ERR_BNF' }],
  ['state_agrees_with_result', 'rollback', { ...byPerson, state: 'abandoned' }],
])('%s: the database refuses a %s with %j', async (constraint, kind, data) => {
  await expect(change(kind, data)).rejects.toThrow(`wallet_transactions_${constraint}`);
});
