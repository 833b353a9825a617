import type { CurrencyCode } from '@roundhouse/contract';
import type { Cell } from '../../base/terminal/csvLines.ts';
import type { Performance, PerformanceOutcome } from '../../store/staff/performance.ts';

export const PERFORMANCE_TITLE = 'Game performance';
export const NO_ACTIVITY = 'No activity';
/** Roundhouse serves no other games. */
export const GAME_TYPE = 'slot';

/** Days are in UTC, as 2026-11-23, both included. Without `from` it begins with the first round. */
export type Interval = { from: string | undefined; to: string };
export type PerformanceReport = Extract<PerformanceOutcome, { ok: true }> & Interval;

/** An operator without a row still gets a line. */
export type PerformanceLine = { operatorCode: string; row: Performance | undefined };

export function performanceLines({ rows, operatorCodes }: PerformanceReport): PerformanceLine[] {
  return operatorCodes.flatMap((operatorCode): PerformanceLine[] => {
    const own = rows.filter((row) => row.operatorCode === operatorCode);
    return own.length === 0 ? [{ operatorCode, row: undefined }] : own.map((row) => ({ operatorCode, row }));
  });
}

type Column = (line: PerformanceLine, report: PerformanceReport) => Cell;

const ofRow =
  (cell: (row: Performance) => Cell): Column =>
  ({ row }) =>
    row === undefined ? null : cell(row);

/** The CSV has these columns, in this order. */
const COLUMNS: Readonly<Record<string, Column>> = {
  report: () => PERFORMANCE_TITLE,
  from: (_line, { from }) => from ?? null,
  to: (_line, { to }) => to,
  generatedAt: (_line, { generatedAt }) => generatedAt.toISOString(),
  operator: ({ operatorCode }) => operatorCode,
  gameID: ({ row }) => row?.gameID ?? NO_ACTIVITY,
  gameVersion: ofRow(({ gameVersion }) => gameVersion),
  title: ofRow(({ title }) => title),
  type: ofRow(() => GAME_TYPE),
  status: ofRow(statusOf),
  availableSince: ofRow(({ publishedAt }) => publishedAt.toISOString()),
  withdrawnAt: ofRow(({ withdrawnAt }) => withdrawnAt?.toISOString() ?? null),
  mode: ofRow(({ mode }) => mode),
  currency: ofRow(({ currency }) => currency),
  rounds: ofRow(({ rounds }) => Number(rounds)),
  bets: ofRow(({ bets }) => bets),
  payouts: ofRow(({ payouts }) => payouts),
  ggr: ofRow(({ bets, payouts }) => bets - payouts),
  actualRtp: ofRow(actualRtp),
  theoreticalRtp: ofRow(theoreticalRtp),
  voidRounds: ofRow(({ voidRounds }) => Number(voidRounds)),
  voidBets: ofRow(({ voidBets }) => voidBets),
  interruptedRounds: ofRow(({ interruptedRounds }) => Number(interruptedRounds)),
  interruptedBets: ofRow(({ interruptedBets }) => interruptedBets),
  freeRounds: ofRow(({ freeRounds }) => Number(freeRounds)),
  freeBets: ofRow(({ freeBets }) => freeBets),
  freePayouts: ofRow(({ freePayouts }) => freePayouts),
};

/** Names the columns of the CSV. */
export const PERFORMANCE_COLUMNS: readonly string[] = Object.keys(COLUMNS);

/** Returns a row of cells for each line. */
export function performanceTable(read: PerformanceReport): Cell[][] {
  return performanceLines(read).map((line) => Object.values(COLUMNS).map((cell) => cell(line, read)));
}

export function statusOf({ isWithdrawn }: Performance): 'available' | 'withdrawn' {
  return isWithdrawn ? 'withdrawn' : 'available';
}

const PERCENT_STEPS = 1_000_000n;

/**
 * Returns payouts ÷ bets of all rounds in percent, rounded down to four decimals; null without a
 * bet. A free round counts with what its bet would have cost: its book is drawn like any other.
 */
export function actualRtp({ bets, payouts, freeBets, freePayouts }: Performance): string | null {
  const allBets = bets + freeBets;
  if (allBets === 0n) return null;
  const steps = String(((payouts + freePayouts) * PERCENT_STEPS) / allBets).padStart(5, '0');
  return `${steps.slice(0, -4)}.${steps.slice(-4)}`;
}

export function theoreticalRtp({ theoreticalRtp: rtp }: Performance): string | null {
  return rtp === null ? null : (rtp * 100).toFixed(4);
}

/** Sums are micros as text; an operator without a row has `activity: false`. */
export type PerformanceRow = { operator: string } & (
  | { activity: false }
  | ({ activity: true } & Record<'gameID' | 'gameVersion' | 'title' | 'type' | 'mode', string> & {
        status: 'available' | 'withdrawn';
        availableSince: string;
        withdrawnAt: string | null;
        currency: CurrencyCode;
      } & Record<'rounds' | 'voidRounds' | 'interruptedRounds' | 'freeRounds', number> &
      Record<'bets' | 'payouts' | 'ggr' | 'voidBets' | 'interruptedBets' | 'freeBets' | 'freePayouts', string> &
      Record<'actualRtp' | 'theoreticalRtp', string | null>)
);

/** Returns the rows for JSON, in the order of the CSV. */
export function performanceRows(read: PerformanceReport): PerformanceRow[] {
  return performanceLines(read).map(
    ({ operatorCode, row }): PerformanceRow =>
      row === undefined
        ? { operator: operatorCode, activity: false }
        : {
            operator: operatorCode,
            activity: true,
            gameID: row.gameID,
            gameVersion: row.gameVersion,
            title: row.title,
            type: GAME_TYPE,
            status: statusOf(row),
            availableSince: row.publishedAt.toISOString(),
            withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
            mode: row.mode,
            currency: row.currency,
            rounds: Number(row.rounds),
            bets: String(row.bets),
            payouts: String(row.payouts),
            ggr: String(row.bets - row.payouts),
            actualRtp: actualRtp(row),
            theoreticalRtp: theoreticalRtp(row),
            voidRounds: Number(row.voidRounds),
            voidBets: String(row.voidBets),
            interruptedRounds: Number(row.interruptedRounds),
            interruptedBets: String(row.interruptedBets),
            freeRounds: Number(row.freeRounds),
            freeBets: String(row.freeBets),
            freePayouts: String(row.freePayouts),
          },
  );
}
