import type { Aggregator, DialectKit } from '../../src/kit/aggregator.ts';
import { CheckFailure, type Endpoint, NotTestable, type Rule } from '../../src/kit/check.ts';
import { callSupplier, SupplierRefusal } from '../../src/kit/supplier.ts';

type TinySettings = { secret: string };
type TinyMove = { id: string; kind: 'bet' | 'win' | 'rollback'; token: string; cents: number; round: string };

/** The least protocol of an aggregator: one path, a password, cents. */
const tiny: Aggregator = {
  name: 'tiny',
  scale: () => 2,
  paths: ['/move'],
  breakages: ['takes any password', 'expires bets late'],
  settings: ({ keys }) => ({ server: { secret: keys.secret }, own: {} }),
  async respond({ path, headers, body }, { books, tokens, keys, broken, isInstant }) {
    const isTrusted = isInstant || headers['x-password'] === keys.secret || broken === 'takes any password';
    if (path !== '/move' || !isTrusted) return { status: 403, body: '{"error":"forbidden"}' };
    const { id, kind, token, cents, round }: TinyMove = JSON.parse(String(body));
    const found = tokens.find(token);
    const isExpired = found?.isExpired && kind === 'bet' && broken !== 'expires bets late';
    if (found === undefined || isExpired) return { status: 200, body: '{"error":"token"}' };
    const { player, currency } = found;
    const moved = books.move({ id, kind, player, currency, amount: BigInt(cents), round });
    if (moved === 'insufficient') return { status: 200, body: '{"error":"balance"}' };
    return { status: 200, body: JSON.stringify({ cents: Number(books.balance(player, currency)) }) };
  },
  async launch(world, { player, currency, gameID }) {
    const token = world.tokens.issue(player, currency, gameID);
    const body = JSON.stringify({ player, currency, gameID, token });
    const response = await callSupplier(world, { path: '/launch', body });
    if (response.status !== 200) throw new SupplierRefusal(`/launch: ${response.status} ${response.body}`);
    return JSON.parse(response.body).url;
  },
  async giveFreeRounds(world, { id, bet }) {
    await callSupplier(world, { path: '/grant', body: JSON.stringify({ id, cents: String(bet) }) });
  },
  transactionIDOf: ({ id }) => id,
};

async function move(endpoint: Endpoint<TinySettings>, fields: Partial<TinyMove>, password = endpoint.settings.secret) {
  const { facts } = endpoint;
  const all = { id: 'a', kind: 'bet', token: facts.token, cents: Number(facts.bet), round: '1', ...fields };
  const { response } = await endpoint.post('/move', JSON.stringify(all), { 'x-password': password });
  return response.came ? JSON.parse(response.body) : {};
}

const rules: readonly Rule<TinySettings>[] = [
  {
    id: 'signature.wrong',
    rule: 'A wrong password is refused.',
    async run(endpoint) {
      const response = await move(endpoint, {}, 'another');
      if (response.error !== 'forbidden') throw new CheckFailure('the wallet took it');
    },
  },
  {
    id: 'bet.expired',
    rule: 'A bet with an expired token is refused.',
    async run(endpoint) {
      const { expiredToken } = endpoint.facts;
      if (expiredToken === undefined) throw new NotTestable('there is no expired token');
      const response = await move(endpoint, { token: expiredToken });
      if (response.error !== 'token') throw new CheckFailure('the wallet took it');
    },
  },
];

export const TINY: DialectKit<TinySettings> = { aggregator: tiny, rules };
