import type { Micros } from '@roundhouse/contract';
import type { InboundResponse } from '../dialect.ts';
import { type Asked, refuse, respond } from './inbound.ts';

export async function showState(asked: Asked): Promise<InboundResponse> {
  const { gameref = null, closedtime = null, winamount: totalwinamount = null } = (await findRound(asked)) ?? {};
  return respond({ closedtime, gameref, totalwinamount });
}

export async function showReplay(asked: Asked): Promise<InboundResponse> {
  const { gameref: _game, closedtime: roundend, ...round } = (await findRound(asked)) ?? {};
  if (roundend === undefined) return refuse(404, 'roundid: there is no such round, or it is not over');
  return respond({ ...round, roundend });
}

/**
 * Finds the round. An open round has won nothing yet. A round of another partner's player counts as
 * unknown.
 */
async function findRound({ connection, server, body: { roundid, credentials } }: Asked) {
  if (!/^\d{1,18}$/.test(roundid)) return undefined;
  const round = await server.roundPage({ roundID: BigInt(roundid) });
  if (round === undefined || !connection.isOf(credentials.partnerid, round.playerID)) return undefined;
  const { url: replayurl, gameID, openedAt, closedAt, debit, payout } = round;
  const { code: currency, scale } = connection.currency(round.currency);
  const [betamount = 0, winamount = 0] = [debit, closedAt ? payout : (0 as Micros)].map(scale.write).map(Number);
  const [roundstart, closedtime] = [openedAt, closedAt].map((at) => at && `${at.toISOString().slice(0, 19)}Z`);
  return { replayurl, gameref: connection.gamerefOf(gameID), currency, betamount, winamount, roundstart, closedtime };
}
