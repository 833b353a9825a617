import { MAX_EVENTS_PER_PAGE, type OperatorError, operatorContract } from '@roundhouse/contract';
import { initServer } from '@ts-rest/express';
import type { HttpParts } from '../http/httpParts.ts';
import { ok } from '../http/okResponse.ts';
import { errorResponse } from '../http/refusalResponses.ts';
import { listRounds } from '../ledger/queries/operatorRounds.ts';
import { type EventsWanted, findRoundDetail } from '../ledger/queries/roundDetail.ts';
import { voidRound } from '../ledger/queries/rounds.ts';
import { readCursor, roundIDOf, writeCursor } from './operatorIDs.ts';
import { callerOf } from './operatorSignature.ts';
import { wireOperatorRound, wireRoundDetail } from './operatorWire.ts';

const DEFAULT_REASON = 'the operator gave the bet back';

const { listRounds: list, getRound: get, voidRound: giveBack } = operatorContract;
const contract = { listRounds: list, getRound: get, voidRound: giveBack };

/** The calls about rounds. A round of another operator is as unknown as one that never was. */
export function operatorRoundRoutes(parts: HttpParts) {
  const { db, log } = parts;

  const detail = async (operatorID: number, roundID: bigint, events: EventsWanted) => {
    const round = await findRoundDetail(db, { operatorID, roundID, events });
    return round === undefined ? unknownBet() : ok(wireRoundDetail(parts, round));
  };

  return initServer().router(contract, {
    listRounds: async ({ query, res }) => {
      const before = readCursor(query.cursor);
      if (before === undefined) return noCursor();
      const { playerID, gameID, state, limit } = query;
      const { rounds, next } = await listRounds(db, {
        operatorID: callerOf(res).operatorID,
        externalID: playerID,
        gameID,
        from: instantOf(query.from),
        to: instantOf(query.to),
        state,
        limit,
        before: before === 'none' ? undefined : before,
      });
      return ok({ rounds: rounds.map(wireOperatorRound), cursor: next === undefined ? null : writeCursor(next) });
    },

    getRound: async ({ params, query, res }) => {
      const after = readCursor(query.cursor);
      if (after === undefined) return noCursor();
      const roundID = roundIDOf(params.betID);
      if (roundID === undefined) return unknownBet();
      return detail(callerOf(res).operatorID, roundID, { after: after === 'none' ? 0n : after, limit: query.limit });
    },

    voidRound: async ({ params, body, res }) => {
      const roundID = roundIDOf(params.betID);
      if (roundID === undefined) return unknownBet();
      const { operatorID, code } = callerOf(res);
      const { reason = DEFAULT_REASON } = body;
      const outcome = await voidRound(db, { operatorID, roundID, reason });
      log.info({ operator: code, betID: params.betID, reason, outcome }, 'an operator asked to give a bet back');
      if (outcome === 'unknown') return unknownBet();
      if (outcome === 'paid') return errorResponse('ERR_VAL', 'the round is settled, or its payout is under way');
      if (outcome === 'settling') return errorResponse('ERR_GEN', 'the bet is still being settled');
      return detail(operatorID, roundID, { after: 0n, limit: MAX_EVENTS_PER_PAGE });
    },
  });
}

function noCursor() {
  return errorResponse('ERR_VAL', 'cursor: is none of ours');
}

function unknownBet(): { status: 404; body: OperatorError } {
  return { status: 404, body: { error: 'ERR_BNF', message: 'there is no such bet of this operator' } };
}

/** No round is older or younger than these, and PostgreSQL does not take every year that ISO 8601 has. */
const EARLIEST_MS = Date.UTC(2000, 0);
const LATEST_MS = Date.UTC(9000, 0);

function instantOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(Math.min(Math.max(Date.parse(text), EARLIEST_MS), LATEST_MS));
}
