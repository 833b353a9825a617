import { expect, it } from 'vitest';
import type { BearerSession } from '../wallets/wallet.ts';
import { type InSessionDeps, inSession } from './inSession.ts';

const deps = { sessions: { find: async () => ({}) as BearerSession } } as unknown as InSessionDeps;
const request = { req: {}, res: { locals: {} }, body: { sessionID: 'a' } } as Parameters<typeof inSession>[1];

it('a response that has a member refusal is not a refusal', async () => {
  const response = { status: 200, body: {}, refusal: 'balance_too_low' };
  expect(await inSession(deps, request, async () => response)).toBe(response);
});

it('a refusal is a response with its code', async () => {
  const refused = { ok: false, refusal: 'balance_too_low' } as const;
  expect(await inSession(deps, request, async () => refused)).toMatchObject({
    status: 400,
    body: { error: 'ERR_IPB' },
  });
});
