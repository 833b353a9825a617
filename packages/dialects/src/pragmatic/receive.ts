import {
  type CurrencyCode,
  countrySchema,
  launchPages,
  launchTokenSchema,
  type Micros,
  newGrantIDSchema,
  OPEN_GRANT_STATES,
  playerIDSchema,
  storedPlayerIDSchema,
} from '@roundhouse/contract';
import * as z from 'zod';
import type { DialectServer, InboundRequest, InboundResponse, LaunchRefusalReason } from '../dialect.ts';
import { isSameText } from '../isSameText.ts';
import { decimalText } from '../money.ts';
import { parseJson } from '../parseJson.ts';
import type { Connection } from './settings.ts';
import { type Form, hashOf, readForm } from './signature.ts';

/** Operators compare the error with the text "0". The other codes are for people. */
const ERRORS = { internal: '1', unsigned: '2', parameters: '7', game: '8' } as const;
const no = (error: keyof typeof ERRORS, description: string) => ({ error: ERRORS[error], description });

type Asked = { connection: Connection; server: DialectServer; form: Form; body: string };
/** Responds with what the answer has beside its success, or with a refusal. */
type Handler = (asked: Asked) => Promise<object>;

/** hasJson: the parameters are in the query, and the body is JSON, which the hash leaves out. */
const HANDLERS: Readonly<Record<string, { handle: Handler; hasJson?: true }>> = {
  'CasinoGameAPI/game/url': { handle: launch },
  'CasinoGameAPI/getCasinoGames': { handle: listGames },
  'CasinoGameAPI/getBetScales': { handle: listBets },
  'FreeRoundsBonusAPI/v2/bonus/player/create': { handle: create, hasJson: true },
  'FreeRoundsBonusAPI/v2/bonus/cancel': { handle: cancel },
  'FreeRoundsBonusAPI/cancelFRB': { handle: cancel },
  'FreeRoundsBonusAPI/getPlayersFRB': { handle: listOfPlayer },
};
const PATH = /^(?:\/IntegrationService\/v3)?(?:\/http)?\/([A-Za-z0-9/]+?)\/?(?:\?(.*))?$/;

/** Responds to the requests that an operator sends to its supplier. The status is always 200. */
export async function receive(
  connection: Connection,
  { request, server }: { request: InboundRequest; server: DialectServer },
): Promise<InboundResponse> {
  const { secureLogin, secret } = connection.settings;
  const body = String(request.body);
  const [, path = '', query = ''] = PATH.exec(request.path) ?? [];
  const found = Object.hasOwn(HANDLERS, path) ? HANDLERS[path] : undefined;
  if (found === undefined || request.method !== 'POST') return respond(no('parameters', 'there is no such request'));
  const form = readForm(query, found.hasJson ? '' : body);
  if (form === undefined) return respond(no('parameters', 'a parameter is there twice, or there are more than 200'));
  if (!isSameText(form.secureLogin ?? '', secureLogin))
    return { ...respond(no('unsigned', 'the login is not known')), refused: 'partner' };
  if (!isSameText(form.hash?.toLowerCase() ?? '', hashOf(form, secret)))
    return { ...respond(no('unsigned', 'the hash is wrong')), refused: 'signature' };
  return respond(await found.handle({ connection, server, form, body }));
}

function respond(answer: object): InboundResponse {
  return { status: 200, body: JSON.stringify({ error: '0', description: 'OK', ...answer }) };
}

function issuesOf({ issues }: z.ZodError) {
  return no('parameters', issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}

const demoSchema = z.object({ symbol: z.string() });
const launchSchema = demoSchema.extend({
  externalPlayerId: playerIDSchema,
  token: launchTokenSchema,
  country: countrySchema.optional(),
});
const REASONS: Partial<Record<LaunchRefusalReason, keyof typeof ERRORS>> = { game: 'game', disabled: 'internal' };
const PAGES: Readonly<Record<string, string>> = { returnURL: 'lobbyUrl', cashierURL: 'cashierUrl' };

async function launch({ connection, server, form }: Asked) {
  const currency =
    form.currency === undefined ? connection.settings.currency : connection.currencyByCode(form.currency)?.currency;
  if (currency === undefined) return no('parameters', 'currency: is missing or not known');
  const device = form.platform === 'MOBILE' ? ('mobile' as const) : ('desktop' as const);
  const shown = { currency, device, language: form.language, ...launchPages((name) => form[PAGES[name] ?? '']) };
  const isDemo = form.playMode === 'DEMO';
  const parsed = (isDemo ? demoSchema : launchSchema).safeParse(form);
  if (!parsed.success) return issuesOf(parsed.error);
  const { symbol: gameID, externalPlayerId: playerID, token, country } = parsed.data as z.output<typeof launchSchema>;
  const launched = isDemo
    ? await server.launchDemo({ ...shown, gameID })
    : await server.launch({ ...shown, gameID, playerID, token, country });
  return launched.ok ? { gameURL: launched.url } : no(REASONS[launched.reason] ?? 'parameters', launched.detail);
}

async function listGames({ server }: Asked) {
  const gameList = (await server.games()).map(({ gameID, title }) => ({
    ...{ gameID, gameName: title, gameTypeID: 'vs', typeDescription: 'Video Slots', dataType: 'RNG' },
    ...{ technology: 'html5', technologyID: 'H5', platform: 'MOBILE,WEB', variableFrbAvailable: true },
  }));
  return { gameList };
}

/** Lists the bets that free rounds may have. Both parameters are lists with commas. */
async function listBets({ connection, server, form: { gameIDs, currencies } }: Asked) {
  const isIn = (list: string | undefined, value: string) => list?.split(',').includes(value) ?? true;
  const scaleOf = ([ours, levels]: [CurrencyCode, readonly number[]]) => {
    const { code: currency, scale, decimals } = connection.currency(ours);
    const written = levels.map((level) => scale.write(level as Micros)).filter((value) => value !== undefined);
    return { currency, totalBetScales: written.map((value) => decimalText(value, decimals)) };
  };
  const games = (await server.games()).filter(({ gameID }) => isIn(gameIDs, gameID));
  const gameList = games.map(({ gameID, betLevels }) => {
    const betScaleList = Object.entries(betLevels).map(scaleOf);
    return { gameID, betScaleList: betScaleList.filter(({ currency }) => isIn(currencies, currency)) };
  });
  return { gameList };
}

const countSchema = z.coerce.number().int().min(1).max(99_999_999_999);
const dateSchema = countSchema.transform((seconds) => new Date(seconds * 1000));
const bonusSchema = z.object({
  bonusCode: newGrantIDSchema,
  playerId: playerIDSchema,
  currency: z.string(),
  rounds: countSchema.max(9_999_999),
  startDate: dateSchema.optional(),
  expirationDate: dateSchema,
});
const betValueSchema = z.object({ totalBet: z.union([z.string(), z.number()]), currency: z.string() });
const gameBetSchema = z.object({ gameId: z.string(), betValues: z.array(betValueSchema).max(200) });
const betsSchema = z.object({ gameList: z.array(gameBetSchema).min(1).max(50) });

/** Creates the free rounds of one player. All games have the same bet. */
async function create({ connection, server, form, body }: Asked) {
  const bonus = bonusSchema.safeParse(form);
  if (!bonus.success) return issuesOf(bonus.error);
  const { bonusCode: grantID, playerId: playerID, rounds, startDate: startsAt, expirationDate: endsAt } = bonus.data;
  const bets = betsSchema.safeParse(parseJson(body));
  if (!bets.success) return issuesOf(bets.error);
  const { gameList } = bets.data;
  const known = connection.currencyByCode(bonus.data.currency);
  if (known === undefined) return no('parameters', 'currency: is not known');
  const { currency, code } = known;
  const amounts = gameList.map(({ betValues }) =>
    known.read(String(betValues.find((value) => value.currency === code)?.totalBet)),
  );
  const [bet] = amounts;
  if (bet === undefined || bet <= 0 || new Set(amounts).size > 1)
    return no('parameters', `gameList: needs the same totalBet in ${code} for each game`);
  const gameIDs = gameList.map(({ gameId }) => gameId);
  const given = await server.giveFreeRounds({ grantID, playerID, gameIDs, currency, bet, rounds, startsAt, endsAt });
  return given.ok ? { bonusCode: grantID } : no('parameters', given.detail);
}

async function cancel({ server, form }: Asked) {
  const { ok } = await server.cancelFreeRounds(form.bonusCode ?? '');
  return ok ? {} : no('parameters', 'bonusCode: is not known');
}

async function listOfPlayer({ connection, server, form }: Asked) {
  const playerID = storedPlayerIDSchema.safeParse(form.playerId);
  if (!playerID.success) return issuesOf(playerID.error);
  const grants = await server.freeRounds({ playerID: playerID.data });
  const open = grants.filter(({ state }) => OPEN_GRANT_STATES.includes(state));
  const bonuses = open.map(({ grantID, gameIDs, currency, given, used, expiresAt }) => ({
    ...{ bonusCode: grantID, gameIDList: gameIDs.join(','), currency: connection.currency(currency).code },
    ...{ rounds: given, roundsPlayed: used, expirationDate: Math.floor(Date.parse(expiresAt) / 1000) },
  }));
  return { bonuses };
}
