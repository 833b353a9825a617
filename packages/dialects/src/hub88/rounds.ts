import * as z from 'zod';
import type { InboundResponse } from '../dialect.ts';
import { type Asked, invalid, refuse, respond } from './inbound.ts';

const roundSchema = z.union([
  z.object({ transaction_uuid: z.uuid(), user: z.string().nullish() }),
  z.object({ round: z.string().regex(/^\d{1,18}$/), user: z.string() }),
]);

/** A round of another casino's player counts as unknown. */
export async function showRound({ server, operatorID, body: sent }: Asked): Promise<InboundResponse> {
  const { data: body, error } = roundSchema.safeParse(sent);
  if (error) return invalid(error);
  const wanted = 'round' in body ? { roundID: BigInt(body.round) } : { transactionID: body.transaction_uuid };
  const page = await server.roundPage(wanted);
  const isOfPlayer = body.user == null || page?.playerID === `${operatorID}/${body.user}`;
  if (isOfPlayer && page?.playerID.startsWith(`${operatorID}/`)) return respond({ url: page.url });
  return refuse(404, 'there is no such round');
}
