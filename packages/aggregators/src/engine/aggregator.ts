import type { Aggregator, World } from '../kit/aggregator.ts';
import type { Members } from '../kit/meaning.ts';
import { callSupplier, SupplierRefusal } from '../kit/supplier.ts';
import { BREAKAGES, respond } from './wallet.ts';
import { DECIMALS, HEALTH_PATH, PATHS, SIGNATURE_HEADER, STATUS_OF, signatureOf } from './wire.ts';

const OPERATOR = 'acme';
const TEAM_ID = 7;

type Game = { id: string; name: string };

/** Simulates an operator's wallet for Engine: docs/dialects/engine.md. */
export const engine: Aggregator = {
  name: 'engine',
  scale: () => DECIMALS,
  paths: PATHS,
  breakages: BREAKAGES,
  settings: ({ keys: { ed25519 } }) => ({
    server: {
      operator: OPERATOR,
      privateKey: ed25519.supplier.privateKey,
      operatorPublicKeys: [ed25519.aggregator.publicKey],
      teamID: TEAM_ID,
      publisher: 'Studio',
      healthPath: HEALTH_PATH,
    },
    own: { operator: OPERATOR, publicKey: ed25519.supplier.publicKey },
  }),
  respond,
  async launch(world, { player: user, gameID, currency, language = 'en', device = 'desktop' }) {
    const token = world.tokens.issue(user, currency, gameID);
    const game = `${TEAM_ID}_${gameID}`;
    const fields = { game, user, token, currency, language, device, tag: 'real' };
    const { url } = (await ask(world, '/game/url', fields)) as { url: string };
    return url;
  },
  async games(world) {
    const games = (await ask(world, '/game/list')) as Game[];
    return games.map(({ id, name }) => ({ gameID: id.slice(id.indexOf('_') + 1), title: name }));
  },
  transactionIDOf: ({ id }) => id,
  errorResponse(code = 'ERR_GE') {
    const statuses: Readonly<Record<string, number>> = STATUS_OF;
    return { status: statuses[code] ?? 500, body: { code, message: 'an injected error' } };
  },
  meaning({ debit, credit, rollbacks = [], round }, { code, balance }, what) {
    const moves = [
      ...[debit, credit].flatMap((each) => (each ? [movedOf(each, each === debit ? 'debit' : 'credit')] : [])),
      ...(rollbacks as Members[]).map(({ id }) => ({ what, id })),
    ];
    const { amount, currency } = { ...(balance as Members) };
    return {
      moves: moves.length === 0 ? [{ what }] : moves,
      round,
      outcome: code,
      has: { balance: amount },
      currency: currency ?? (debit as Members | null)?.currency,
      decimals: DECIMALS,
    };
  },
};

function movedOf(money: unknown, what: string) {
  const { amount, id } = money as Members;
  return { what, amount, id };
}

/** Sends a signed request to the server, and returns its response's body. A GET has no body. */
async function ask(world: World, path: string, fields?: object): Promise<unknown> {
  const body = fields === undefined ? '' : JSON.stringify(fields);
  const { privateKey } = world.keys.ed25519.aggregator;
  const headers = { 'X-Operator': OPERATOR, [SIGNATURE_HEADER]: signatureOf(body, privateKey) };
  const method = fields === undefined ? 'GET' : 'POST';
  const response = await callSupplier(world, { method, path, headers, body });
  if (response.status !== 200) throw new SupplierRefusal(`${path}: ${response.status} ${response.body}`);
  return JSON.parse(response.body);
}
