import { launchTokenSchema, playerIDSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { InboundResponse, LaunchResult } from '../dialect.ts';
import { type Asked, invalid, refuse, respond } from './inbound.ts';

const demoSchema = z.object({
  game_uuid: z.string(),
  device: z.enum(['desktop', 'mobile']).default('desktop'),
  return_url: z.url({ protocol: /^https?$/ }).optional(),
  language: z.string().optional(),
});
const launchSchema = demoSchema.extend({
  player_id: playerIDSchema,
  player_name: z.string(),
  currency: z.string(),
  session_id: launchTokenSchema,
});

export async function launch({ connection, server, params }: Asked): Promise<InboundResponse> {
  const { data, error } = launchSchema.safeParse(params);
  if (error) return invalid(error);
  const { currency } = connection.currencyByCode(data.currency) ?? {};
  if (currency === undefined) return refuse(422, 'currency: is not known');
  const { player_id: playerID, session_id: token } = data;
  return launched(await server.launch({ ...placeOf(data), playerID, token, currency }));
}

export async function launchDemo({ connection, server, params }: Asked): Promise<InboundResponse> {
  const { data, error } = demoSchema.safeParse(params);
  if (error) return invalid(error);
  return launched(await server.launchDemo({ ...placeOf(data), currency: connection.settings.demoCurrency }));
}

function placeOf({ game_uuid: gameID, device, return_url, language }: z.output<typeof demoSchema>) {
  return { gameID, device, language, ...(return_url !== undefined && { returnURL: return_url }) };
}

const LAUNCH_CODES = { game: 404, currency: 422, amounts: 422, disabled: 403, invalid: 422 } as const;

function launched(result: LaunchResult): InboundResponse {
  return result.ok ? respond({ url: result.url }) : refuse(LAUNCH_CODES[result.reason], result.detail);
}
