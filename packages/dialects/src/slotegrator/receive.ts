import { launchTokenSchema, playerIDSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { DialectGame, DialectServer, InboundRequest, InboundResponse, LaunchResult } from '../dialect.ts';
import { isSameText } from '../isSameText.ts';
import type { Connection } from './settings.ts';
import { type Params, signatureOf } from './signature.ts';

/** The largest difference of a time stamp from this server's clock. */
const WINDOW_SECONDS = 30;
const NAMES = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 422: 'Data Validation Failed' } as const;

type Asked = { connection: Connection; server: DialectServer; params: Readonly<Record<string, string>> };
type Answer = Pick<InboundResponse, 'status' | 'headers' | 'body'>;
const HANDLERS: Readonly<Record<string, (asked: Asked) => Promise<Answer>>> = {
  'GET /games': listGames,
  'GET /limits': async () => json([]),
  'POST /games/init': init,
  'POST /games/init-demo': initDemo,
};

/** Responds to the requests that an operator sends to its game aggregator. */
export async function receive(
  connection: Connection,
  { request, server }: { request: InboundRequest; server: DialectServer },
): Promise<InboundResponse> {
  const [path = '', query = ''] = request.path.split('?', 2);
  const text = request.method === 'GET' ? query : String(request.body);
  if (countParams(text) > MAX_PARAMS) return { ...no(401, `more than ${MAX_PARAMS} parameters`), refused: 'signature' };
  const sent: Params = [...new URLSearchParams(text)];
  const issue = await issueOf(connection, { request, server, sent });
  if (issue !== undefined) return issue;
  const name = `${request.method} ${path}`;
  const handle = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
  if (handle === undefined) return no(404, 'there is no such request here');
  // An empty parameter is a missing one.
  const params = Object.fromEntries(sent.filter(([, value]) => value !== ''));
  return handle({ connection, server, params });
}

/** Their signature sorts them: thousands would take the time of a hundred launches. */
const MAX_PARAMS = 200;

function countParams(text: string): number {
  return text === '' ? 0 : text.split('&', MAX_PARAMS + 1).length;
}

type Unchecked = { request: InboundRequest; server: DialectServer; sent: Params };

/** Anybody may resend a recorded request, so one that can change something passes once. */
async function issueOf(
  { settings }: Connection,
  { request: { headers, method }, server, sent }: Unchecked,
): Promise<InboundResponse | undefined> {
  const header = (name: string) => String(headers[name] ?? '');
  const [merchant, timestamp, nonce] = [header('x-merchant-id'), header('x-timestamp'), header('x-nonce')];
  const unsigned = (message: string): InboundResponse => ({ ...no(401, message), refused: 'signature' });
  if (!isSameText(merchant, settings.merchantID))
    return { ...no(401, 'X-Merchant-Id: is not known'), refused: 'partner' };
  if (!/^[0-9a-f]{40}$/.test(header('x-sign'))) return unsigned('X-Sign: is wrong');
  const expected = signatureOf(sent, { merchant, timestamp, nonce }, settings.merchantKey);
  if (!isSameText(header('x-sign'), expected)) return unsigned('X-Sign: is wrong');
  const aheadSeconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) - Date.now() / 1000 : Number.NaN;
  if (!(Math.abs(aheadSeconds) <= WINDOW_SECONDS)) return unsigned('X-Timestamp: is expired');
  if (!/^[\x21-\x7e]{1,128}$/.test(nonce)) return unsigned('X-Nonce: must have 1 to 128 characters');
  const isNew = method === 'GET' || (await server.takeNonce(nonce));
  return isNew ? undefined : unsigned('X-Nonce: was used before');
}

const shownSchema = z.object({
  game_uuid: z.string(),
  device: z.enum(['desktop', 'mobile']).default('desktop'),
  return_url: z.url({ protocol: /^https?$/ }).optional(),
  language: z.string().optional(),
});
const initSchema = shownSchema.extend({
  player_id: playerIDSchema,
  player_name: z.string(),
  currency: z.string(),
  session_id: launchTokenSchema,
});

function shownOf({ game_uuid: gameID, device, return_url, language }: z.output<typeof shownSchema>) {
  return { gameID, device, language, ...(return_url !== undefined && { returnURL: return_url }) };
}

async function init({ connection, server, params }: Asked): Promise<Answer> {
  const { data, error } = initSchema.safeParse(params);
  if (error) return invalid(error);
  const { currency } = connection.currencyByCode(data.currency) ?? {};
  if (currency === undefined) return no(422, 'currency: is not known');
  const { player_id: playerID, session_id: token } = data;
  return launched(await server.launch({ ...shownOf(data), playerID, token, currency }));
}

async function initDemo({ connection, server, params }: Asked): Promise<Answer> {
  const { data, error } = shownSchema.safeParse(params);
  if (error) return invalid(error);
  return launched(await server.launchDemo({ ...shownOf(data), currency: connection.settings.demoCurrency }));
}

const REFUSED_WITH = { game: 404, currency: 422, amounts: 422, disabled: 403, invalid: 422 } as const;
function launched(result: LaunchResult): Answer {
  return result.ok ? json({ url: result.url }) : no(REFUSED_WITH[result.reason], result.detail);
}

const MAX_PER_PAGE = 50;
const pageSchema = z.object({
  page: z.coerce.number().int().min(1).default(1),
  'per-page': z.coerce.number().int().default(20),
});
const FILTERS = ['provider', 'is_mobile', 'has_freespins'];

/** A page behind the last one is the last one. */
async function listGames({ connection, server, params }: Asked): Promise<Answer> {
  const { data, error } = pageSchema.safeParse(params);
  if (error) return invalid(error);
  const expanded = (params.expand ?? '').split(',');
  const filters = FILTERS.filter((field) => params[`filter[${field}]`] !== undefined);
  const all = (await server.games())
    .map((game) => itemOf(game, connection, expanded))
    .filter((item) => filters.every((field) => String(item[field]) === params[`filter[${field}]`]));
  const perPage = Math.min(Math.max(data['per-page'], 1), MAX_PER_PAGE);
  const pageCount = Math.ceil(all.length / perPage);
  const currentPage = Math.min(data.page, Math.max(pageCount, 1));
  const meta = { totalCount: all.length, pageCount, currentPage, perPage };
  const items = all.slice((currentPage - 1) * perPage, currentPage * perPage);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Pagination-Total-Count': String(all.length),
    'X-Pagination-Page-Count': String(pageCount),
    'X-Pagination-Current-Page': String(currentPage),
    'X-Pagination-Per-Page': String(perPage),
  };
  return { ...json({ items, _meta: meta }), headers };
}

function itemOf(
  { gameID, title, thumbnail }: DialectGame,
  { settings: { provider, providerID } }: Connection,
  expanded: readonly string[],
): Readonly<Record<string, unknown>> {
  const image = thumbnail ?? '';
  const file = image.split('/').at(-1) ?? '';
  return {
    ...{ uuid: gameID, name: title, image, type: 'slots', provider, provider_id: providerID },
    ...{ technology: 'html5', has_lobby: 0, is_mobile: 0, has_freespins: 0, has_tables: 0 },
    ...{ freespin_valid_until_full_day: 0, label: provider },
    ...(expanded.includes('tags') && { tags: [] }),
    ...(expanded.includes('related_games') && { related_games: [] }),
    ...(expanded.includes('images') && { images: image ? [{ name: file, file, url: image, type: 'regular' }] : [] }),
  };
}

function invalid({ issues: [issue] }: z.ZodError): Answer {
  return no(422, `${issue?.path.join('.')}: ${issue?.message}`);
}

function json(body: unknown, status = 200): Answer {
  return { status, body: JSON.stringify(body) };
}

function no(status: keyof typeof NAMES, message: string): Answer {
  return json({ name: NAMES[status], message, code: 0, status }, status);
}
