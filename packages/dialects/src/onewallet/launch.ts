import { createHmac } from 'node:crypto';
import { countrySchema, launchPages, launchTokenSchema, playerIDSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { InboundResponse, LaunchResult } from '../dialect.ts';
import { isSameText } from '../isSameText.ts';
import { type Asked, invalid, refuse, respond } from './inbound.ts';

const pageSchema = z.url({ protocol: /^https?$/ }).optional();
const PAGES = { lobby: pageSchema, cashier: pageSchema, gameHistory: pageSchema, responsibleGaming: pageSchema };
const launchSchema = z.object({
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

export async function launch({ connection, server, body }: Asked): Promise<InboundResponse> {
  const { data, error } = launchSchema.safeParse(body);
  if (error) return invalid(error);
  const { player, config } = data;
  const currency = connection.currencyByCode(player.currency)?.currency;
  if (currency === undefined) return refuse(400, 'V.32', `'player.currency' ${player.currency} is not valid`);
  const { lobby: returnURL, cashier: cashierURL, gameHistory: historyURL, responsibleGaming } = config.urls;
  const pages = { returnURL, cashierURL, historyURL, responsibleGamblingURL: responsibleGaming };
  const result = await server.launch({
    playerID: player.id,
    token: player.session.id,
    gameID: config.game.table.id,
    currency,
    country: player.country.toUpperCase(),
    language: player.language.toLowerCase(),
    device: config.channel.mobile ? 'mobile' : 'desktop',
    ...launchPages((name) => pages[name]),
  });
  return launched(result, connection.settings.apiToken);
}

const LAUNCH_CODES = { game: 'V.34', currency: 'V.32', amounts: 'G.11', disabled: 'G.3', invalid: 'G.5' };

function launched(result: LaunchResult, secret: string): InboundResponse {
  if (!result.ok) return refuse(400, LAUNCH_CODES[result.reason], result.detail);
  const entry = entryOf(result.url, secret);
  return respond({ entry, entryEmbedded: `${entry}&embedded` });
}

/** The operator puts its name of this server before the entry. The game can be on another host. */
function entryOf(url: string, secret: string): string {
  return `/entry?params=${Buffer.from(url).toString('base64url')}.${macOf(url, secret)}`;
}

/** Redirects to the URL of an entry of this server alone: it leads nobody anywhere else. */
export function enter(path: string, secret: string): InboundResponse {
  const [, encoded = '', mac = ''] = /^\/entry\?params=([\w-]+)\.([\w-]+)(?:&.*)?$/.exec(path) ?? [];
  const url = Buffer.from(encoded, 'base64url').toString();
  if (!isSameText(mac, macOf(url, secret))) return refuse(404, 'G.0', 'there is no such entry');
  return { status: 302, headers: { Location: url, 'Referrer-Policy': 'no-referrer' }, body: '' };
}

function macOf(url: string, secret: string): string {
  return createHmac('sha256', secret).update(`entry ${url}`).digest('base64url');
}
