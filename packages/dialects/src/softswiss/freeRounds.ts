import { grantIDSchema, newGrantIDSchema, toMicros } from '@roundhouse/contract';
import * as z from 'zod';
import type { InboundResponse } from '../dialect.ts';
import { type Asked, accountSchema, invalid, nameSchema, playerOf, refuse, respond } from './inbound.ts';

const issueSchema = z.object({
  issue_id: grantIDSchema,
  games: z.array(nameSchema).min(1).max(50),
  freespins_quantity: z.int().min(1),
  bet_level: z.int(),
  valid_until: z.iso.datetime({ offset: true }),
  account: accountSchema,
});

export async function issueFreeRounds(asked: Asked): Promise<InboundResponse> {
  const { data, error } = issueSchema.safeParse(asked.body);
  if (error) return invalid(error);
  const { connection, casino, server } = asked;
  const player = playerOf(data.account, asked);
  if (player.refusal !== undefined) return player.refusal;
  const { playerID, currency } = player;
  const grantID = connection.nameIn(casino, data.issue_id);
  if (!newGrantIDSchema.safeParse(grantID).success) return refuse('issue_id: is too long, or no plain text');
  const gameIDs = data.games.map(connection.gameOurs);
  const offered = (await server.games()).filter(({ gameID }) => gameIDs.includes(gameID));
  if (offered.length < new Set(gameIDs).size) return refuse('games: one of them is not offered', { apiCode: '601' });
  const level = data.bet_level - connection.settings.firstBetLevel;
  const [bet, ...others] = new Set(offered.map(({ betLevels }) => betLevels[currency]?.[level]));
  if (bet === undefined || others.length > 0) return refuse('bet_level: is no level, or not the same bet in each game');
  const terms = { gameIDs, bet: toMicros(bet), rounds: data.freespins_quantity, endsAt: new Date(data.valid_until) };
  const given = await server.giveFreeRounds({ playerID, currency, grantID, ...terms });
  if (given.ok) return respond({});
  return refuse(given.detail, given.reason === 'taken' ? { code: 'already_exists', apiCode: '409' } : {});
}

const cancelSchema = z.object({ issue_id: grantIDSchema });

export async function cancelFreeRounds({ connection, casino, server, body }: Asked): Promise<InboundResponse> {
  const { data, error } = cancelSchema.safeParse(body);
  if (error) return invalid(error);
  const { ok } = await server.cancelFreeRounds(connection.nameIn(casino, data.issue_id));
  return ok ? respond({}) : refuse('there is no such issue', { code: 'not_found', apiCode: '620' });
}
