import { StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type CellRow, cellTable } from '../../base/terminal/cellTable.ts';
import { type Cell, csvLines } from '../../base/terminal/csvLines.ts';
import { withOutput } from '../../base/terminal/output.ts';
import { writeMicros } from '../../base/terminal/writeAmounts.ts';
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
} from '../../staff/reports/performanceReport.ts';
import { sumPerformance } from '../../staff/reports/sumPerformance.ts';
import { type Database, databaseClock } from '../../store/database/database.ts';
import { type Performance, readPerformance } from '../../store/staff/performance.ts';
import { addCellOptions, type CellsChoice, chosenOf } from '../options/cellOptions.ts';
import { isDay } from '../options/options.ts';
import { type CellResult, readOf, type Sum, sumOf, withCells } from '../options/overCells.ts';
import { withDatabase } from '../options/withDatabase.ts';

const PERIODS = ['day', 'month', 'year', 'life'] as const;

type Period = (typeof PERIODS)[number];
type ReportOptions = CellsChoice & {
  period: Period;
  date?: string;
  operator?: string;
  game?: string;
  csv?: true;
  json?: true;
  out?: string;
};

export function reportCommand(): Command {
  return addCellOptions(
    new Command('report')
      .description(
        'For each operator, game version with its title, type, status and dates, mode and currency: completed rounds, bets, payouts, gross gaming revenue, free rounds apart, void rounds, ' +
          'the actual and the theoretical RTP, and the bets in interrupted rounds as of now. Days are those of UTC, by the completion of rounds. ' +
          'With several databases: the exact sums over all of them; --json and --csv also have the rows of each.',
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
  ).action(report);
}

async function report(options: ReportOptions): Promise<void> {
  const { csv, json, out } = options;
  if (csv && json) throw new StartError('Choose --csv or --json.');
  const chosen = chosenOf(options);
  if (chosen.kind === 'one') {
    const read = await withDatabase(chosen.choice, async (db) =>
      readReport(db, options, options.date ?? (await dayOfDatabase(db))),
    );
    if ('unknown' in read) throw new StartError(UNKNOWN[read.unknown]);
    const text = json
      ? jsonText(read)
      : csv
        ? csvLines([PERFORMANCE_COLUMNS, ...performanceTable(read)])
        : plainText(read);
    await withOutput(out, ({ write }) => write(text));
    return;
  }
  await withCells(chosen, options, async (cells) => {
    // All cells report the same day, also around midnight.
    const days = options.date === undefined ? readOf(await cells.each(dayOfDatabase)) : [];
    const to = options.date ?? days.map(({ value }) => value).sort()[0] ?? dayOf(new Date());
    const results = await cells.each((db) => readReport(db, options, to));
    await printReports(results, sumOf(results, await cells.findMoves()), options);
  });
}

type Unknown = { unknown: 'operator' | 'game' };

async function readReport(db: Database, options: ReportOptions, to: string): Promise<PerformanceReport | Unknown> {
  const { operator: operatorCode, game: gameID, period } = options;
  const interval: Interval = { from: firstDayOf(period, to), to };
  const outcome = await readPerformance(db, { operatorCode, gameID, ...interval });
  return outcome.ok ? { ...outcome, ...interval } : { unknown: outcome.unknown };
}

/** An operator or a game need not be in every cell, and one that is in none is unknown. */
async function printReports(
  results: readonly CellResult<PerformanceReport | Unknown>[],
  { name, isWhole }: Sum,
  options: ReportOptions,
): Promise<void> {
  const { json, csv, out } = options;
  const read = readOf(results);
  const reports = read.flatMap(({ cell, value }) => ('unknown' in value ? [] : [{ cell, read: value }]));
  const isKnown = (what: Unknown['unknown']) =>
    read.some(({ value }) => !('unknown' in value) || value.unknown !== what);
  const [first] = reports;
  for (const what of ['operator', 'game'] as const) if (isWhole && !isKnown(what)) throw new StartError(UNKNOWN[what]);
  const sum = first && { ...first.read, ...sumPerformance(reports) };
  const rounds = ({ rows }: Pick<PerformanceReport, 'rows'>) =>
    `${rows.reduce((total, row) => total + row.rounds + row.freeRounds, 0n)}`;
  const textFor = () => {
    if (json) {
      const rowsOf = (value: PerformanceReport | Unknown) => ('unknown' in value ? [] : performanceRows(value));
      const cells = results.map((each) =>
        each.ok ? { cell: each.cell, rows: rowsOf(each.value) } : { cell: each.cell, issue: each.why },
      );
      return `${JSON.stringify({ ...(sum && headOf(sum)), isWhole, cells, sum: sum ? performanceRows(sum) : [] })}\n`;
    }
    if (csv) {
      const rows = results.flatMap((each): Cell[][] => {
        if (!each.ok) return [[each.cell, ...PERFORMANCE_COLUMNS.map(() => null), each.why]];
        return 'unknown' in each.value ? [] : performanceTable(each.value).map((row) => [each.cell, ...row, null]);
      });
      const sums = sum ? performanceTable(sum).map((row): Cell[] => [name, ...row, null]) : [];
      return csvLines([['cell', ...PERFORMANCE_COLUMNS, 'issue'], ...rows, ...sums]);
    }
    const rows = results.map((each): CellRow => {
      if (!each.ok) return each;
      return 'unknown' in each.value
        ? { cell: each.cell, why: `There is no such ${each.value.unknown} here.` }
        : { cell: each.cell, values: [rounds(each.value)] };
    });
    const total = sum ? [{ cell: name, values: [rounds(sum)] }] : [];
    return `${cellTable(['cell', 'rounds'], [...rows, ...total])}\n${sum ? `\n${plainText(sum)}` : ''}`;
  };
  await withOutput(out, ({ write }) => write(textFor()));
  for (const { gameID, gameVersion, mode, cells } of sum?.unlike ?? []) {
    console.error(
      `${gameID}/${gameVersion}, ${mode}: ${cells.join(' and ')} have different theoretical RTPs, so the sum has none.`,
    );
    process.exitCode = 1;
  }
}

const UNKNOWN = {
  operator: 'There is no such operator. `roundhouse operator list` shows them.',
  game: 'No version of this game was ever published here.',
} as const;

function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('A day like 2026-11-23, which is one of UTC.');
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

function firstDayOf(period: Period, day: string): string | undefined {
  const [year, month] = day.split('-');
  return { day, month: `${year}-${month}-01`, year: `${year}-01-01`, life: undefined }[period];
}

async function dayOfDatabase(db: Database): Promise<string> {
  return dayOf(await databaseClock(db));
}

function jsonText(read: PerformanceReport): string {
  return `${JSON.stringify({ ...headOf(read), rows: performanceRows(read) })}\n`;
}

function headOf({
  from = null,
  to,
  generatedAt,
}: Omit<PerformanceReport, 'from'> & { from?: string | null | undefined }) {
  return { report: PERFORMANCE_TITLE, from, to, generatedAt };
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
