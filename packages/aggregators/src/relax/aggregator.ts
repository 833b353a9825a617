import type { Aggregator, World } from '../kit/aggregator.ts';
import { callSupplier, SupplierRefusal } from '../kit/supplier.ts';
import { BREAKAGES, respond, UNKNOWN } from './wallet.ts';
import { METHODS, PARTNER, passwordOf, playeridOf, type RelaxSettings, USER } from './wire.ts';

const GAMEREF = 'rlx.roundhouse.studio.{game}';

/** Simulates Relax Gaming: docs/dialects/relax.md. Amounts are cents. */
export const relax: Aggregator = {
  name: 'relax',
  scale: () => 2,
  paths: METHODS.map((method) => `/${PARTNER}/${method}`),
  breakages: BREAKAGES,
  settings: ({ keys }) => ({
    server: {
      partners: [PARTNER],
      user: USER,
      password: keys.secret,
      gameref: GAMEREF,
      homeURLs: ['https://casino.example'],
    } satisfies RelaxSettings,
    own: {},
  }),
  respond,
  async launch(world, { player, gameID, currency, language = 'en', device = 'desktop' }) {
    const query = new URLSearchParams({
      gameid: gameID,
      ticket: world.tokens.issue(player, currency, gameID),
      partnerid: String(PARTNER),
      moneymode: 'real',
      lang: language,
      clientid: 'html5',
      channel: device === 'mobile' ? 'mobile' : 'web',
      homeurl: 'https://casino.example/lobby',
    });
    const { status, headers, body } = await callSupplier(world, { method: 'GET', path: `/launcher?${query}` });
    if (status !== 302) throw new SupplierRefusal(`/launcher: ${status} ${body}`);
    return String(headers.location);
  },
  async games(world) {
    const response = await callRelaxService(world, '/games/getgames', {});
    const { games } = JSON.parse(response) as { games: { gameref: string; name: string }[] };
    return games.map(({ gameref, name }) => ({ gameID: gameref.split('.').slice(3).join('.'), title: name }));
  },
  playerIDOf: (player) => String(playeridOf(player)),
  transactionIDOf: ({ id }) => id.replace(UNKNOWN, ''),
  errorResponse: (code) => ({
    status: code === undefined ? 500 : 400,
    body: { errorcode: code ?? 'UNHANDLED', errormessage: 'injected' },
  }),
  meaning: ({ amount, txid: id, roundid: round, currency }, answered, what) => ({
    moves: [{ what, amount, id }],
    round,
    outcome: answered.errorcode,
    has: { balance: answered.balance },
    currency: currency ?? answered.currency,
    decimals: 2,
  }),
};

/** Sends a request of Relax to one of the server's own services. */
async function callRelaxService(world: World, path: string, content: object): Promise<string> {
  const body = JSON.stringify({ credentials: { partnerid: PARTNER, src: 'partnerapi', bouser: null }, ...content });
  const response = await callSupplier(world, { path, body, headers: { authorization: passwordOf(world) } });
  if (response.status !== 200) throw new SupplierRefusal(`${path}: ${response.status} ${response.body}`);
  return response.body;
}
