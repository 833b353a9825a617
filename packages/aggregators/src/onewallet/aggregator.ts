import { createHash, randomUUID } from 'node:crypto';
import type { Aggregator, LaunchRequest, World } from '../kit/aggregator.ts';
import type { Members } from '../kit/meaning.ts';
import { callSupplier, SupplierRefusal } from '../kit/supplier.ts';
import { BREAKAGES, respond } from './wallet.ts';
import { decimalsOf, METHODS } from './wire.ts';

const CASINO_KEY = 'roundhousecasino1';

/**
 * The simulator of an operator with a wallet in the style of Evolution's One Wallet:
 * docs/dialects/onewallet.md.
 */
export const onewallet: Aggregator = {
  name: 'onewallet',
  scale: decimalsOf,
  paths: METHODS.map((method) => `/${method}`),
  breakages: BREAKAGES,
  settings(world) {
    const server = { casinoKey: CASINO_KEY, apiToken: apiTokenOf(world), authToken: world.keys.secret };
    return { server, own: server };
  },
  respond,
  async launch(world, request) {
    const path = `/ua/v1/${CASINO_KEY}/${apiTokenOf(world)}`;
    const { status, body } = await callSupplier(world, { path, body: JSON.stringify(launchOf(world, request)) });
    if (status !== 200) throw new SupplierRefusal(`launch: ${status} ${body}`);
    const { entry } = JSON.parse(body) as { entry: string };
    const opened = await callSupplier(world, { method: 'GET', path: entry });
    const { location } = opened.headers;
    if (opened.status !== 302 || typeof location !== 'string')
      throw new SupplierRefusal(`entry: ${opened.status} ${opened.body}`);
    return location;
  },
  transactionIDOf: ({ note = '' }) => note,
  errorResponse: (code) => ({ status: 200, body: { status: code ?? 'TEMPORARY_ERROR' } }),
  meaning({ transaction, game, currency }, { status: outcome, balance, bonus }, what) {
    const { amount, id } = { ...(transaction as Members | undefined) };
    const { id: round } = { ...(game as Members | undefined) };
    return { moves: [{ what, amount, id }], round, outcome, has: { balance, bonus }, currency };
  },
};

/** The launch needs another secret than the wallet. */
function apiTokenOf({ keys }: World): string {
  return createHash('sha256').update(`launch ${keys.secret}`).digest('hex');
}

function launchOf({ tokens }: World, { player, currency, gameID, language = 'en', device = 'desktop' }: LaunchRequest) {
  return {
    uuid: randomUUID(),
    player: {
      id: player,
      update: false,
      firstName: 'Test',
      lastName: 'Player',
      nickname: player.slice(0, 35),
      country: 'FI',
      language,
      currency,
      session: { id: tokens.issue(player, currency, gameID), ip: '203.0.113.7' },
    },
    config: {
      brand: { id: '1', skin: '1' },
      game: { category: 'slots', interface: 'view1', table: { id: gameID } },
      channel: { wrapped: false, mobile: device === 'mobile' },
      urls: { lobby: 'https://casino.example/lobby', cashier: 'https://casino.example/cashier' },
    },
  };
}
