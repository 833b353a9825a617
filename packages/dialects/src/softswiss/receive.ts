import {
  countrySchema,
  grantIDSchema,
  launchTokenSchema,
  newGrantIDSchema,
  playerIDSchema,
  toMicros,
} from '@roundhouse/contract';
import * as z from 'zod';
import type { DialectServer, InboundRequest, InboundResponse, LaunchResult } from '../dialect.ts';
import { parseJson } from '../parseJson.ts';
import type { Casino, Connection } from './settings.ts';
import { isSignedWith, SIGNATURE_HEADER } from './signature.ts';

const nameSchema = z.string().min(1).max(128);
const accountSchema = z.object({ id: nameSchema, currency: nameSchema, country: countrySchema.optional() });
const demoSchema = z.object({
  rpc: z.literal('Launcher/Demo'),
  game: nameSchema,
  locale: z.string().optional(),
  client_type: z.enum(['desktop', 'mobile']).optional(),
  urls: z.object({ return_url: z.string().optional(), deposit_url: z.string().optional() }).default({}),
  jurisdiction: z.string().default(''),
});
const realSchema = demoSchema.extend({
  rpc: z.literal('Launcher/Real'),
  session_id: launchTokenSchema,
  account: accountSchema,
});
const issueSchema = z.object({
  rpc: z.literal('Freespins/Issue'),
  issue_id: grantIDSchema,
  games: z.array(nameSchema).min(1).max(50),
  freespins_quantity: z.int().min(1),
  bet_level: z.int(),
  valid_until: z.iso.datetime({ offset: true }),
  account: accountSchema,
});
const cancelSchema = z.object({ rpc: z.literal('Freespins/Cancel'), issue_id: grantIDSchema });
const requestSchema = z.discriminatedUnion('rpc', [realSchema, demoSchema, issueSchema, cancelSchema]);

/** An error of Twirp, with that of the aggregator in its meta. */
type Problem = { status: number; code: string; apiCode: string; msg: string };
type Outcome = Problem | { status: 200; content: object };

const DONE: Outcome = { status: 200, content: {} };
const NO_ROUTE: Problem = { status: 404, code: 'bad_route', apiCode: '404', msg: 'there is no such method' };
const DENIED: Problem = { status: 403, code: 'permission_denied', apiCode: '403', msg: 'the signature is not valid' };
const invalid = (msg: string, apiCode = '400'): Problem => ({ status: 400, code: 'invalid_argument', apiCode, msg });

/** The aggregator gives these to the same reasons. */
const LAUNCH_CODES = { game: '405', currency: '154', amounts: '154', disabled: '503', invalid: '400' };

type Deps = { connection: Connection; casino: Casino; server: DialectServer };

/**
 * Responds to the aggregator. Only a request that a token of the settings signs gets to the server.
 */
export async function receive(
  connection: Connection,
  { method, path, headers, body }: InboundRequest,
  server: DialectServer,
): Promise<InboundResponse> {
  const [, rpc] = /^\/v2\/a8r_provider\.(Launcher\/(?:Real|Demo)|Freespins\/(?:Issue|Cancel))$/.exec(path) ?? [];
  if (method !== 'POST' || rpc === undefined) return respond(NO_ROUTE);
  const { casinos } = connection.settings;
  const signature = headers[SIGNATURE_HEADER];
  const signers = casinos.filter(({ token }) => isSignedWith(token, { body, signature }));
  if (signers.length === 0) return { ...respond(DENIED), refused: 'signature' };
  const content: Record<string, unknown> = { ...(parseJson(body.toString()) as object) };
  const casino = signers.find(({ id }) => id === content.casino_id);
  if (casino === undefined) {
    const isKnown = casinos.some(({ id }) => id === content.casino_id);
    return { ...respond(DENIED), refused: isKnown ? 'signature' : 'partner' };
  }
  const parsed = requestSchema.safeParse({ ...content, rpc });
  if (parsed.success) return respond(await handle(parsed.data, { connection, casino, server }));
  const [issue] = parsed.error.issues;
  return respond(invalid(`${issue?.path.join('.')}: ${issue?.message}`));
}

function respond(outcome: Outcome): InboundResponse {
  if ('content' in outcome) return { status: 200, body: JSON.stringify(outcome.content) };
  const { status, code, apiCode, msg } = outcome;
  return { status, body: JSON.stringify({ code, msg, meta: { api_code: apiCode, api_message: msg } }) };
}

async function handle(request: z.output<typeof requestSchema>, deps: Deps): Promise<Outcome> {
  const { connection, casino, server } = deps;
  if (request.rpc === 'Launcher/Demo')
    return launched(
      await server.launchDemo({ ...placeOf(request, connection), currency: connection.settings.demoCurrency }),
    );
  if (request.rpc === 'Freespins/Cancel') {
    if ((await server.cancelFreeRounds(connection.nameIn(casino, request.issue_id))).ok) return DONE;
    return { status: 400, code: 'not_found', apiCode: '620', msg: 'there is no such issue' };
  }
  const { account } = request;
  const currency = connection.currencyByCode(account.currency.toUpperCase())?.currency;
  if (currency === undefined) return invalid(`account.currency: ${account.currency} is not known`, '154');
  const playerID = connection.nameIn(casino, account.id);
  if (!playerIDSchema.safeParse(playerID).success) return invalid('account.id: is no name of a player', '101');
  if (request.rpc === 'Freespins/Issue') return issueFreeRounds(request, { ...deps, playerID, currency });
  const player = { playerID, currency, token: request.session_id, country: account.country };
  return launched(await server.launch({ ...placeOf(request, connection), ...player }));
}

function launched(result: LaunchResult): Outcome {
  if (result.ok) return { status: 200, content: { launch_url: result.url } };
  return invalid(result.detail, LAUNCH_CODES[result.reason]);
}

type Place = Pick<z.output<typeof demoSchema>, 'game' | 'locale' | 'client_type' | 'urls' | 'jurisdiction'>;

function placeOf({ game, locale, client_type, urls, jurisdiction }: Place, { gameOurs, settings }: Connection) {
  return {
    gameID: gameOurs(game),
    language: locale,
    device: client_type,
    jurisdiction: new Map(Object.entries(settings.jurisdictions)).get(jurisdiction),
    ...(urls.return_url && { returnURL: urls.return_url }),
    ...(urls.deposit_url && { cashierURL: urls.deposit_url }),
  };
}

type Player = { playerID: string; currency: string };

async function issueFreeRounds(
  { issue_id, games, bet_level, freespins_quantity: rounds, valid_until }: z.output<typeof issueSchema>,
  { connection, casino, server, ...player }: Deps & Player,
): Promise<Outcome> {
  const grantID = connection.nameIn(casino, issue_id);
  if (!newGrantIDSchema.safeParse(grantID).success) return invalid('issue_id: is too long, or no plain text');
  const gameIDs = games.map(connection.gameOurs);
  const offered = (await server.games()).filter(({ gameID }) => gameIDs.includes(gameID));
  if (offered.length < new Set(gameIDs).size) return invalid('games: one of them is not offered', '601');
  const level = bet_level - connection.settings.firstBetLevel;
  const [bet, ...others] = new Set(offered.map(({ betLevels }) => betLevels[player.currency]?.[level]));
  if (bet === undefined || others.length > 0)
    return invalid('bet_level: is no level, or not the same bet in each game');
  const endsAt = new Date(valid_until);
  const given = await server.giveFreeRounds({ ...player, grantID, gameIDs, bet: toMicros(bet), rounds, endsAt });
  if (given.ok) return DONE;
  const msg = given.detail;
  return given.reason === 'taken' ? { status: 400, code: 'already_exists', apiCode: '409', msg } : invalid(msg);
}
