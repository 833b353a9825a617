import { toMicros } from '@roundhouse/contract';
import { expect, it } from 'vitest';
import type { DialectServer } from '../dialect.ts';
import { receive } from './receive.ts';
import { connectionOf, settingsSchema } from './settings.ts';

const SETTINGS = { partners: [10], user: 'pns', password: 'test', gameref: 'rlx.roundhouse.studio.{game}' };
const storedAt = new Date(1_764_000_000_123);
const page = {
  ...{
    url: 'https://rgs/replay',
    roundID: 7n,
    playerID: '10/5',
    gameID: 'fixture',
    currency: 'EUR',
    state: 'closed',
  },
  ...{ debit: toMicros(1_000_000), payout: toMicros(1_500_000), openedAt: storedAt, closedAt: storedAt },
};
const server = { roundPage: async () => page } as unknown as DialectServer;
const ask = (
  partnerid: number,
  { address = '192.0.2.7', settings = {} }: { address?: string; settings?: object } = {},
) => {
  const body = Buffer.from(JSON.stringify({ credentials: { partnerid }, roundid: '7' }));
  const headers = { authorization: 'Basic cG5zOnRlc3Q=' };
  const request = { method: 'POST', path: '/round/getstate', headers, body, address };
  const all = settingsSchema.parse({ ...SETTINGS, partners: [10, 11], ...settings });
  return receive(connectionOf(all), request, server);
};

it('has no round of a player of another partner', async () => {
  const gameref = 'rlx.roundhouse.studio.fixture';
  const closedtime = '2025-11-24T16:00:00Z';
  expect(JSON.parse((await ask(10)).body)).toEqual({ closedtime, gameref, totalwinamount: 150 });
  expect(JSON.parse((await ask(11)).body)).toEqual({ closedtime: null, gameref: null, totalwinamount: null });
});

it.each([
  ['192.0.2.7', 200],
  ['::ffff:192.0.2.7', 200],
  ['2001:db8::1', 200],
  ['192.0.2.8', 403],
  ['', 403],
])('from %s, where addresses are listed', async (address, status) => {
  const settings = { addresses: ['192.0.2.7', '2001:db8::1'] };
  expect(await ask(10, { address, settings })).toMatchObject({
    status,
    ...(status === 403 && { refused: 'signature' }),
  });
});
