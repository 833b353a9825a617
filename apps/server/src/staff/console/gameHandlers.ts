import type { AdminGameDetail, adminContract, GameActivity, GameReturns } from '@roundhouse/contract/admin';
import { MS_PER_DAY } from '../../base/durations.ts';
import type { Handlers } from '../../base/http/endpoints.ts';
import { InvalidRequest } from '../../base/http/readBody.ts';
import { notFoundResponse, ok } from '../../base/http/responses.ts';
import { databaseClock } from '../../store/database/database.ts';
import { reinstateVersion, withdrawVersion } from '../../store/rounds/games.ts';
import {
  findGameDetail,
  findVersionMode,
  type GameRow,
  type LargeWinRow,
  listGamePage,
  listLargestWins,
  type VersionRow,
} from '../../store/staff/gamePages.ts';
import { readMaintenance } from '../../store/staff/maintenance.ts';
import { type DaySums, type ModeTotals, readModeDays, readModeTotals } from '../../store/watch/gameTotals.ts';
import { type RoundSums, sumOf, type Theory, theoryOf } from '../../watch/rtp/bounds.ts';
import { returnOf, roundsForOnePoint, tableTheory } from '../../watch/rtp/returns.ts';
import type { AdminDeps } from './adminDeps.ts';
import { pageOf, pageStart } from './listPage.ts';
import { maintenanceOnWire } from './maintenanceHandlers.ts';
import { filteredScope, scopeOf } from './operatorScope.ts';

const DEFAULT_DAYS = 30;
const MOST_DAYS = 366;
const NO_SUCH_GAME = 'there is no such game';
const NO_SUCH_VERSION = 'there is no such version of the game';
const NO_ROUNDS: RoundSums = { rounds: 0n, bets: 0n, payouts: 0n, betSquares: 0n, maxBet: 0n };

type GameHandlers = Pick<
  Handlers<typeof adminContract>,
  'listGames' | 'getGame' | 'getGameReturns' | 'withdrawGame' | 'reinstateGame'
>;

/** Shows games with what they returned, and withdraws their versions. */
export function gameHandlers({ db }: AdminDeps): GameHandlers {
  return {
    listGames: async ({ query: { cursor, limit }, res }) => {
      const { operatorID } = scopeOf(res);
      const rows = await listGamePage(db, { operatorID, before: pageStart(cursor), limit });
      return ok(pageOf(rows, { limit, onWire: gameOnWire, idOf: ({ gameRowID }) => gameRowID }));
    },

    getGame: async ({ params: { gameID }, res }) => {
      const { operatorID, operatorCode } = scopeOf(res);
      const game = await findGameDetail(db, { gameID, operatorID });
      const [newest] = game?.versions ?? [];
      if (game === undefined || newest === undefined) return notFoundResponse(NO_SUCH_GAME);
      const from = dayOf((await databaseClock(db)).getTime() - (DEFAULT_DAYS - 1) * MS_PER_DAY);
      const totals = await readModeTotals(db, { game: gameID, operator: operatorCode, from });
      const maintenance = await readMaintenance(db, { scope: 'game', target: gameID });
      const wins = await listLargestWins(db, { gameRowID: game.gameRowID, operatorID });
      return ok({
        gameID,
        title: newest.title,
        versions: game.versions.map(versionOnWire),
        maintenance: maintenance.map((each) => maintenanceOnWire(each, res)),
        activity: totals.map(activityOnWire),
        largestWins: wins.map(winOnWire),
      });
    },

    getGameReturns: async ({ params: { gameID }, query, res }) => {
      const { version, mode, currency, operator } = query;
      const scope = await filteredScope(db, res, operator);
      if (scope === undefined) return notFoundResponse('there is no such operator');
      const stored = await findVersionMode(db, { gameID, version, mode });
      if (stored === undefined) return notFoundResponse(NO_SUCH_VERSION);
      const { from, to } = daysOf(query, await databaseClock(db));
      const key = { gameVersionID: stored.gameVersionID, mode, currency, from, to };
      const days = await readModeDays(db, { ...key, operatorID: scope.operatorID });
      const theory = tableTheory(stored.table);
      return ok({ from, to, version, mode, currency, ...returnsOf(days, theory) });
    },

    withdrawGame: async ({ params, body: { at, reason } }) => {
      const when = at === undefined ? undefined : new Date(at);
      const withdrawn = await withdrawVersion(db, { ...params, at: when, reason });
      if (withdrawn === undefined) return notFoundResponse(NO_SUCH_VERSION);
      return ok({ withdrawnAt: withdrawn.withdrawnAt.toISOString() });
    },

    reinstateGame: async ({ params }) => {
      const isKnown = await reinstateVersion(db, params);
      return isKnown ? ok({ withdrawnAt: null }) : notFoundResponse(NO_SUCH_VERSION);
    },
  };
}

function gameOnWire({ gameID, title, version, versions, publishedAt, isWithdrawn, maintenance, today }: GameRow) {
  return {
    gameID,
    title,
    version,
    versions,
    maintenance,
    state: isWithdrawn ? ('withdrawn' as const) : ('available' as const),
    publishedAt: publishedAt.toISOString(),
    today: today.map(({ currency, ...sums }) => ({ currency, ...sumsOnWire(sums) })),
  };
}

type Paid = Pick<RoundSums, 'rounds' | 'bets' | 'payouts'>;

function sumsOnWire({ rounds, bets, payouts }: Paid) {
  const rtp = rounds > 0n ? Number(payouts) / Number(bets) : null;
  return { rounds: Number(rounds), bets: `${bets}`, payouts: `${payouts}`, rtp };
}

function versionOnWire(stored: VersionRow): AdminGameDetail['versions'][number] {
  const { version, title, publishedAt, withdrawnAt, mathSha256, currencies, openRounds, modes, betLimits } = stored;
  const isWithdrawn = withdrawnAt !== null && withdrawnAt.getTime() <= Date.now();
  return {
    version,
    title,
    mathSha256,
    currencies,
    openRounds,
    state: isWithdrawn ? 'withdrawn' : 'available',
    publishedAt: publishedAt.toISOString(),
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
    modes: modes.map(({ mode, cost, moments }) => {
      const { rtp, hitRate, variance } = theoryOf(cost, moments);
      const isFeature = stored.modeReturns[mode]?.feature ?? false;
      const maxPayout = Number(moments.max) / 100;
      return { mode, cost, rtp, hitRate, standardDeviation: Math.sqrt(variance), maxPayout, isFeature };
    }),
    bets: Object.entries(betLimits).map(([currency, { minBet, maxBet, stepBet, betLevels }]) => ({
      currency,
      minBet,
      maxBet,
      stepBet,
      betLevels: [...betLevels],
    })),
  };
}

function activityOnWire(totals: ModeTotals): GameActivity {
  const { version, mode, currency, open, table } = totals;
  const openRounds = Number(open.rounds);
  return { version, mode, currency, ...sumsOnWire(totals), ...returnOf(totals, tableTheory(table)), openRounds };
}

function winOnWire({
  betID,
  betMicros,
  payoutMicros,
  at,
  ...win
}: LargeWinRow): AdminGameDetail['largestWins'][number] {
  return { ...win, betID: Number(betID), bet: Number(betMicros), payout: Number(payoutMicros), at: at.toISOString() };
}

/** Returns each day with the sum of all days up to it. */
function returnsOf(
  days: readonly DaySums[],
  theory: Theory | undefined,
): Omit<GameReturns, 'from' | 'to' | 'version' | 'mode' | 'currency'> {
  let soFar = NO_ROUNDS;
  const compared = (sums: RoundSums) => {
    const { low, high } = returnOf(sums, theory);
    return { ...sumsOnWire(sums), low, high };
  };
  const shown = days.map(({ day, ...sums }) => {
    soFar = sumOf(soFar, sums);
    return { day, ...compared(sums), cumulative: compared(soFar) };
  });
  return { tableRtp: theory?.rtp ?? null, roundsForOnePoint: roundsForOnePoint(soFar, theory), days: shown };
}

/** @throws InvalidRequest when the days are in the wrong order, or too many. */
function daysOf({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date) {
  const last = to ?? dayOf(now.getTime());
  const first = from ?? dayOf(Date.parse(last) - (DEFAULT_DAYS - 1) * MS_PER_DAY);
  const days = (Date.parse(last) - Date.parse(first)) / MS_PER_DAY + 1;
  if (days < 1) throw new InvalidRequest('to: it is before `from`', { to: 'It is before the first day.' });
  if (days > MOST_DAYS) {
    throw new InvalidRequest(`from: at most ${MOST_DAYS} days`, { from: `At most ${MOST_DAYS} days.` });
  }
  return { from: first, to: last };
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
