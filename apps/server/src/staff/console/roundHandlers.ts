import type { AdminConflict, AdminRound, adminContract, RoundPage } from '@roundhouse/contract/admin';
import type { Response } from 'express';
import { rowIDOf, writeCursor } from '../../base/http/cursor.ts';
import type { Handlers } from '../../base/http/endpoints.ts';
import { instantOf } from '../../base/http/instant.ts';
import { errorResponse, notFoundResponse, ok } from '../../base/http/responses.ts';
import { type CompleteOutcome, completeRound, type VoidOutcome, voidRound } from '../../ledger/voidAndComplete.ts';
import { roundOnWire, transactionOnWire } from '../../rounds/play/roundOnWire.ts';
import { listRounds, type OperatorRoundRecord } from '../../store/operators/operatorRounds.ts';
import { findRoundDetail, type RoundDetailRecord } from '../../store/operators/roundDetail.ts';
import { findRoundContext, type RoundContext } from '../../store/rounds/roundContext.ts';
import type { EventKind } from '../../store/watch/eventKinds.ts';
import { findEventsOf } from '../../store/watch/significantEvents.ts';
import type { AdminDeps } from './adminDeps.ts';
import { pageStart } from './listPage.ts';
import { filteredScope, scopeOf } from './operatorScope.ts';
import { readBook } from './roundBook.ts';
import { stateOf, timelineOf } from './roundTimeline.ts';

/**
 * The largest number of rounds that one page looks through: a tenth of a second. The next page goes
 * on.
 */
export const SPAN_OF_A_PAGE = 100_000;
/** record_events refuses more. */
const MOST_EVENTS = 1000;
const MOST_ACTIONS = 200;

type RoundHandlers = Pick<
  Handlers<typeof adminContract>,
  'listRounds' | 'getRound' | 'getRoundBook' | 'voidRound' | 'completeRound'
>;

/** Handles what users read about rounds, and what they do with an open one. */
export function roundHandlers({ db, players }: AdminDeps): RoundHandlers {
  /** Finds the round of a path, when the user may see it. */
  const find = async (res: Response, betID: string): Promise<RoundDetailRecord | undefined> => {
    const roundID = rowIDOf(betID);
    if (roundID === undefined) return undefined;
    const { operatorID } = scopeOf(res);
    return findRoundDetail(db, { operatorID, roundID, events: { after: 0n, limit: MOST_EVENTS } });
  };

  const page = async (round: RoundDetailRecord): Promise<RoundPage> => {
    const { roundID, transactions } = round;
    // They run one after the other: a transaction has one connection.
    const context = await findRoundContext(db, roundID);
    const actions = await findEventsOf(db, subjectsOf(round), MOST_ACTIONS);
    const { gameTitle, maxStake, minimumRoundDurationMs, minimumRTP, rtp, operator, player } = context;
    return {
      round: adminRound(round),
      gameTitle,
      limits: { maxStake, minimumRoundDurationMs, minimumRTP, rtp, operator, player },
      transactions: transactions.map(transactionOnWire),
      timeline: timelineOf(round, context, actions),
      can: canBe(round, context),
    };
  };

  /** A change that came too late names the user or operator who was first. */
  const conflict = async (
    { roundID, closedAt }: RoundDetailRecord,
    message: string,
    kind?: EventKind,
  ): Promise<{ status: 409; body: AdminConflict }> => {
    const events = kind === undefined ? [] : await findEventsOf(db, [`round ${roundID}`], MOST_ACTIONS);
    const first = events.findLast((event) => event.kind === kind);
    const at = first?.at ?? closedAt?.toISOString() ?? null;
    return { status: 409, body: { error: 'ERR_VAL', message, by: first?.actor ?? null, at } };
  };

  return {
    listRounds: async ({ query: { cursor, limit, operator, player, game, state, from, to }, res }) => {
      const before = pageStart(cursor);
      const scope = await filteredScope(db, res, operator);
      if (scope === undefined) return ok({ items: [], cursor: null });
      const { rounds, next } = await listRounds(db, {
        operatorID: scope.operatorID,
        externalID: player,
        gameID: game,
        state: state === 'void' ? 'voided' : state,
        limit,
        from: from === undefined ? undefined : instantOf(from),
        to: to === undefined ? undefined : instantOf(to),
        before,
        span: SPAN_OF_A_PAGE,
      });
      return ok({ items: rounds.map(adminRound), cursor: next === undefined ? null : writeCursor(next) });
    },

    getRound: async ({ params: { betID }, res }) => {
      const round = await find(res, betID);
      return round === undefined ? unknownRound() : ok(await page(round));
    },

    getRoundBook: async ({ params: { betID }, res }) => {
      const round = await find(res, betID);
      if (round === undefined) return unknownRound();
      const outcome = await readBook(players, round);
      if (outcome.kind === 'book') return ok(outcome.book);
      const { gameID, gameVersion } = round;
      if (outcome.kind === 'not_served')
        return notFoundResponse(`the server no longer serves version ${gameVersion} of game ${gameID}`);
      return errorResponse('ERR_GEN', 'the server for players does not respond');
    },

    voidRound: async ({ params: { betID }, body: { reason }, res }) => {
      const round = await find(res, betID);
      if (round === undefined) return unknownRound();
      const { roundID, operatorID } = round;
      const outcome = await voidRound(db, { operatorID, roundID, reason });
      const late = VOID_CONFLICTS[outcome];
      const now = await find(res, betID);
      if (now === undefined) return unknownRound();
      return late === undefined ? ok(await page(now)) : conflict(now, late.message, late.kind);
    },

    completeRound: async ({ params: { betID }, body: { reason }, res }) => {
      const round = await find(res, betID);
      if (round === undefined) return unknownRound();
      const outcome = await completeRound(db, { roundID: round.roundID, reason });
      const late = COMPLETE_CONFLICTS[outcome];
      const now = await find(res, betID);
      if (now === undefined) return unknownRound();
      return late === undefined ? ok(await page(now)) : conflict(now, late.message, late.kind);
    },
  };
}

type Late = { message: string; kind?: EventKind };
const SETTLING = { message: 'the bet is still being settled: wait for its result' };
const COMPLETED: Late = { message: 'the round is completed, or its payout is in progress', kind: 'round_completed' };
const GONE = { message: 'there is no such round' };

/** undefined: this request did it. */
const VOID_CONFLICTS: Readonly<Record<VoidOutcome, Late | undefined>> = {
  void: undefined,
  was_void: { message: 'the round was voided before', kind: 'round_voided' },
  was_completed: COMPLETED,
  settling: SETTLING,
  unknown: GONE,
};

const COMPLETE_CONFLICTS: Readonly<Record<CompleteOutcome, Late | undefined>> = {
  completed: undefined,
  was_completed: COMPLETED,
  void: { message: 'the round is void', kind: 'round_voided' },
  settling: SETTLING,
  forbidden: { message: 'the wallet of the operator lets only the player complete a round' },
  balance_overflow: { message: 'the balance of the player cannot hold the payout' },
  unknown: GONE,
};

function unknownRound() {
  return notFoundResponse('there is no such round');
}

/** The log of significant events names a round, and what belongs to it, by these. */
function subjectsOf({ roundID, transactions }: RoundDetailRecord): string[] {
  const named = [`round ${roundID}`, ...transactions.map(({ transactionID }) => `wallet transaction ${transactionID}`)];
  return named.flatMap((subject) => [subject, `archived ${subject}`]);
}

/** The SQL functions decide; this tells the page which buttons to show. */
function canBe({ state, transactions }: RoundDetailRecord, { completesRounds }: RoundContext): RoundPage['can'] {
  const isDebited = transactions.every(({ kind, state: of }) => kind === 'debit' && of === 'accepted');
  const isOpen = state === 'open' && isDebited;
  return { void: isOpen, complete: isOpen && completesRounds };
}

function adminRound(round: OperatorRoundRecord): AdminRound {
  const { replayURL: _none, ...shown } = roundOnWire(round, null);
  return { ...shown, state: stateOf(round), operator: round.operatorCode };
}
