import type { Aggregator, Grant, World } from '../kit/aggregator.ts';
import { callSupplier, SupplierRefusal } from '../kit/supplier.ts';
import { BREAKAGES, respond } from './wallet.ts';
import { DECIMALS, PATHS, SIGNATURE_HEADER, signatureOf } from './wire.ts';

/** Each simulator is one casino. */
const OPERATOR_ID = 1;

type Game = { game_code: string; name: string };
type Prepaid = { prepaid_uuid: string; game_code: string; currency: string };

/** Simulates Hub88: docs/dialects/hub88.md. */
export const hub88: Aggregator = {
  name: 'hub88',
  scale: () => DECIMALS,
  paths: PATHS,
  breakages: BREAKAGES,
  settings: ({ keys }) => ({
    server: {
      operatorIDs: [OPERATOR_ID],
      privateKey: keys.supplier.privateKey,
      hub88PublicKeys: [keys.aggregator.publicKey],
    },
    own: { operator_id: OPERATOR_ID, publicKey: keys.supplier.publicKey },
  }),
  respond,
  async launch(world, { player, gameID, currency, language = 'en', device }) {
    const token = world.tokens.issue(player, currency, gameID);
    // The session is active when the server has returned the URL.
    world.memory.set(`opening ${token}`, true);
    const { url } = (await ask(world, '/game/url', {
      user: player,
      token,
      currency,
      country: 'EE',
      platform: device === 'mobile' ? 'GPL_MOBILE' : 'GPL_DESKTOP',
      sub_partner_id: 'my-casino-id',
      game_code: gameID,
      lang: language,
      lobby_url: 'https://casino.example/lobby',
      deposit_url: 'https://casino.example/deposit',
      ip: '::ffff:10.0.0.39',
      meta: {},
    })) as { url: string };
    world.memory.delete(`opening ${token}`);
    return url;
  },
  games: async (world) =>
    (await listOf<Game>(world, '/game/list')).map(({ game_code, name }) => ({ gameID: game_code, title: name })),
  async giveFreeRounds(world, { id, player, gameID, currency, bet, rounds, endsAt }: Grant) {
    const prepaids = await listOf<Prepaid>(world, '/freebet/prepaids/list');
    const prepaid = prepaids.find((each) => each.game_code === gameID && each.currency === currency);
    if (prepaid === undefined) throw new SupplierRefusal(`there is no prepaid of ${gameID} in ${currency}`);
    await ask(world, '/freebet/rewards/create', {
      user: player,
      prepaid_uuid: prepaid.prepaid_uuid,
      reward_uuid: id,
      bet_value: Number(bet),
      bet_count: rounds,
      end_time: endsAt.toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length),
    });
  },
  async cancelFreeRounds(world, grantID) {
    await ask(world, '/freebet/rewards/cancel', { reward_uuid: grantID });
  },
  transactionIDOf: ({ id }) => id,
  playerIDOf: (player) => `${OPERATOR_ID}/${player}`,
  errorResponse: (code) => ({ status: 200, body: { status: code ?? 'RS_ERROR_UNKNOWN' } }),
  meaning: ({ amount, transaction_uuid: id, round, currency }, answered, what) => ({
    moves: [{ what, amount, id }],
    round,
    outcome: answered.status,
    has: { balance: answered.balance },
    currency: answered.currency ?? currency,
    decimals: DECIMALS,
  }),
};

/** Sends a signed request to the server, and returns the body of its response. */
async function ask(world: World, path: string, fields: object): Promise<unknown> {
  const body = JSON.stringify({ operator_id: OPERATOR_ID, ...fields });
  const headers = { [SIGNATURE_HEADER]: signatureOf(body, world.keys.aggregator.privateKey) };
  const response = await callSupplier(world, { path, headers, body });
  if (response.status !== 200) throw new SupplierRefusal(`${path}: ${response.status} ${response.body}`);
  return JSON.parse(response.body);
}

/** Lists are asked for once: the server gives them once a minute. */
async function listOf<Row>(world: World, path: string): Promise<Row[]> {
  const known = world.memory.get(path) ?? (await ask(world, path, {}));
  world.memory.set(path, known);
  return known as Row[];
}
