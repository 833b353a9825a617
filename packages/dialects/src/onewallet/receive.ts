import { createHmac } from 'node:crypto';
import { countrySchema, launchPages, launchTokenSchema, playerIDSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { DialectServer, InboundRequest, InboundResponse } from '../dialect.ts';
import { isSameText } from '../isSameText.ts';
import { parseJson } from '../parseJson.ts';
import type { Connection } from './settings.ts';

const pageSchema = z.url({ protocol: /^https?$/ }).optional();
const PAGES = { lobby: pageSchema, cashier: pageSchema, gameHistory: pageSchema, responsibleGaming: pageSchema };
const requestSchema = z.object({
  uuid: z.string().min(1).max(256),
  player: z.object({
    id: playerIDSchema,
    country: countrySchema,
    language: z.string().min(2).max(16),
    currency: z.string().min(1).max(16),
    session: z.object({ id: launchTokenSchema }),
  }),
  config: z.object({
    game: z.object({ table: z.object({ id: z.string().min(1).max(128) }) }),
    channel: z.object({ mobile: z.boolean().default(false) }),
    urls: z.object(PAGES).default({}),
  }),
});

/** The code of a validation failure, by the first member that is not right. */
const VALIDATION_CODES: readonly [member: string, code: string][] = [
  ['uuid', 'V.16'],
  ['player.session', 'V.10'],
  ['player.country', 'V.11'],
  ['player.currency', 'V.12'],
  ['player.language', 'V.13'],
  ['player.id', 'V.41'],
  ['player', 'V.17'],
  ['config.game', 'V.26'],
  ['config.channel', 'V.20'],
  ['config.urls', 'V.29'],
  ['config', 'V.18'],
];
const LAUNCH_CODES = { game: 'V.34', currency: 'V.32', amounts: 'G.11', disabled: 'G.3', invalid: 'G.5' };

/** Responds to the operator: a launch, and the entry to which its player is sent. */
export async function receive(
  connection: Connection,
  { method, path, body }: InboundRequest,
  server: DialectServer,
): Promise<InboundResponse> {
  const { casinoKey, apiToken } = connection.settings;
  if (method === 'GET' && path.startsWith('/entry?')) return redirect(path, apiToken);
  const [, casino, token] = /^\/ua\/v1\/([^/?]+)\/([^/?]+)$/.exec(path) ?? [];
  if (method !== 'POST' || casino === undefined || token === undefined)
    return failure(404, 'G.0', 'there is no such service');
  const isTrusted = isSameText(token, apiToken);
  if (!isSameText(casino, casinoKey)) return { ...failure(403, 'G.1', 'Unknown casino'), refused: 'partner' };
  if (!isTrusted) return { ...failure(403, 'G.2', 'Provided api token is incorrect'), refused: 'signature' };
  return launch(connection, parseJson(body.toString()), server);
}

async function launch(connection: Connection, content: unknown, server: DialectServer): Promise<InboundResponse> {
  const parsed = requestSchema.safeParse(content);
  if (!parsed.success) {
    const { path = [], message = '' } = parsed.error.issues[0] ?? {};
    const member = path.join('.');
    const [, code = 'G.0'] = VALIDATION_CODES.find(([name]) => `${member}.`.startsWith(`${name}.`)) ?? [];
    return failure(400, code, `'${member}': ${message}`);
  }
  const { player, config } = parsed.data;
  const currency = connection.currencyByCode(player.currency)?.currency;
  if (currency === undefined) return failure(400, 'V.32', `'player.currency' ${player.currency} is not valid`);
  const { lobby: returnURL, cashier: cashierURL, gameHistory: historyURL, responsibleGaming } = config.urls;
  const pages = { returnURL, cashierURL, historyURL, responsibleGamblingURL: responsibleGaming };
  const launched = await server.launch({
    playerID: player.id,
    token: player.session.id,
    gameID: config.game.table.id,
    currency,
    country: player.country.toUpperCase(),
    language: player.language.toLowerCase(),
    device: config.channel.mobile ? 'mobile' : 'desktop',
    ...launchPages((name) => pages[name]),
  });
  if (!launched.ok) return failure(400, LAUNCH_CODES[launched.reason], launched.detail);
  const entry = entryOf(launched.url, connection.settings.apiToken);
  return { status: 200, body: JSON.stringify({ entry, entryEmbedded: `${entry}&embedded` }) };
}

/** The operator puts its name of this server before the entry. The game can be on another host. */
function entryOf(url: string, secret: string): string {
  return `/entry?params=${Buffer.from(url).toString('base64url')}.${macOf(url, secret)}`;
}

/** Redirects only to a URL that an entry of this server made, and never elsewhere. */
function redirect(path: string, secret: string): InboundResponse {
  const [, encoded = '', mac = ''] = /^\/entry\?params=([\w-]+)\.([\w-]+)(?:&.*)?$/.exec(path) ?? [];
  const url = Buffer.from(encoded, 'base64url').toString();
  if (!isSameText(mac, macOf(url, secret))) return failure(404, 'G.0', 'there is no such entry');
  return { status: 302, headers: { Location: url, 'Referrer-Policy': 'no-referrer' }, body: '' };
}

function macOf(url: string, secret: string): string {
  return createHmac('sha256', secret).update(`entry ${url}`).digest('base64url');
}

function failure(status: number, code: string, message: string): InboundResponse {
  return { status, body: JSON.stringify({ errors: [{ code, message }] }) };
}
