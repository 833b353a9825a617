import type { Aggregator, World } from '../kit/aggregator.ts';
import { callSupplier, SupplierRefusal } from '../kit/supplier.ts';
import { BREAKAGES, respond } from './wallet.ts';
import { CALLBACK, decimalsOf, formOf, headersOf, MERCHANT, type Params, uuidOf } from './wire.ts';

/**
 * The simulator of an operator that serves the callbacks of Slotegrator's game aggregator API:
 * docs/dialects/slotegrator.md.
 */
export const slotegrator: Aggregator = {
  name: 'slotegrator',
  scale: decimalsOf,
  paths: [CALLBACK],
  breakages: BREAKAGES,
  settings: ({ keys }) => ({
    server: { merchantID: MERCHANT, merchantKey: keys.secret, callbackPath: CALLBACK },
    own: { merchantId: MERCHANT, merchantKey: keys.secret },
  }),
  respond,
  async launch(world, { player, gameID, currency, language = 'en', device = 'desktop' }) {
    const session_id = world.tokens.issue(player, currency, gameID);
    const launch = { game_uuid: gameID, player_id: player, player_name: player, currency, session_id };
    const more = { device, language, return_url: 'https://casino.example/lobby?from=game' };
    const { url } = await ask<{ url: string }>(world, 'POST /games/init', Object.entries({ ...launch, ...more }));
    return url;
  },
  async games(world) {
    const { items } = await ask<{ items: { uuid: string; name: string }[] }>(world, 'GET /games', [
      ['page', '1'],
      ['per-page', '50'],
    ]);
    return items.map(({ uuid: gameID, name: title }) => ({ gameID, title }));
  },
  transactionIDOf: ({ id }) => uuidOf(id),
  errorResponse: () => ({ status: 200, body: { error_code: 'INTERNAL_ERROR', error_description: 'injected' } }),
  meaning: ({ action: what, amount, transaction_id: id, round_id: round, currency }, { balance, error_code }) => ({
    moves: [{ what, amount, id }],
    round,
    outcome: error_code,
    has: { balance },
    currency,
  }),
};

/** @throws SupplierRefusal when the server refuses. */
async function ask<Response>(world: World, request: string, params: Params): Promise<Response> {
  const [method, path] = request.split(' ') as ['GET' | 'POST', string];
  const headers = headersOf(params, { merchantID: MERCHANT, merchantKey: world.keys.secret });
  const sent = method === 'GET' ? { path: `${path}?${formOf(params)}` } : { path, body: formOf(params) };
  const { status, body } = await callSupplier(world, { method, headers, ...sent });
  if (status !== 200) throw new SupplierRefusal(`${request}: ${status} ${body}`);
  return JSON.parse(body);
}
