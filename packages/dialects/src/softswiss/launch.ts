import { launchTokenSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { InboundResponse, LaunchResult } from '../dialect.ts';
import { type Asked, accountSchema, invalid, nameSchema, playerOf, refuse, respond } from './inbound.ts';
import type { Connection } from './settings.ts';

const demoSchema = z.object({
  game: nameSchema,
  locale: z.string().optional(),
  client_type: z.enum(['desktop', 'mobile']).optional(),
  urls: z.object({ return_url: z.string().optional(), deposit_url: z.string().optional() }).default({}),
  jurisdiction: z.string().default(''),
});
const launchSchema = demoSchema.extend({ session_id: launchTokenSchema, account: accountSchema });

export async function launch(asked: Asked): Promise<InboundResponse> {
  const { data, error } = launchSchema.safeParse(asked.body);
  if (error) return invalid(error);
  const { session_id: token, account } = data;
  const player = playerOf(account, asked);
  if (player.refusal !== undefined) return player.refusal;
  const { playerID, currency } = player;
  const who = { playerID, currency, token, country: account.country };
  return launched(await asked.server.launch({ ...placeOf(data, asked.connection), ...who }));
}

export async function launchDemo({ connection, server, body }: Asked): Promise<InboundResponse> {
  const { data, error } = demoSchema.safeParse(body);
  if (error) return invalid(error);
  const currency = connection.settings.demoCurrency;
  return launched(await server.launchDemo({ ...placeOf(data, connection), currency }));
}

function placeOf(
  { game, locale, client_type, urls, jurisdiction }: z.output<typeof demoSchema>,
  { gameOurs, settings }: Connection,
) {
  return {
    gameID: gameOurs(game),
    language: locale,
    device: client_type,
    jurisdiction: new Map(Object.entries(settings.jurisdictions)).get(jurisdiction),
    ...(urls.return_url && { returnURL: urls.return_url }),
    ...(urls.deposit_url && { cashierURL: urls.deposit_url }),
  };
}

/** The aggregator gives these to the same reasons. */
const LAUNCH_CODES = { game: '405', currency: '154', amounts: '154', disabled: '503', invalid: '400' };

function launched(result: LaunchResult): InboundResponse {
  return result.ok
    ? respond({ launch_url: result.url })
    : refuse(result.detail, { apiCode: LAUNCH_CODES[result.reason] });
}
