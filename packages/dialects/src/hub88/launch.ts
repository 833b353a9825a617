import { createHash } from 'node:crypto';
import { countrySchema, currencySchema, launchTokenSchema, playerIDSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { LaunchResult } from '../dialect.ts';
import { type Answer, type Routes, route } from './receive.ts';

const pageSchema = z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).nullish();
const gameUrlSchema = z.object({
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

const roundSchema = z.union([
  z.object({ transaction_uuid: z.uuid(), user: z.string().nullish() }),
  z.object({ round: z.string().regex(/^\d{1,18}$/), user: z.string() }),
]);

const REFUSED_WITH = { game: 404, currency: 403, amounts: 403, disabled: 403, invalid: 400 } as const;

export const gameRoutes: Routes = {
  '/game/url': route(gameUrlSchema, async ({ server, operatorID, settings, currencies }, body) => {
    const { user, token, country } = body;
    const isDemo = body.currency === 'XXX' || (!user && !token);
    const currency = isDemo ? settings.demoCurrency : currencies.theirs(body.currency).currency;
    if (!currencySchema.safeParse(currency).success) return { status: 404, error: 'currency: is unknown' };
    const launch = {
      ...{ gameID: body.game_code, currency, language: body.lang ?? undefined },
      device: body.platform === 'GPL_MOBILE' ? ('mobile' as const) : ('desktop' as const),
      ...(body.lobby_url && { returnURL: body.lobby_url }),
      ...(body.deposit_url && { cashierURL: body.deposit_url }),
    };
    if (isDemo) return answerOf(await server.launchDemo(launch));
    const player = playerIDSchema.safeParse(`${operatorID}/${user}`);
    if (!user || !token || !player.success) return { status: 400, error: 'user, token: a game for money needs both' };
    const asked = JSON.stringify([operatorID, body]);
    const requestKey = createHash('sha256').update(asked).digest('hex');
    const who = { playerID: player.data, token, country: country?.toUpperCase(), requestKey };
    return answerOf(await server.launch({ ...launch, ...who }));
  }),
  '/game/list': route(z.object({}), async ({ server, settings: { product } }) => ({
    body: (await server.games()).map(({ gameID, title, thumbnail = '' }) => ({
      ...{ game_code: gameID, name: title, category: 'Video Slots', product },
      ...{ platforms: ['GPL_DESKTOP', 'GPL_MOBILE'], url_thumb: thumbnail, url_background: thumbnail },
      ...{ enabled: true, freebet_support: true, blocked_countries: [] },
    })),
  })),
  '/game/round': route(roundSchema, async ({ server, operatorID }, body) => {
    const wanted = 'round' in body ? { roundID: BigInt(body.round) } : { transactionID: body.transaction_uuid };
    const page = await server.roundPage(wanted);
    const isOfPlayer = body.user == null || page?.playerID === `${operatorID}/${body.user}`;
    if (isOfPlayer && page?.playerID.startsWith(`${operatorID}/`)) return { body: { url: page.url } };
    return { status: 404, error: 'there is no such round' };
  }),
};

function answerOf(result: LaunchResult): Answer {
  return result.ok ? { body: { url: result.url } } : { status: REFUSED_WITH[result.reason], error: result.detail };
}
