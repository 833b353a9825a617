import { countrySchema, launchPages, launchTokenSchema, playerIDSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { InboundResponse, LaunchResult } from '../dialect.ts';
import { type Asked, invalid, refuse, respond } from './inbound.ts';

const demoSchema = z.object({ symbol: z.string() });
const launchSchema = demoSchema.extend({
  externalPlayerId: playerIDSchema,
  token: launchTokenSchema,
  country: countrySchema.optional(),
});
const PAGES: Readonly<Record<string, string>> = { returnURL: 'lobbyUrl', cashierURL: 'cashierUrl' };

export async function launch({ connection, server, form }: Asked): Promise<InboundResponse> {
  const currency =
    form.currency === undefined ? connection.settings.currency : connection.currencyByCode(form.currency)?.currency;
  if (currency === undefined) return refuse('parameters', 'currency: is missing or not known');
  const device = form.platform === 'MOBILE' ? ('mobile' as const) : ('desktop' as const);
  const shown = { currency, device, language: form.language, ...launchPages((name) => form[PAGES[name] ?? '']) };
  const isDemo = form.playMode === 'DEMO';
  const parsed = (isDemo ? demoSchema : launchSchema).safeParse(form);
  if (!parsed.success) return invalid(parsed.error);
  const { symbol: gameID, externalPlayerId: playerID, token, country } = parsed.data as z.output<typeof launchSchema>;
  if (isDemo) return launched(await server.launchDemo({ ...shown, gameID }));
  return launched(await server.launch({ ...shown, gameID, playerID, token, country }));
}

const LAUNCH_CODES = {
  game: 'game',
  currency: 'parameters',
  amounts: 'parameters',
  disabled: 'internal',
  invalid: 'parameters',
} as const;

function launched(result: LaunchResult): InboundResponse {
  return result.ok ? respond({ gameURL: result.url }) : refuse(LAUNCH_CODES[result.reason], result.detail);
}
