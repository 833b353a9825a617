import { expect, it } from 'vitest';
import type { WalletOperator } from '../ledger/queries/operators.ts';
import type { WalletClient } from '../wallets/seamless/walletClient.ts';
import type { WalletResult } from '../wallets/seamless/walletResult.ts';
import { readListPage } from './reconcile.ts';

const OPERATOR = { timeoutMs: 1_000 } as WalletOperator;
const WINDOW = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

function pageOf(result: WalletResult) {
  const client = { send: async () => result } as unknown as WalletClient;
  return readListPage(client, OPERATOR, WINDOW);
}

it.each(['status 404 without a code', 'any other words', undefined])(
  'status 404 is no list, whatever the text for people says (%s)',
  async (detail) => {
    const result = { kind: 'uncertain', code: 'invalid_response', httpStatus: 404, ...(detail && { detail }) } as const;
    expect(await pageOf(result)).toEqual({ ok: false, refusal: { kind: 'not_offered' } });
  },
);

it('a refusal is a list that cannot be read, also one that comes with status 404', async () => {
  const refusal = { kind: 'unreadable', why: 'ERR_VAL' };
  expect(await pageOf({ kind: 'refused', code: 'ERR_VAL', httpStatus: 404 })).toEqual({ ok: false, refusal });
});
