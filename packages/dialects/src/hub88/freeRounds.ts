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
import { type Asked, type Routes, route } from './receive.ts';
import { userOf } from './send.ts';

const MODE = 'BASE';
/**
 * A prepaid is a game in a currency: bet_value is any bet level, bet_count any number of rounds.
 */
async function prepaidsOf({ code, currencies, server }: Asked) {
  const games = (await server.games()).filter(({ modes }) => modes.includes(MODE));
  return games.flatMap(({ gameID: game_code, currencies: offered }) =>
    offered.map((currency) => {
      const prepaid_uuid = prepaidUuidOf(code, game_code, currency);
      const open = { bet_value: null, bet_count: null, bonus_buy: false };
      return { currency, wire: { prepaid_uuid, game_code, currency: currencies.ours(currency).code, ...open } };
    }),
  );
}

/** The same prepaid has the same id for ever without being stored: a UUID of version 8. */
function prepaidUuidOf(...names: string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(names)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
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

export const rewardRoutes: Routes = {
  '/freebet/prepaids/list': route(z.object({ game_code: z.string().nullish() }), async (asked, { game_code }) => {
    const prepaids = (await prepaidsOf(asked)).map(({ wire }) => wire);
    return { body: prepaids.filter((each) => (game_code ?? each.game_code) === each.game_code) };
  }),
  '/freebet/rewards/create': route(createSchema, async (asked, body) => {
    const prepaid = (await prepaidsOf(asked)).find(({ wire }) => wire.prepaid_uuid === body.prepaid_uuid);
    if (prepaid === undefined) return { status: 404, error: 'prepaid_uuid: there is no such prepaid' };
    const { wire, currency } = prepaid;
    const bet = asked.currencies.ours(currency).scale.read(BigInt(body.bet_value));
    const { data: playerID } = playerIDSchema.safeParse(`${asked.operatorID}/${body.user}`);
    if (!playerID || bet === undefined) return { status: 400, error: 'user, bet_value: cannot be stored' };
    const given = await asked.server.giveFreeRounds({
      ...{ grantID: body.reward_uuid, playerID, gameIDs: [wire.game_code], mode: MODE, currency, bet },
      ...{ rounds: body.bet_count, startsAt: body.start_time ?? undefined, endsAt: body.end_time },
    });
    if (!given.ok) return { status: 400, error: given.detail };
    return { body: (await rewardsOf(asked, { grantID: body.reward_uuid }))[0] };
  }),
  '/freebet/rewards/list': route(z.object({ user: storedPlayerIDSchema.nullish() }), async (asked, { user }) => ({
    body: await rewardsOf(asked, user ? { playerID: `${asked.operatorID}/${user}` } : {}),
  })),
  '/freebet/rewards/cancel': route(z.object({ reward_uuid: grantIDSchema }), async (asked, body) => {
    const wanted = { grantID: body.reward_uuid };
    if ((await rewardsOf(asked, wanted)).length === 0) return { status: 404, error: 'reward_uuid: is unknown' };
    await asked.server.cancelFreeRounds(wanted.grantID);
    return { body: (await rewardsOf(asked, wanted))[0] };
  }),
};

/** Other states have the same name there. */
const STATES: Partial<Record<GrantState, string>> = { offered: 'ACTIVE', accepted: 'ACTIVE', declined: 'CANCELLED' };

type Wanted = { grantID?: string; playerID?: string };
/** Returns what Hub88 sees of the grants of this casino. */
async function rewardsOf({ code, currencies, server, operatorID }: Asked, wanted: Wanted) {
  const grants = (await server.freeRounds(wanted)).filter(({ playerID }) => playerID.startsWith(`${operatorID}/`));
  return grants.map((grant) => {
    const [gameID = ''] = grant.gameIDs;
    const currency = currencies.ours(grant.currency);
    return {
      ...{ reward_uuid: grant.grantID, user: userOf(grant.playerID) },
      status: `FRS_${STATES[grant.state] ?? grant.state.toUpperCase()}`,
      ...{ prepaid_uuid: prepaidUuidOf(code, gameID, grant.currency), game_code: gameID, currency: currency.code },
      ...{ bet_value: Number(currency.scale.write(toMicros(grant.amount))), bet_count: grant.given },
      ...{ start_time: grant.startsAt.slice(0, 19), end_time: grant.expiresAt.slice(0, 19) },
    };
  });
}
