import {
  type ListPlayerRoundsQuery,
  type ListRoundsResponse,
  MAX_EVENTS_PER_PAGE,
  type OperatorError,
  type OperatorRound,
  type operatorContract,
  type RoundDetail,
} from '@roundhouse/contract';
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { Address } from '../../base/address.ts';
import { readCursor, rowIDOf, writeCursor } from '../../base/http/cursor.ts';
import type { Handlers } from '../../base/http/endpoints.ts';
import { instantOf } from '../../base/http/instant.ts';
import { type ErrorResponse, errorResponse, notFoundResponse, type OkResponse, ok } from '../../base/http/responses.ts';
import { voidRound } from '../../ledger/voidAndComplete.ts';
import type { Catalogue } from '../../rounds/games/catalogue.ts';
import { replayUrl, roundOnWire, transactionOnWire } from '../../rounds/play/roundOnWire.ts';
import { findElsewhere } from '../../rounds/sessions/admission.ts';
import type { Database } from '../../store/database/database.ts';
import { listRounds, type OperatorRoundRecord } from '../../store/operators/operatorRounds.ts';
import { type EventsWanted, findRoundDetail, type RoundDetailRecord } from '../../store/operators/roundDetail.ts';
import { hasPlayer } from '../../store/rounds/players.ts';
import { type ListOf, nameCursors, pageStart } from './fleetPages.ts';
import { askedOf, misdirected } from './misdirected.ts';
import { callerOf } from './operatorSignature.ts';

export type RoundDeps = {
  db: Database;
  log: Logger;
  catalogue: Pick<Catalogue, 'find' | 'currencies'>;
  /** The address at which browsers reach this server. */
  address(): Address;
};

const DEFAULT_REASON = 'the operator voided the round';

type RoundsQuery = ListPlayerRoundsQuery & { playerID?: string | undefined };

type RoundHandlers = Pick<
  Handlers<typeof operatorContract>,
  'listRounds' | 'listPlayerRounds' | 'getRound' | 'voidRound'
>;

/**
 * Handles the requests about rounds. Another operator's rounds are treated as if they did not
 * exist.
 */
export function roundHandlers(deps: RoundDeps): RoundHandlers {
  const { db, log } = deps;

  const detail = async (operatorID: number, roundID: bigint, events: EventsWanted) => {
    const round = await findRoundDetail(db, { operatorID, roundID, events });
    return round === undefined ? unknownBet() : ok(detailOnWire(deps, round));
  };

  const list = async (
    res: Response,
    { playerID, gameID, state, limit, ...query }: RoundsQuery,
    listOf: ListOf,
  ): Promise<OkResponse<ListRoundsResponse> | ErrorResponse> => {
    const start = await pageStart(db, { res, cursor: query.cursor, listOf });
    if (start === undefined) return noCursor();
    if (start === 'ended') return ok({ rounds: [], cursor: null });
    const { rounds, next } = await listRounds(db, {
      operatorID: callerOf(res).operatorID,
      externalID: playerID,
      gameID,
      from: query.from === undefined ? undefined : instantOf(query.from),
      to: query.to === undefined ? undefined : instantOf(query.to),
      state,
      limit,
      before: start === 'first' ? undefined : start,
    });
    nameCursors(
      res,
      rounds.map(({ roundID }) => roundID),
    );
    return ok({
      rounds: rounds.map((round) => onWire(deps, round)),
      cursor: next === undefined ? null : writeCursor(next),
    });
  };

  return {
    listRounds: ({ query, res }) => list(res, query, 'operator'),

    listPlayerRounds: async ({ params: { playerID }, query, req, res }) => {
      const { operatorID, code: operatorCode } = callerOf(res);
      const player = { operatorID, operatorCode, externalID: playerID, asked: askedOf(req) };
      const elsewhere = await findElsewhere(db, player);
      if (elsewhere !== undefined) return misdirected(db, { req, res }, elsewhere);
      const isKnown = await hasPlayer(db, { operatorID, externalID: playerID });
      return isKnown
        ? list(res, { ...query, playerID }, 'player')
        : notFoundResponse('this operator has no such player');
    },

    getRound: async ({ params, query, res }) => {
      const after = readCursor(query.cursor);
      if (after === undefined) return noCursor();
      const roundID = rowIDOf(params.betID);
      if (roundID === undefined) return unknownBet();
      return detail(callerOf(res).operatorID, roundID, { after: after === 'none' ? 0n : after, limit: query.limit });
    },

    voidRound: async ({ params, body, res }) => {
      const roundID = rowIDOf(params.betID);
      if (roundID === undefined) return unknownBet();
      const { operatorID, code } = callerOf(res);
      const { reason = DEFAULT_REASON } = body;
      const outcome = await voidRound(db, { operatorID, roundID, reason });
      log.info({ operator: code, betID: params.betID, reason, outcome }, 'an operator voided a round');
      if (outcome === 'unknown') return unknownBet();
      if (outcome === 'was_completed')
        return errorResponse('ERR_VAL', 'the round is settled, or its payout is in progress');
      if (outcome === 'settling') return errorResponse('ERR_GEN', 'the bet is still being settled');
      return detail(operatorID, roundID, { after: 0n, limit: MAX_EVENTS_PER_PAGE });
    },
  };
}

function noCursor() {
  return errorResponse('ERR_VAL', 'cursor: it is not from this API');
}

function unknownBet(): { status: 404; body: OperatorError } {
  return { status: 404, body: { error: 'ERR_BNF', message: 'there is no such bet of this operator' } };
}

/** Shows the round to the back office of the operator. */
function onWire({ catalogue, address }: RoundDeps, round: OperatorRoundRecord): OperatorRound {
  const { gameID, gameVersion, currency } = round;
  const hasFrontend = catalogue.find(gameID, gameVersion)?.frontendFolder !== undefined;
  const currencyFacts = catalogue.currencies.find(({ code }) => code === currency);
  return roundOnWire(round, hasFrontend ? replayUrl(address(), round, currencyFacts) : null);
}

function detailOnWire(deps: RoundDeps, round: RoundDetailRecord): RoundDetail {
  return {
    ...onWire(deps, round),
    movements: round.transactions.map(transactionOnWire),
    events: round.events.map(({ event, at }) => ({ event, at: at.toISOString() })),
    cursor: round.nextEvent === undefined ? null : writeCursor(round.nextEvent),
  };
}
