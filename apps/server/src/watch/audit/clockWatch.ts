import type { Logger } from 'pino';
import { type Database, databaseClock } from '../../store/database/database.ts';

/** GLI-19 2.2.2 demands that the clocks of all components agree within a second. */
const MAX_CLOCK_OFFSET_MS = 1_000;
const CLOCK_PAUSE_MS = 60_000;
const CLOCK_TRIPS = 3;

type ClockWatchOptions = {
  db: Database;
  log: Logger;
  /** Called when the clocks begin to disagree, and when they agree again. */
  onChange: (change: { offsetMs: number; isTooLarge: boolean }) => void;
};

/** Compares the clock of this machine with that of the database once a minute. */
export function watchClocks({ db, log, onChange }: ClockWatchOptions) {
  let clockOffsetMs: number | undefined;
  let isClockWrong = false;
  const compare = async () => {
    clockOffsetMs = await clockOffset(db).catch(() => undefined);
    if (clockOffsetMs === undefined || Math.abs(clockOffsetMs) > MAX_CLOCK_OFFSET_MS === isClockWrong) return;
    isClockWrong = !isClockWrong;
    log.error({ clockOffsetMs, isClockWrong }, 'the clocks of this machine and of the database');
    onChange({ offsetMs: clockOffsetMs, isTooLarge: isClockWrong });
  };
  void compare();
  const timer = setInterval(() => void compare(), CLOCK_PAUSE_MS).unref();
  return {
    /** It is positive when the database's clock is ahead; undefined while nobody can read it. */
    clockOffsetSeconds: () => (clockOffsetMs === undefined ? undefined : clockOffsetMs / 1_000),
    stop: () => clearInterval(timer),
  };
}

/**
 * Subtracts our clock at the middle of the round trip from that of the database. The shortest of
 * three round trips counts, because the first one may have to connect.
 */
async function clockOffset(db: Database): Promise<number> {
  let best = { offsetMs: 0, tripMs: Number.POSITIVE_INFINITY };
  for (let trip = 0; trip < CLOCK_TRIPS; trip += 1) {
    const sentMs = Date.now();
    const theirs = await databaseClock(db);
    const tripMs = Date.now() - sentMs;
    if (tripMs < best.tripMs) best = { offsetMs: theirs.getTime() - sentMs - tripMs / 2, tripMs };
  }
  return Math.round(best.offsetMs);
}
