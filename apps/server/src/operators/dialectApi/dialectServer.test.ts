import { Overload } from '@roundhouse/service';
import { expect, it } from 'vitest';
import type { WalletOperator } from '../../store/operators/operators.ts';
import { createDialectServer, type DialectServerDeps } from './dialectServer.ts';

type Case = { isDisabled?: boolean; admit?: (address?: string) => Promise<void> };

function identify({ isDisabled = false, admit = async () => {} }: Case) {
  const sent: unknown[][] = [];
  const walletClient = {
    async send(_operator: unknown, ...request: unknown[]) {
      sent.push(request);
      return { kind: 'not_sent', detail: 'a test' };
    },
  };
  const deps = { walletClient, verificationLimit: { admit } } as unknown as DialectServerDeps;
  const wallet = { isDisabled } as WalletOperator;
  const owner = { wallet, address: '192.0.2.1' } as unknown as Parameters<typeof createDialectServer>[1];
  return { sent, result: createDialectServer(deps, owner).identify({ gameID: 'slot', token: 't' }) };
}

it('a launch that does not name the player is an authenticate of an unknown session', async () => {
  const admitted: unknown[] = [];
  const { sent, result } = identify({ admit: async (address) => void admitted.push(address) });
  await result;
  expect(admitted).toEqual(['192.0.2.1']);
  expect(sent).toEqual([['authenticate', { sessionID: '', gameID: 'slot' }, { token: 't', sessionKind: 'unknown' }]]);
});

it('the wallet of a disabled operator gets no request', async () => {
  const { sent, result } = identify({ isDisabled: true });
  expect([await result, sent]).toMatchObject([{ kind: 'not_sent' }, []]);
});

it('an address that has brought too many is an overload, and the wallet gets no request', async () => {
  const { sent, result } = identify({ admit: () => Promise.reject(new Overload('unknown sessions', 'too many')) });
  await expect(result).rejects.toThrow(Overload);
  expect(sent).toEqual([]);
});
