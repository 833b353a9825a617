import { StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Database, databaseClock } from '../../ledger/database.ts';
import { type Performance, readPerformance } from '../../ledger/queries/performance.ts';
import {
  actualRtp,
  GAME_TYPE,
  type Interval,
  NO_ACTIVITY,
  PERFORMANCE_COLUMNS,
  PERFORMANCE_TITLE,
  type PerformanceLine,
  type PerformanceReport,
  performanceLines,
  performanceRows,
  performanceTable,
  statusOf,
  theoreticalRtp,
} from '../../reports/performanceReport.ts';
import { csvLines } from '../../terminal/csvLines.ts';
import { withOutput } from '../../terminal/output.ts';
import { writeMicros } from '../../terminal/writeAmounts.ts';
import { addDatabaseOptions } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

const PERIODS = ['day', 'month', 'year', 'life'] as const;

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

async function report(db: Database, options: ReportOptions): Promise<void> {
  const { operator: operatorCode, game: gameID, csv, json, out } = options;
  if (csv && json) throw new StartError('Choose --csv or --json.');
  const to = options.date ?? dayOf(await databaseClock(db));
  const interval: Interval = { from: firstDayOf(options.period, to), to };
  const outcome = await readPerformance(db, { operatorCode, gameID, ...interval });
  if (!outcome.ok) throw new StartError(UNKNOWN[outcome.unknown]);
  const read = { ...outcome, ...interval };
  const text = json
    ? jsonText(read)
    : csv
      ? csvLines([PERFORMANCE_COLUMNS, ...performanceTable(read)])
      : plainText(read);
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

function jsonText(read: PerformanceReport): string {
  const { from = null, to, generatedAt } = read;
  return `${JSON.stringify({ report: PERFORMANCE_TITLE, from, to, generatedAt, rows: performanceRows(read) })}\n`;
}

/** Returns a head for the terminal, then a paragraph for each row. */
function plainText(read: PerformanceReport): string {
  const interval = `${read.from ?? 'the first round'} to ${read.to} (UTC)`;
  const head = `${PERFORMANCE_TITLE}\nFrom ${interval}, generated ${read.generatedAt.toISOString()}`;
  return `${[head, ...performanceLines(read).map(paragraph)].join('\n\n')}\n`;
}

function paragraph({ operatorCode, row }: PerformanceLine): string {
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
