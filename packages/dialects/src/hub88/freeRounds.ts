import { createHash } from 'node:crypto';
import {
  type GrantState,
  grantIDSchema,
  newGrantIDSchema,
  playerIDSchema,
  storedPlayerIDSchema,
  toMicros,
} from '@roundhouse/contract';
import * as z from 'zod';
import type { InboundResponse } from '../dialect.ts';
import { type Asked, invalid, refuse, respond } from './inbound.ts';

const listSchema = z.object({ game_code: z.string().nullish() });

export async function listPrepaids(asked: Asked): Promise<InboundResponse> {
  const { data, error } = listSchema.safeParse(asked.body);
  if (error) return invalid(error);
  const prepaids = (await prepaidsOf(asked)).map(({ wire }) => wire);
  return respond(prepaids.filter(({ game_code }) => (data.game_code ?? game_code) === game_code));
}

/** Hub88 writes times without a zone. They are of UTC. */
const timeSchema = z.iso
  .datetime({ local: true, offset: true })
  .transform((text) => new Date(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`));

const createSchema = z.object({
  user: z.string().min(1),
  prepaid_uuid: z.string(),
  reward_uuid: newGrantIDSchema,
  bet_value: z.int().min(1),
  bet_count: z.int().min(1).max(1_000_000),
  start_time: timeSchema.nullish(),
  end_time: timeSchema,
});

export async function createReward(asked: Asked): Promise<InboundResponse> {
  const { data: body, error } = createSchema.safeParse(asked.body);
  if (error) return invalid(error);
  const { connection, server, operatorID } = asked;
  const prepaid = (await prepaidsOf(asked)).find(({ wire }) => wire.prepaid_uuid === body.prepaid_uuid);
  if (prepaid === undefined) return refuse(404, 'prepaid_uuid: there is no such prepaid');
  const { wire, currency } = prepaid;
  const bet = connection.currency(currency).scale.read(BigInt(body.bet_value));
  const { data: playerID } = playerIDSchema.safeParse(`${operatorID}/${body.user}`);
  if (!playerID || bet === undefined) return refuse(400, 'user, bet_value: cannot be stored');
  const given = await server.giveFreeRounds({
    grantID: body.reward_uuid,
    playerID,
    gameIDs: [wire.game_code],
    mode: MODE,
    currency,
    bet,
    rounds: body.bet_count,
    startsAt: body.start_time ?? undefined,
    endsAt: body.end_time,
  });
  if (!given.ok) return refuse(400, given.detail);
  return respond((await rewardsOf(asked, { grantID: body.reward_uuid }))[0]);
}

const ofUserSchema = z.object({ user: storedPlayerIDSchema.nullish() });

export async function listRewards(asked: Asked): Promise<InboundResponse> {
  const { data, error } = ofUserSchema.safeParse(asked.body);
  if (error) return invalid(error);
  return respond(await rewardsOf(asked, data.user ? { playerID: `${asked.operatorID}/${data.user}` } : {}));
}

const cancelSchema = z.object({ reward_uuid: grantIDSchema });

export async function cancelReward(asked: Asked): Promise<InboundResponse> {
  const { data, error } = cancelSchema.safeParse(asked.body);
  if (error) return invalid(error);
  const wanted = { grantID: data.reward_uuid };
  if ((await rewardsOf(asked, wanted)).length === 0) return refuse(404, 'reward_uuid: is unknown');
  await asked.server.cancelFreeRounds(wanted.grantID);
  return respond((await rewardsOf(asked, wanted))[0]);
}

const MODE = 'BASE';

/**
 * A prepaid is a game in a currency: bet_value is any bet level, bet_count any number of rounds.
 */
async function prepaidsOf({ connection, server }: Asked) {
  const games = (await server.games()).filter(({ modes }) => modes.includes(MODE));
  return games.flatMap(({ gameID: game_code, currencies: offered }) =>
    offered.map((currency) => {
      const prepaid_uuid = prepaidUuidOf(connection.code, game_code, currency);
      const open = { bet_value: null, bet_count: null, bonus_buy: false };
      return { currency, wire: { prepaid_uuid, game_code, currency: connection.currency(currency).code, ...open } };
    }),
  );
}

/** The same prepaid has the same id for ever without being stored: a UUID of version 8. */
function prepaidUuidOf(...names: string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(names)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Other states have the same name there. */
const STATES: Partial<Record<GrantState, string>> = { offered: 'ACTIVE', accepted: 'ACTIVE', declined: 'CANCELLED' };

type Wanted = { grantID?: string; playerID?: string };

/** Returns what Hub88 sees of the grants of this casino. */
async function rewardsOf({ connection, server, operatorID }: Asked, wanted: Wanted) {
  const grants = (await server.freeRounds(wanted)).filter(({ playerID }) => playerID.startsWith(`${operatorID}/`));
  return grants.map((grant) => {
    const [gameID = ''] = grant.gameIDs;
    const { code: currency, scale } = connection.currency(grant.currency);
    return {
      reward_uuid: grant.grantID,
      user: connection.userOf(grant.playerID),
      status: `FRS_${STATES[grant.state] ?? grant.state.toUpperCase()}`,
      prepaid_uuid: prepaidUuidOf(connection.code, gameID, grant.currency),
      game_code: gameID,
      currency,
      bet_value: Number(scale.write(toMicros(grant.amount))),
      bet_count: grant.given,
      start_time: grant.startsAt.slice(0, 19),
      end_time: grant.expiresAt.slice(0, 19),
    };
  });
}
