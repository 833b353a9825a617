import { createHash } from 'node:crypto';
import { launchTokenSchema, playerIDSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { DialectServer, InboundResponse, LaunchResult } from '../dialect.ts';
import { type Asked, invalid, refuse, respond } from './inbound.ts';

const deviceSchema = z.enum(['desktop', 'mobile', 'tablet']);
const launchSchema = z.object({
  game: z.string(),
  user: playerIDSchema,
  token: launchTokenSchema,
  currency: z.string(),
  language: z.string(),
  device: deviceSchema,
  /** The server keeps no tag yet. */
  tag: z.enum(['real', 'affiliate', 'streamer', 'employee', 'qa']),
});
const pinSchema = z.int().min(0).max(0xffff_ffff).optional();
const demoSchema = z.object({
  game: z.string(),
  currency: z.string().optional(),
  token: launchTokenSchema.optional(),
  deviceType: deviceSchema.default('desktop'),
  language: z.string().default('en'),
  math: pinSchema,
  front: pinSchema,
});

export async function launch({ connection, server, body }: Asked): Promise<InboundResponse> {
  const { data, error } = launchSchema.safeParse(body);
  if (error) return invalid(error);
  const { game, user: playerID, token, language, device } = data;
  const gameID = connection.gameOurs(game);
  if (gameID === undefined) return unknown(game);
  const { currency } = connection.currencyByCode(data.currency) ?? {};
  if (currency === undefined) return refuse(400, 'currency: is not known');
  // The same request opens one session: the token is used once.
  const requestKey = createHash('sha256').update(JSON.stringify(data)).digest('hex');
  const place = { gameID, currency, language, device: deviceOf(device) };
  const result = await server.launch({ ...place, playerID, token, requestKey });
  return launched(result, (url, isFair) => ({ url, fair: isFair }));
}

export async function launchDemo({ connection, server, body }: Asked): Promise<InboundResponse> {
  const { data, error } = demoSchema.safeParse(body);
  if (error) return invalid(error);
  const gameID = connection.gameOurs(data.game);
  if (gameID === undefined) return unknown(data.game);
  const code = data.currency ?? connection.settings.demoCurrency;
  const { currency } = connection.currencyByCode(code) ?? {};
  if (currency === undefined) return refuse(400, 'currency: is not known');
  const issue = await pinIssue(server, gameID, data);
  if (issue !== undefined) return refuse(400, issue);
  const device = deviceOf(data.deviceType);
  const result = await server.launchDemo({ gameID, currency, language: data.language, device });
  return launched(result, (url) => ({ url }));
}

function unknown(game: string): InboundResponse {
  return refuse(404, `there is no game ${game} here`);
}

function deviceOf(device: z.output<typeof deviceSchema>): 'desktop' | 'mobile' {
  return device === 'desktop' ? device : 'mobile';
}

type Pins = Pick<z.output<typeof demoSchema>, 'math' | 'front'>;

/** A version of a game has both its math and its front end. One version runs. */
async function pinIssue(server: DialectServer, gameID: string, { math, front }: Pins): Promise<string | undefined> {
  if (math === undefined && front === undefined) return undefined;
  const game = (await server.games()).find((each) => each.gameID === gameID);
  const [name] =
    Object.entries({ math, front }).find(([, pin]) => pin !== undefined && String(pin) !== game?.version) ?? [];
  return game && name && `${name}: version ${game.version} runs here, and no other`;
}

const LAUNCH_STATUS = { game: 404, currency: 400, amounts: 400, disabled: 403, invalid: 400 } as const;

function launched(result: LaunchResult, show: (url: string, isFair: boolean) => object): InboundResponse {
  if (!result.ok) return refuse(LAUNCH_STATUS[result.reason], result.detail);
  return respond(show(result.url, result.isFair));
}
