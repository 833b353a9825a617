import { createHash } from 'node:crypto';
import { countrySchema, currencySchema, launchTokenSchema, playerIDSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { InboundResponse, LaunchResult } from '../dialect.ts';
import { type Asked, invalid, refuse, respond } from './inbound.ts';

const pageSchema = z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).nullish();
const launchSchema = z.object({
  game_code: z.string(),
  currency: z.string(),
  platform: z.enum(['GPL_DESKTOP', 'GPL_MOBILE']),
  user: z.string().min(1).nullish(),
  token: launchTokenSchema.nullish(),
  country: countrySchema.nullish(),
  lang: z.string().nullish(),
  lobby_url: pageSchema,
  deposit_url: pageSchema,
});

export async function launch({ connection, server, operatorID, body: sent }: Asked): Promise<InboundResponse> {
  const { data: body, error } = launchSchema.safeParse(sent);
  if (error) return invalid(error);
  const { user, token, country } = body;
  const isDemo = body.currency === 'XXX' || (!user && !token);
  const currency = isDemo ? connection.settings.demoCurrency : connection.currencyByCode(body.currency).currency;
  if (!currencySchema.safeParse(currency).success) return refuse(404, 'currency: is unknown');
  const place = {
    gameID: body.game_code,
    currency,
    language: body.lang ?? undefined,
    device: body.platform === 'GPL_MOBILE' ? ('mobile' as const) : ('desktop' as const),
    ...(body.lobby_url && { returnURL: body.lobby_url }),
    ...(body.deposit_url && { cashierURL: body.deposit_url }),
  };
  if (isDemo) return launched(await server.launchDemo(place));
  const player = playerIDSchema.safeParse(`${operatorID}/${user}`);
  if (!user || !token || !player.success) return refuse(400, 'user, token: a game for money needs both');
  const requestKey = createHash('sha256')
    .update(JSON.stringify([operatorID, body]))
    .digest('hex');
  const who = { playerID: player.data, token, country: country?.toUpperCase(), requestKey };
  return launched(await server.launch({ ...place, ...who }));
}

const LAUNCH_CODES = { game: 404, currency: 403, amounts: 403, disabled: 403, invalid: 400 } as const;

function launched(result: LaunchResult): InboundResponse {
  return result.ok ? respond({ url: result.url }) : refuse(LAUNCH_CODES[result.reason], result.detail);
}
