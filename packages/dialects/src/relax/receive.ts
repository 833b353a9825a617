import { httpUrlSchema, isPlainText, type Micros } from '@roundhouse/contract';
import * as z from 'zod';
import type { DialectServer, InboundRequest, InboundResponse, LaunchResult } from '../dialect.ts';
import { parseJson } from '../parseJson.ts';
import type { Ticket } from './send.ts';
import type { Connection } from './settings.ts';

const nameOf = (characters: number) =>
  z.string().min(1).max(characters).refine(isPlainText, 'must not hold control characters');
const digitsOf = (digits: number) => z.string().regex(new RegExp(`^\\d{1,${digits}}$`));

const launchSchema = z.object({
  gameid: nameOf(128),
  partnerid: digitsOf(15).transform(Number),
  moneymode: z.enum(['real', 'fun']),
  ticket: nameOf(512).optional(),
  channel: z.enum(['web', 'mobile']).default('web'),
  clientid: nameOf(64).optional(),
  lang: nameOf(32).optional(),
  currency: nameOf(16).optional(),
  jurisdiction: nameOf(32).optional(),
  homeurl: httpUrlSchema.optional(),
  rcinterval: digitsOf(9).transform(Number).pipe(z.int().max(86_400)).optional(),
});
const requestSchema = z.object({
  credentials: z.object({ partnerid: z.int() }),
  currency: nameOf(16).nullish(),
  roundid: z.string().default(''),
});
type Request = z.output<typeof requestSchema>;
type Deps = { connection: Connection; server: DialectServer };

/**
 * Responds to the browser of a launch, and to Relax. Only a request of Relax with the password gets
 * to the server.
 */
export async function receive(
  connection: Connection,
  { method, path, headers, body, address }: InboundRequest,
  server: DialectServer,
): Promise<InboundResponse> {
  const [route = '', query = ''] = path.split(/\?(.*)/s);
  if (method === 'GET' && route === '/launcher') {
    const parsed = launchSchema.safeParse(Object.fromEntries(new URLSearchParams(query)));
    if (!parsed.success) return page(400, issueOf(parsed.error));
    return launch(parsed.data, { connection, server }, address);
  }
  const answer = method === 'POST' ? ROUTES.get(route) : undefined;
  if (answer === undefined) return error(404, 'there is no such method');
  if (!connection.isAllowed(address)) return { ...error(403, 'this address is not allowed'), refused: 'signature' };
  if (!connection.isAuthorized(headers.authorization))
    return { ...error(401, 'the user or password is wrong'), refused: 'signature' };
  const parsed = requestSchema.safeParse(parseJson(body.toString()));
  if (!parsed.success) return error(400, issueOf(parsed.error));
  if (connection.isPartner(parsed.data.credentials.partnerid)) return answer(parsed.data, { connection, server });
  return { ...error(403, 'the partner is not known'), refused: 'partner' };
}

const issueOf = ({ issues: [issue] }: z.ZodError) => `${issue?.path.join('.')}: ${issue?.message}`;

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };
/** The player sees it in the browser. */
const page = (status: number, why: string) => ({ status, headers: TEXT, body: `The game cannot be opened: ${why}\n` });

const respond = (content: object, status = 200) => ({ status, body: JSON.stringify(content) });
const error = (status: number, errormessage: string) =>
  respond({ errorcode: 'INVALID_PARAMETERS', errormessage }, status);

const MS_PER_SECOND = 1_000;
const STATUS_WITHOUT_PLAYER = { refused: 403, uncertain: 502, not_sent: 503 };

/** The launch says who plays in a ticket alone, so the wallet is asked first. */
async function launch(
  { gameid: gameID, partnerid, moneymode, ticket, channel, clientid, lang, ...more }: z.output<typeof launchSchema>,
  { connection, server }: Deps,
  ip: string | undefined,
): Promise<InboundResponse> {
  if (!connection.isPartner(partnerid)) return { ...page(403, 'the partner is not known'), refused: 'partner' };
  const place = {
    gameID,
    language: lang,
    device: channel === 'mobile' ? ('mobile' as const) : ('desktop' as const),
    // Another page is left out: the game opens, and does not lead there.
    ...(more.homeurl !== undefined && connection.isHome(more.homeurl) && { returnURL: more.homeurl }),
  };
  if (moneymode === 'fun') {
    await server.admitStranger();
    const { currency } = connection.currencies.theirs(more.currency ?? connection.settings.defaultCurrency);
    return launched(
      await server.launchDemo({ ...place, currency, jurisdiction: connection.jurisdictionOf(more.jurisdiction) }),
    );
  }
  if (ticket === undefined) return page(400, 'ticket: is missing');
  const asked: Ticket = { ticket, partnerid, channel, clientid, ip };
  const verified = await server.identify({ gameID, token: JSON.stringify(asked) });
  if (verified.kind !== 'accepted')
    return page(STATUS_WITHOUT_PLAYER[verified.kind], 'the wallet does not confirm the player');
  const { playerID, currency, country, token = '', maxStake } = verified.body;
  const { jurisdiction } = verified.body;
  const player = { playerID, currency, country, token, jurisdiction, maxStake: maxStake as Micros | undefined };
  const browserRealityCheckMs = more.rcinterval === undefined ? undefined : more.rcinterval * MS_PER_SECOND;
  return launched(await server.launch({ ...place, ...player, browserRealityCheckMs }));
}

const launched = (result: LaunchResult) =>
  result.ok ? { status: 302, headers: { Location: result.url }, body: '' } : page(400, result.detail);

const ROUTES = new Map<string, (request: Request, deps: Deps) => Promise<InboundResponse>>([
  ['/games/getgames', getGames],
  ['/round/getstate', getState],
  ['/replay/get', getReplay],
]);

async function getGames({ currency: code }: Request, { connection, server }: Deps) {
  const { settings, currencies } = connection;
  const { currency, scale } = code ? currencies.theirs(code) : currencies.ours(settings.defaultCurrency);
  const facts = { studio: settings.studioName, channels: ['web', 'mobile'], category: 'slot' };
  const offered = (await server.games()).filter(({ currencies }) => currencies.includes(currency));
  const games = offered.map(({ gameID, title: name, betLevels: { [currency]: levels = [] } }) => {
    const sizes = levels.map((level) => scale.write(level as Micros)).filter((size) => size !== undefined);
    return { gameref: connection.gamerefOf(gameID), name, legalbetsizes: sizes.map(Number), ...facts };
  });
  return respond({ games });
}

async function getState(wanted: Request, deps: Deps) {
  const { gameref = null, closedtime = null, winamount: totalwinamount = null } = (await findRound(wanted, deps)) ?? {};
  return respond({ closedtime, gameref, totalwinamount });
}

async function getReplay(wanted: Request, deps: Deps) {
  const { gameref: _game, closedtime: roundend, ...round } = (await findRound(wanted, deps)) ?? {};
  if (roundend === undefined) return error(404, 'roundid: there is no such round, or it is not over');
  return respond({ ...round, roundend });
}

/**
 * Finds the round. An open round has won nothing yet. A round of another partner's player counts as
 * unknown.
 */
async function findRound({ roundid, credentials }: Request, { connection, server }: Deps) {
  if (!/^\d{1,18}$/.test(roundid)) return undefined;
  const round = await server.roundPage({ roundID: BigInt(roundid) });
  if (round === undefined || !connection.isOf(credentials.partnerid, round.playerID)) return undefined;
  const { url: replayurl, gameID, openedAt, closedAt, debit, payout } = round;
  const { code: currency, scale } = connection.currencies.ours(round.currency);
  const [betamount = 0, winamount = 0] = [debit, closedAt ? payout : (0 as Micros)].map(scale.write).map(Number);
  const [roundstart, closedtime] = [openedAt, closedAt].map((at) => at && `${at.toISOString().slice(0, 19)}Z`);
  return { replayurl, gameref: connection.gamerefOf(gameID), currency, betamount, winamount, roundstart, closedtime };
}
