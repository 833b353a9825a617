import type { Aggregator, Grant, LaunchRequest, World } from '../kit/aggregator.ts';
import type { Members } from '../kit/meaning.ts';
import { callSupplier, SupplierRefusal } from '../kit/supplier.ts';
import { BREAKAGES, FINISH_PREFIX, respond } from './wallet.ts';
import { CURRENCIES, decimalsOf, RPC_PATH, RPCS, SIGNATURE_HEADER, signatureOf } from './wire.ts';

const CASINO = 'roundhouse-casino';

/**
 * The simulator of the SOFTSWISS Game Aggregator, provider protocol v2: docs/dialects/softswiss.md.
 */
export const softswiss: Aggregator = {
  name: 'softswiss',
  scale: decimalsOf,
  paths: RPCS.map((rpc) => `${RPC_PATH}${rpc}`),
  breakages: BREAKAGES,
  settings: ({ keys }) => ({
    server: { casinos: [{ id: CASINO, token: keys.secret }], currencies: CURRENCIES },
    own: { casino_id: CASINO, auth_token: keys.secret },
  }),
  respond,
  async launch(world, request) {
    const session_id = world.tokens.issue(request.player, request.currency, request.gameID);
    const account = accountOf(request);
    const body = { ...launchOf(request), session_id, account };
    return (await ask<{ launch_url: string }>(world, 'Launcher/Real', body)).launch_url;
  },
  async giveFreeRounds(world, { id, gameID, bet, rounds, endsAt, ...player }) {
    const level = betLevelOf(world, { gameID, bet, currency: player.currency });
    await ask(world, 'Freespins/Issue', {
      casino_id: CASINO,
      issue_id: id,
      games: [gameID],
      freespins_quantity: rounds,
      bet_level: level,
      valid_until: endsAt.toISOString(),
      account: accountOf(player),
    });
  },
  async cancelFreeRounds(world, issue_id) {
    await ask(world, 'Freespins/Cancel', { casino_id: CASINO, issue_id });
  },
  transactionIDOf: ({ id }) => id,
  grantIDOf: ({ id }) => (id.startsWith(FINISH_PREFIX) ? id.slice(FINISH_PREFIX.length) : undefined),
  errorResponse: () => ({ status: 500, body: { code: 'internal', msg: 'injected', meta: { api_code: '500' } } }),
  meaning({ transactions = [], amount, round_id, round_id_provider, currency }, { balance, meta, msg }, name) {
    const { api_code } = { ...(meta as Members | undefined) };
    const moves = (transactions as Members[]).map(({ type, ...each }) => {
      return { what: type, amount: each.amount, id: each.id_provider };
    });
    return {
      moves: moves.length === 0 ? [{ what: name, amount }] : moves,
      round: round_id ?? round_id_provider,
      outcome: api_code && `error ${api_code} ${msg}`,
      has: { balance },
      currency,
    };
  },
};

function launchOf({ gameID, language = 'en', device = 'desktop' }: LaunchRequest): object {
  return {
    casino_id: CASINO,
    game: gameID,
    locale: language,
    ip: '203.0.113.7',
    client_type: device,
    urls: { return_url: 'https://casino.example/lobby', deposit_url: 'https://casino.example/deposit' },
  };
}

function accountOf({ player, currency }: Pick<Grant, 'player' | 'currency'>): object {
  return { id: player, currency, country: 'FI', nickname: player, date_of_birth: '1990-01-01' };
}

/** A studio gives the aggregator the bets of its games. These are of the demo slot, in tenths. */
const LEVELS_IN_TENTHS = [1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000];

/** A test gives `bet levels of <gameID>` of another game, in the smallest unit of the currency. */
function betLevelOf({ memory }: World, { gameID, currency, bet }: Pick<Grant, 'gameID' | 'currency' | 'bet'>): number {
  const tenth = 10n ** BigInt(Math.max(0, decimalsOf(currency) - 1));
  const set = memory.get(`bet levels of ${gameID}`) as readonly bigint[] | undefined;
  const index = (set ?? LEVELS_IN_TENTHS.map((level) => BigInt(level) * tenth)).indexOf(bet);
  if (index < 0) throw new RangeError(`${bet} is no bet level of ${gameID} in ${currency}`);
  return index + 1;
}

/** @throws SupplierRefusal when the server refuses. */
async function ask<Response>(world: World, rpc: string, content: object): Promise<Response> {
  const body = JSON.stringify(content);
  const headers = { [SIGNATURE_HEADER]: signatureOf(body, world.keys.secret) };
  const response = await callSupplier(world, { path: `/v2/a8r_provider.${rpc}`, headers, body });
  if (response.status !== 200) throw new SupplierRefusal(`${rpc}: ${response.status} ${response.body}`);
  return JSON.parse(response.body);
}
