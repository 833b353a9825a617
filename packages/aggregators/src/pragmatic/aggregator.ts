import type { Aggregator, Grant, World } from '../kit/aggregator.ts';
import { textOf } from '../kit/amounts.ts';
import { callSupplier, SupplierRefusal } from '../kit/supplier.ts';
import { BREAKAGES, ERROR, PATHS, respond } from './wallet.ts';
import { decimalsOf, FORM, type Params, PROVIDER, signedForm } from './wire.ts';

const SECURE_LOGIN = 'rh_casino';
const API = '/IntegrationService/v3/http';

/**
 * The simulator of an operator that serves a wallet in the style of Pragmatic Play:
 * docs/dialects/pragmatic.md.
 */
export const pragmatic: Aggregator = {
  name: 'pragmatic',
  scale: decimalsOf,
  paths: PATHS,
  breakages: BREAKAGES,
  settings: ({ keys: { secret } }) => ({
    server: { secureLogin: SECURE_LOGIN, secret, providerId: PROVIDER },
    own: { secureLogin: SECURE_LOGIN, secret },
  }),
  respond,
  async launch(world, { player, gameID, currency, language = 'en', device }) {
    const token = world.tokens.issue(player, currency, gameID);
    const { gameURL } = await ask(world, '/CasinoGameAPI/game/url/', {
      symbol: gameID,
      language,
      token,
      externalPlayerId: player,
      currency,
      country: 'SE',
      technology: 'H5',
      platform: device === 'mobile' ? 'MOBILE' : 'WEB',
      lobbyUrl: 'https://casino.example/lobby',
      cashierUrl: '',
    });
    return String(gameURL);
  },
  async games(world) {
    const { gameList } = await ask(world, '/CasinoGameAPI/getCasinoGames/', { options: 'GetFrbDetails' });
    const games = gameList as { gameID: string; gameName: string }[];
    return games.map(({ gameID, gameName: title }) => ({ gameID, title }));
  },
  async giveFreeRounds(world, { id, player, gameID, currency, bet, rounds, endsAt }: Grant) {
    const totalBet = textOf(bet, decimalsOf(currency));
    await ask(
      world,
      '/FreeRoundsBonusAPI/v2/bonus/player/create/',
      { bonusCode: id, playerId: player, currency, rounds: String(rounds), expirationDate: secondsOf(endsAt) },
      { gameList: [{ gameId: gameID, betValues: [{ totalBet, currency }] }] },
    );
  },
  async cancelFreeRounds(world, grantID) {
    await ask(world, '/FreeRoundsBonusAPI/v2/bonus/cancel/', { bonusCode: grantID });
  },
  // A refund names its bet, and has no id.
  transactionIDOf: ({ id, kind, ref }) => uuidOf(kind === 'rollback' ? (ref ?? '') : id),
  // The fault switch takes codes of capital letters: ERR_FINAL is error 120.
  errorResponse(code = 'ERR_RETRY') {
    const found = Object.entries(ERROR).find(([name]) => code === `ERR_${name.toUpperCase()}`);
    return { status: 200, body: { error: found?.[1] ?? ERROR.retry, description: code } };
  },
  meaning: ({ amount, reference: id, roundId: round }, { error, cash, bonus, currency }, what) => ({
    moves: [{ what, amount, id }],
    round,
    outcome: error === 0 ? undefined : `error ${error}`,
    has: { cash, bonus },
    currency,
  }),
};

/** A supplier answers with status 200 and an error that is a text. */
async function ask(world: World, path: string, params: Params, json?: object): Promise<Record<string, unknown>> {
  const form = signedForm({ secureLogin: SECURE_LOGIN, ...params }, world.keys.secret);
  const { status, body } = await callSupplier(
    world,
    json === undefined
      ? { path: API + path, headers: { 'content-type': FORM }, body: form }
      : { path: `${API}${path}?${form}`, body: JSON.stringify(json) },
  );
  const answer = status === 200 ? JSON.parse(body) : undefined;
  if (answer?.error !== '0') throw new SupplierRefusal(`${path}: ${status} ${body}`);
  return answer;
}

function secondsOf(date: Date): string {
  return String(Math.floor(date.getTime() / 1000));
}

function uuidOf(reference: string): string {
  return reference.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
