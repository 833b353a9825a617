import type { Logger } from 'pino';
import { MS_PER_DAY } from '../../base/durations.ts';
import { type Sweep, startSweep } from '../../base/sweep.ts';
import type { Database } from '../../store/database/database.ts';
import {
  claimRtpCheck,
  foldGameTotals,
  type ModeTotals,
  type RtpAlarm,
  readModeTotals,
  storeRtpAlarm,
} from '../../store/watch/gameTotals.ts';
import { evidenceAgainst, sumOf, theoryOf } from './bounds.ts';

/**
 * A sound mode is reported, in a currency, at most once in this number of lives, months and days,
 * each with all of its looks.
 */
export const ODDS = { life: 1_000, month: 10_000, day: 100_000 } as const;

/** With fewer rounds nobody acts on an alarm. The bounds hold for any number. */
const FEWEST_ROUNDS = 1_000n;

export type Period = { name: string; odds: number; from?: string; to?: string };

/** Returns the running periods and the ones before, whose last rounds come after the last look. */
export function periodsAt(now: Date): Period[] {
  const days = [now, new Date(now.getTime() - MS_PER_DAY)].map((date) => date.toISOString().slice(0, 10));
  const months = [0, 1].map((back) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back + 1, 0));
    return { from: first.toISOString().slice(0, 10), to: last.toISOString().slice(0, 10) };
  });
  return [
    { name: 'life', odds: ODDS.life },
    ...months.map(({ from, to }) => ({ name: from.slice(0, 7), odds: ODDS.month, from, to })),
    ...days.map((day) => ({ name: day, odds: ODDS.day, from: day, to: day })),
  ];
}

type Checked = {
  found: { alarm: RtpAlarm; isNew: boolean }[];
  /** The totals of each period, from which the alarms come. */
  periods: { period: Period; totals: ModeTotals[] }[];
};

/** Returns the alarms of this moment, and which of them are new. Stores the new ones. */
export async function checkRtp(db: Database, now: Date): Promise<Checked> {
  const checked: Checked = { found: [], periods: [] };
  for (const period of periodsAt(now)) {
    const totals = await readModeTotals(db, { from: period.from, to: period.to });
    checked.periods.push({ period, totals });
    for (const alarm of alarmsOf(totals, period)) {
      checked.found.push({ alarm, isNew: await storeRtpAlarm(db, alarm) });
    }
  }
  return checked;
}

/** Returns the alarms of a period. Stores nothing. */
export function alarmsOf(totals: readonly ModeTotals[], period: Period): RtpAlarm[] {
  return totals.map((each) => alarmOf(each, period)).filter((alarm) => alarm !== undefined);
}

/**
 * A life also counts the open rounds: their outcome is drawn, and a round that wins stays open for
 * longer than one that loses.
 */
function alarmOf(totals: ModeTotals, { name, odds }: Period): RtpAlarm | undefined {
  const { table, open, gameVersionID, gameID, version, mode, currency } = totals;
  const sums = name === 'life' ? sumOf(totals, open) : totals;
  if (table === undefined || sums.rounds < FEWEST_ROUNDS) return undefined;
  const theory = theoryOf(table.cost, table.moments);
  if (evidenceAgainst(sums, theory) < odds) return undefined;
  const { rounds, bets, payouts } = sums;
  return {
    gameVersionID,
    gameID,
    version,
    mode,
    currency,
    period: name,
    rounds,
    bets,
    payouts,
    rtp: Number(payouts) / Number(bets),
    theoreticalRtp: theory.rtp,
  };
}

const FOLD_MS = 10_000;
const CHECK_MS = 3_600_000;

type WatchOptions = {
  db: Database;
  log: Logger;
  /** It is false where players force outcomes. */
  checks?: boolean;
  foldMs?: number;
  checkMs?: number;
};

/**
 * Folds completed rounds into the totals, and checks the live RTP once an hour, on one node at a
 * time. Every node may run it.
 */
export function startRtpWatch({ db, log, checks = true, foldMs = FOLD_MS, checkMs = CHECK_MS }: WatchOptions): Sweep {
  const look = async () => {
    await foldGameTotals(db);
    if (!checks || !(await claimRtpCheck(db, checkMs))) return false;
    for (const { alarm, isNew } of (await checkRtp(db, new Date())).found) {
      if (isNew) log.error({ ...writtenOf(alarm) }, 'the live RTP of a game has left its bounds');
    }
    return false;
  };
  return startSweep(look, {
    pauseMs: foldMs,
    onError: (error) => log.warn({ err: error }, 'the live RTP could not be checked; it is tried again'),
  });
}

function writtenOf({ gameVersionID: _, rounds, bets, payouts, ...alarm }: RtpAlarm) {
  return { ...alarm, rounds: `${rounds}`, bets: `${bets}`, payouts: `${payouts}` };
}
