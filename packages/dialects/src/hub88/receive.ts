import * as z from 'zod';
import type { DialectServer, InboundRequest, InboundResponse } from '../dialect.ts';
import { parseJson } from '../parseJson.ts';
import { cancelReward, createReward, listPrepaids, listRewards } from './freeRounds.ts';
import { listGames } from './games.ts';
import { type Asked, refuse } from './inbound.ts';
import { launch } from './launch.ts';
import { showRound } from './rounds.ts';
import type { Connection } from './settings.ts';
import { SIGNATURE_HEADER } from './signature.ts';

const HANDLERS: Readonly<Record<string, (asked: Asked) => Promise<InboundResponse>>> = {
  '/game/url': launch,
  '/game/list': listGames,
  '/game/round': showRound,
  '/freebet/prepaids/list': listPrepaids,
  '/freebet/rewards/create': createReward,
  '/freebet/rewards/list': listRewards,
  '/freebet/rewards/cancel': cancelReward,
};
/** Each casino may ask for a list once a minute. */
const LISTS = ['/game/list', '/freebet/prepaids/list'];
const LISTED_EVERY_MS = 60_000;

const namedSchema = z.object({ operator_id: z.union([z.int(), z.string()]).optional() });

/** Responds to the requests of Hub88. Only a signed one of a known casino gets to the server. */
export async function receive(
  connection: Connection,
  request: InboundRequest,
  server: DialectServer,
): Promise<InboundResponse> {
  const signature = request.headers[SIGNATURE_HEADER];
  if (typeof signature !== 'string' || !connection.isSigned(request.body, Buffer.from(signature, 'base64')))
    return { ...refuse(401, 'the signature is not valid'), refused: 'signature' };
  const [path = ''] = request.path.split('?');
  const handle = Object.hasOwn(HANDLERS, path) ? HANDLERS[path] : undefined;
  if (handle === undefined || request.method !== 'POST') return refuse(404, 'there is no such request');
  const body = parseJson(request.body.toString());
  // A connection of one casino needs no name.
  const known = connection.operatorIDs;
  const named = namedSchema.safeParse(body);
  const operatorID = String(named.data?.operator_id ?? (known.length === 1 ? known[0] : ''));
  if (!named.success || operatorID === '') return refuse(400, 'operator_id: is needed');
  if (!known.includes(operatorID)) return { ...refuse(404, 'operator_id: is not known'), refused: 'partner' };
  if (LISTS.includes(path) && !(await server.takeTurn(`${path} ${operatorID}`, LISTED_EVERY_MS)))
    return refuse(429, 'Too Many Requests');
  return handle({ connection, server, operatorID, body });
}
