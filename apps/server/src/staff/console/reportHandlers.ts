import { type adminContract, MAX_REVENUE_ROWS, type RevenueGroup } from '@roundhouse/contract/admin';
import type { Handlers } from '../../base/http/endpoints.ts';
import { errorResponse, notFoundResponse, ok } from '../../base/http/responses.ts';
import { databaseClock } from '../../store/database/database.ts';
import { listOpenInterruptedRounds, type OpenInterruptedRound } from '../../store/rounds/interruptedRounds.ts';
import { readPerformance } from '../../store/staff/performance.ts';
import { type RevenueSums, readRevenue, readRevenueTotals } from '../../store/staff/revenue.ts';
import { readModeTotals } from '../../store/watch/gameTotals.ts';
import { performanceRows } from '../reports/performanceReport.ts';
import { rtpLine } from '../reports/rtpReport.ts';
import type { AdminDeps } from './adminDeps.ts';
import { pageOf, pageStart } from './listPage.ts';
import { scopeOf } from './operatorScope.ts';

type ReportHandlers = Pick<
  Handlers<typeof adminContract>,
  'getRevenue' | 'getPerformance' | 'getRtpReport' | 'listInterruptedRounds'
>;

/** Serves the reports. Commands show the same rows. */
export function reportHandlers({ db }: AdminDeps): ReportHandlers {
  return {
    getRevenue: async ({ query: { from, to, operator, game, currency, by = '' }, res }) => {
      const { operatorCode = operator } = scopeOf(res);
      const wanted = { from, to, operatorCode, gameID: game, currency };
      const keys = new Set(by.split(',') as RevenueGroup[]);
      const groups = { byDay: keys.has('day'), byOperator: keys.has('operator'), byGame: keys.has('game') };
      const rows = await readRevenue(db, { ...wanted, groups, limit: MAX_REVENUE_ROWS + 1 });
      const totals = await readRevenueTotals(db, wanted);
      return ok({
        items: rows.slice(0, MAX_REVENUE_ROWS).map(countsOnWire),
        totals: totals.map(countsOnWire),
        isCut: rows.length > MAX_REVENUE_ROWS,
      });
    },

    getPerformance: async ({ query: { from, to, operator, game }, res }) => {
      const interval = { from, to: to ?? (await databaseClock(db)).toISOString().slice(0, 10) };
      if (from !== undefined && from > interval.to) return errorResponse('ERR_VAL', 'to: must not be before from');
      const { operatorCode = operator } = scopeOf(res);
      const outcome = await readPerformance(db, { operatorCode, gameID: game, ...interval });
      if (!outcome.ok) return notFoundResponse(`there is no such ${outcome.unknown}`);
      return ok({
        from: from ?? null,
        to: interval.to,
        generatedAt: outcome.generatedAt.toISOString(),
        items: performanceRows({ ...outcome, ...interval }).map((row) => ({ ...NO_ROW, ...row })),
      });
    },

    getRtpReport: async ({ query: { operator, ...wanted }, res }) => {
      const { operatorCode = operator } = scopeOf(res);
      const totals = await readModeTotals(db, { ...wanted, operator: operatorCode });
      return ok({ items: totals.map(rtpLine) });
    },

    listInterruptedRounds: async ({ query: { cursor, limit, operator, game }, res }) => {
      const { operatorCode = operator } = scopeOf(res);
      const rows = await listOpenInterruptedRounds(db, {
        operatorCode,
        gameID: game,
        before: pageStart(cursor),
        limit: limit + 1,
      });
      return ok(pageOf(rows, { limit, onWire: interruptedOnWire, idOf: ({ roundID }) => roundID }));
    },
  };
}

/** An operator without a row has these. */
const NO_ROW = {
  gameID: null,
  gameVersion: null,
  title: null,
  type: null,
  status: null,
  availableSince: null,
  withdrawnAt: null,
  mode: null,
  currency: null,
  rounds: null,
  bets: null,
  payouts: null,
  ggr: null,
  actualRtp: null,
  theoreticalRtp: null,
  voidRounds: null,
  voidBets: null,
  interruptedRounds: null,
  interruptedBets: null,
  freeRounds: null,
  freeBets: null,
  freePayouts: null,
};

function countsOnWire<Row extends RevenueSums>({ rounds, freeRounds, voidRounds, ...row }: Row) {
  return { ...row, rounds: Number(rounds), freeRounds: Number(freeRounds), voidRounds: Number(voidRounds) };
}

function interruptedOnWire({ roundID, operatorCode, externalID, activeAt, dueAt, ...round }: OpenInterruptedRound) {
  return {
    ...round,
    betID: Number(roundID),
    operator: operatorCode,
    playerID: externalID,
    activeAt: activeAt.toISOString(),
    dueAt: dueAt?.toISOString() ?? null,
  };
}
