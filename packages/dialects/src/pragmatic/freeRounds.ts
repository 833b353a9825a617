import { newGrantIDSchema, OPEN_GRANT_STATES, playerIDSchema, storedPlayerIDSchema } from '@roundhouse/contract';
import * as z from 'zod';
import type { InboundResponse } from '../dialect.ts';
import { parseJson } from '../parseJson.ts';
import { type Asked, invalid, refuse, respond } from './inbound.ts';

const countSchema = z.coerce.number().int().min(1).max(99_999_999_999);
const dateSchema = countSchema.transform((seconds) => new Date(seconds * 1000));
const bonusSchema = z.object({
  bonusCode: newGrantIDSchema,
  playerId: playerIDSchema,
  currency: z.string(),
  rounds: countSchema.max(9_999_999),
  startDate: dateSchema.optional(),
  expirationDate: dateSchema,
});
const betValueSchema = z.object({ totalBet: z.union([z.string(), z.number()]), currency: z.string() });
const gameBetSchema = z.object({ gameId: z.string(), betValues: z.array(betValueSchema).max(200) });
const betsSchema = z.object({ gameList: z.array(gameBetSchema).min(1).max(50) });

/** Creates the free rounds of one player. All games have the same bet. */
export async function createFreeRounds({ connection, server, form, body }: Asked): Promise<InboundResponse> {
  const bonus = bonusSchema.safeParse(form);
  if (!bonus.success) return invalid(bonus.error);
  const { bonusCode: grantID, playerId: playerID, rounds, startDate: startsAt, expirationDate: endsAt } = bonus.data;
  const bets = betsSchema.safeParse(parseJson(body));
  if (!bets.success) return invalid(bets.error);
  const { gameList } = bets.data;
  const known = connection.currencyByCode(bonus.data.currency);
  if (known === undefined) return refuse('parameters', 'currency: is not known');
  const { currency, code } = known;
  const amounts = gameList.map(({ betValues }) =>
    known.read(String(betValues.find((value) => value.currency === code)?.totalBet)),
  );
  const [bet] = amounts;
  if (bet === undefined || bet <= 0 || new Set(amounts).size > 1)
    return refuse('parameters', `gameList: needs the same totalBet in ${code} for each game`);
  const gameIDs = gameList.map(({ gameId }) => gameId);
  const given = await server.giveFreeRounds({ grantID, playerID, gameIDs, currency, bet, rounds, startsAt, endsAt });
  return given.ok ? respond({ bonusCode: grantID }) : refuse('parameters', given.detail);
}

export async function cancelFreeRounds({ server, form }: Asked): Promise<InboundResponse> {
  const { ok } = await server.cancelFreeRounds(form.bonusCode ?? '');
  return ok ? respond({}) : refuse('parameters', 'bonusCode: is not known');
}

export async function listFreeRounds({ connection, server, form }: Asked): Promise<InboundResponse> {
  const playerID = storedPlayerIDSchema.safeParse(form.playerId);
  if (!playerID.success) return invalid(playerID.error);
  const grants = await server.freeRounds({ playerID: playerID.data });
  const open = grants.filter(({ state }) => OPEN_GRANT_STATES.includes(state));
  const bonuses = open.map(({ grantID, gameIDs, currency, given, used, expiresAt }) => ({
    bonusCode: grantID,
    gameIDList: gameIDs.join(','),
    currency: connection.currency(currency).code,
    rounds: given,
    roundsPlayed: used,
    expirationDate: Math.floor(Date.parse(expiresAt) / 1000),
  }));
  return respond({ bonuses });
}
