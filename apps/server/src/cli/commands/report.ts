import { StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Database, databaseClock } from '../../ledger/database.ts';
import { type Performance, type PerformanceOutcome, readPerformance } from '../../ledger/queries/performance.ts';
import { type Cell, csvLines } from '../../terminal/csvLines.ts';
import { withOutput } from '../../terminal/output.ts';
import { writeMicros } from '../../terminal/writeAmounts.ts';
import { addDatabaseOptions } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

const PERIODS = ['day', 'month', 'year', 'life'] as const;
const TITLE = 'Game performance';
const NO_ACTIVITY = 'No activity';
/** Roundhouse serves no other games. */
const GAME_TYPE = 'slot';

type Period = (typeof PERIODS)[number];
type ReportOptions = DatabaseChoice & {
  period: Period;
  date?: string;
  operator?: string;
  game?: string;
  csv?: true;
  json?: true;
  out?: string;
};

export function reportCommand(): Command {
  return addDatabaseOptions(
    new Command('report')
      .summary('rounds, bets, payouts and RTP of games')
      .description(
        'For each operator, game version with its title, type, status and dates, mode and currency: completed rounds, bets, payouts, gross gaming revenue, free rounds apart, void rounds, ' +
          'the actual and the theoretical RTP, and the bets in interrupted rounds as of now. Days are those of UTC, by the completion of rounds.',
      )
      .addOption(
        new Option(
          '--period <period>',
          'the day of --date, or all from the beginning of its month or year or of time until its end',
        )
          .choices(PERIODS)
          .makeOptionMandatory(),
      )
      .option('--date <day>', 'last day, for example 2026-11-23 (default: today)', parseDay)
      .option('--operator <code>', 'only this operator')
      .option('--game <id>', 'only this game')
      .option('--csv', 'CSV, a line for each row; amounts in units with six decimals')
      .option('--json', 'one JSON object; amounts in micros')
      .option('--out <file>', 'file to write; it appears when it is whole (default: the standard output)'),
  ).action((options: ReportOptions) => withDatabase(options, (db) => report(db, options)));
}

type Interval = { from: string | undefined; to: string };
type Report = Extract<PerformanceOutcome, { ok: true }> & Interval;

async function report(db: Database, options: ReportOptions): Promise<void> {
  const { operator: operatorCode, game: gameID, csv, json, out } = options;
  if (csv && json) throw new StartError('Choose --csv or --json.');
  const to = options.date ?? dayOf(await databaseClock(db));
  const interval: Interval = { from: firstDayOf(options.period, to), to };
  const outcome = await readPerformance(db, { operatorCode, gameID, ...interval });
  if (!outcome.ok) throw new StartError(UNKNOWN[outcome.unknown]);
  const read = { ...outcome, ...interval };
  const text = json ? jsonText(read) : csv ? csvLines([Object.keys(COLUMNS), ...tableOf(read)]) : plainText(read);
  await withOutput(out, ({ write }) => write(text));
}

const UNKNOWN = {
  operator: 'There is no such operator. `roundhouse operator list` shows them.',
  game: 'No version of this game was ever published here.',
} as const;

function parseDay(text: string): string {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms) || dayOf(new Date(ms)) !== text)
    throw new InvalidArgumentError('A day like 2026-11-23, which is one of UTC.');
  return text;
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

function firstDayOf(period: Period, day: string): string | undefined {
  const [year, month] = day.split('-');
  return { day, month: `${year}-${month}-01`, year: `${year}-01-01`, life: undefined }[period];
}

/** An operator without a row still gets a line. */
type Line = { operatorCode: string; row: Performance | undefined };

function linesOf({ rows, operatorCodes }: Report): Line[] {
  return operatorCodes.flatMap((operatorCode): Line[] => {
    const own = rows.filter((row) => row.operatorCode === operatorCode);
    return own.length === 0 ? [{ operatorCode, row: undefined }] : own.map((row) => ({ operatorCode, row }));
  });
}

type Column = (line: Line, report: Report) => Cell;

const ofRow =
  (cell: (row: Performance) => Cell): Column =>
  ({ row }) =>
    row === undefined ? null : cell(row);

/** The CSV has these columns, in this order. */
const COLUMNS: Readonly<Record<string, Column>> = {
  report: () => TITLE,
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

function tableOf(read: Report): Cell[][] {
  return linesOf(read).map((line) => Object.values(COLUMNS).map((cell) => cell(line, read)));
}

function statusOf({ isWithdrawn }: Performance): string {
  return isWithdrawn ? 'withdrawn' : 'available';
}

const PERCENT_STEPS = 1_000_000n;

/**
 * Returns payouts ÷ bets of all rounds in percent, rounded down to four decimals; null without a
 * bet. A free round counts with what its bet would have cost: its book is drawn like any other.
 */
function actualRtp({ bets, payouts, freeBets, freePayouts }: Performance): string | null {
  const allBets = bets + freeBets;
  if (allBets === 0n) return null;
  const steps = String(((payouts + freePayouts) * PERCENT_STEPS) / allBets).padStart(5, '0');
  return `${steps.slice(0, -4)}.${steps.slice(-4)}`;
}

function theoreticalRtp({ theoreticalRtp: rtp }: Performance): string | null {
  return rtp === null ? null : (rtp * 100).toFixed(4);
}

function jsonText(read: Report): string {
  const { from = null, to, generatedAt } = read;
  const rows = linesOf(read).map(({ operatorCode, row }) =>
    row === undefined
      ? { operator: operatorCode, activity: false }
      : {
          ...{ operator: operatorCode, activity: true, gameID: row.gameID, gameVersion: row.gameVersion },
          ...{ title: row.title, type: GAME_TYPE, status: statusOf(row) },
          ...{ availableSince: row.publishedAt, withdrawnAt: row.withdrawnAt },
          ...{ mode: row.mode, currency: row.currency, rounds: Number(row.rounds) },
          ...{ bets: String(row.bets), payouts: String(row.payouts), ggr: String(row.bets - row.payouts) },
          ...{ actualRtp: actualRtp(row), theoreticalRtp: theoreticalRtp(row) },
          ...{ voidRounds: Number(row.voidRounds), voidBets: String(row.voidBets) },
          ...{ interruptedRounds: Number(row.interruptedRounds), interruptedBets: String(row.interruptedBets) },
          ...{
            freeRounds: Number(row.freeRounds),
            freeBets: String(row.freeBets),
            freePayouts: String(row.freePayouts),
          },
        },
  );
  return `${JSON.stringify({ report: TITLE, from, to, generatedAt, rows })}\n`;
}

/** Returns a head for the terminal, then a paragraph for each row. */
function plainText(read: Report): string {
  const interval = `${read.from ?? 'the first round'} to ${read.to} (UTC)`;
  const head = `${TITLE}\nFrom ${interval}, generated ${read.generatedAt.toISOString()}`;
  return `${[head, ...linesOf(read).map(paragraph)].join('\n\n')}\n`;
}

function paragraph({ operatorCode, row }: Line): string {
  if (row === undefined) return `${operatorCode}: ${NO_ACTIVITY}`;
  const percent = (text: string | null) => (text === null ? 'unknown' : `${text} %`);
  const withdrawn = row.withdrawnAt === null ? '' : `, withdrawn from ${row.withdrawnAt.toISOString()}`;
  return [
    `${operatorCode}: ${row.gameID} ${row.gameVersion}, ${row.mode}, ${row.currency}`,
    `  ${row.title}, ${GAME_TYPE}, ${statusOf(row)}, available from ${row.publishedAt.toISOString()}${withdrawn}`,
    `  rounds ${row.rounds}, bets ${writeMicros(row.bets)}, payouts ${writeMicros(row.payouts)}, GGR ${writeMicros(row.bets - row.payouts)}`,
    ...(row.freeRounds === 0n ? [] : [freeText(row)]),
    `  actual RTP ${percent(actualRtp(row))}, theoretical RTP ${percent(theoreticalRtp(row))}`,
    `  void rounds ${row.voidRounds}, bets returned ${writeMicros(row.voidBets)}`,
    `  interrupted rounds now ${row.interruptedRounds}, bets in them ${writeMicros(row.interruptedBets)}`,
  ].join('\n');
}

function freeText({ freeRounds, freeBets, freePayouts }: Performance): string {
  return `  free rounds ${freeRounds}, bets that the operator paid ${writeMicros(freeBets)}, payouts ${writeMicros(freePayouts)}`;
}
