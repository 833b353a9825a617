import { Command, InvalidArgumentError, Option } from 'commander';
import { type CellRow, cellTable } from '../../base/terminal/cellTable.ts';
import { csvLines } from '../../base/terminal/csvLines.ts';
import { percent } from '../../base/terminal/mathReport.ts';
import { writeUnits } from '../../base/terminal/writeAmounts.ts';
import { RTP_COLUMNS, type RtpLine, rtpLine } from '../../staff/reports/rtpReport.ts';
import { databaseClock } from '../../store/database/database.ts';
import { type ModeTotals, type RtpAlarm, readModeTotals, type TotalsFilter } from '../../store/watch/gameTotals.ts';
import { alarmsOf, checkRtp, ODDS } from '../../watch/rtp/rtpCheck.ts';
import { sumTotals, type UnlikeTable } from '../../watch/rtp/sumTotals.ts';
import { addCellOptions, type CellsChoice } from '../options/cellOptions.ts';
import { isDay } from '../options/options.ts';
import { type CellResult, overCells, readOf, type Sum } from '../options/overCells.ts';

type RtpOptions = CellsChoice & TotalsFilter & { json?: true; csv?: true; check?: true };

export function rtpCommand(): Command {
  return addCellOptions(
    new Command('rtp')
      .description(
        'Rounds, bets, payouts and RTP of each game, version, mode and currency, beside the RTP of its lookup table: the z-score, and the interval ' +
          'that holds the RTP of that number of rounds with a confidence of 99.9 %. Says where the rounds are too few to prove anything. Free rounds count with what their bets would have cost. Void rounds, and rounds that are open now, are counted apart. ' +
          'With several databases: the exact sums over all of them, of which z-score and interval are; --json and --csv also have those of each.',
      )
      .option('--operator <code>', 'rounds at this operator')
      .option('--game <id>', 'rounds of this game')
      .addOption(new Option('--from <day>', 'rounds completed on this UTC day or later').argParser(parseDay))
      .addOption(new Option('--to <day>', 'rounds completed on this UTC day or earlier').argParser(parseDay))
      .addOption(new Option('--json', 'as JSON; amounts are micros, as text').conflicts('csv'))
      .option('--csv', 'as CSV')
      .addOption(
        new Option(
          '--check',
          'look for alarms, as `serve` does once an hour: exit code 1 when the RTP of a life, month or day is out of bounds; with several databases in each, and in the sum',
        ).conflicts(['operator', 'game', 'from', 'to', 'json', 'csv']),
      ),
  ).action((options: RtpOptions) => (options.check ? check(options) : report(options)));
}

function report(options: RtpOptions): Promise<void> {
  return overCells(options, {
    read: (db) => readModeTotals(db, options),
    one: (totals) => printTotals(totals, options),
    many: (results, sum) => printSums(results, sum, options),
  });
}

function printTotals(totals: readonly ModeTotals[], { json, csv }: RtpOptions): void {
  const lines = totals.map(rtpLine);
  if (json) console.log(JSON.stringify(lines, null, 2));
  else if (csv)
    process.stdout.write(csvLines([RTP_COLUMNS, ...lines.map((line) => RTP_COLUMNS.map((column) => line[column]))]));
  else console.log(textOfAll(lines));
}

function textOfAll(lines: readonly RtpLine[]): string {
  return lines.length === 0 ? 'No activity.' : lines.map(textOf).join('\n\n');
}

function printSums(results: readonly CellResult<ModeTotals[]>[], { name, isWhole }: Sum, options: RtpOptions): void {
  const { totals, unlike } = sumTotals(readOf(results).map(({ cell, value }) => ({ cell, totals: value })));
  const sum = totals.map(rtpLine);
  if (options.json) {
    const cells = results.map((each) =>
      each.ok ? { cell: each.cell, lines: each.value.map(rtpLine) } : { cell: each.cell, issue: each.why },
    );
    console.log(JSON.stringify({ cells, isWhole, sum }, null, 2));
  } else if (options.csv) {
    const row = (cell: string, line: RtpLine) => [cell, ...RTP_COLUMNS.map((column) => line[column]), null];
    const rows = results.flatMap((each) =>
      each.ok
        ? each.value.map((one) => row(each.cell, rtpLine(one)))
        : [[each.cell, ...RTP_COLUMNS.map(() => null), each.why]],
    );
    const head = ['cell', ...RTP_COLUMNS, 'issue'];
    process.stdout.write(csvLines([head, ...rows, ...sum.map((line) => row(name, line))]));
  } else {
    const rounds = (all: readonly ModeTotals[]) => `${all.reduce((total, each) => total + each.rounds, 0n)}`;
    const rows = results.map((each): CellRow => (each.ok ? { cell: each.cell, values: [rounds(each.value)] } : each));
    console.log(cellTable(['cell', 'rounds'], [...rows, { cell: name, values: [rounds(totals)] }]));
    console.log(`\n${textOfAll(sum)}`);
  }
  sayUnlike(unlike);
}

/** The rounds of two lookup tables have no common RTP to be compared with. */
function sayUnlike(unlike: readonly UnlikeTable[]): void {
  for (const { gameID, version, mode, cells } of unlike) {
    console.error(
      `${gameID}/${version}, ${mode}: ${cells.join(' and ')} have different lookup tables, so the sum has none.`,
    );
    process.exitCode = 1;
  }
}

function textOf(line: RtpLine): string {
  const { game, version, mode, currency, rtp, theoreticalRtp, zScore: z } = line;
  const amount = (micros: string) => writeUnits(BigInt(micros));
  const rows = [
    ['status', line.status],
    ['available', `from ${line.availableSince}`],
    ['withdrawn', line.withdrawnAt === null ? '' : `from ${line.withdrawnAt}`],
    ['rounds', line.rounds],
    ['bets', amount(line.bets)],
    ['payouts', amount(line.payouts)],
    ['free of these', freeText(line)],
    ['RTP', rtp === null ? 'none yet' : percent(rtp)],
    ['RTP of the table', theoreticalRtp === null ? 'unknown: serve the version once' : percent(theoreticalRtp)],
    ['99.9 % interval', intervalText(line)],
    ['so far', tooFewText(line)],
    ['z-score', z === null ? '' : z.toFixed(2)],
    ['void rounds', `${line.voidRounds}, bets ${amount(line.voidBets)}`],
    ['open rounds', `${line.openRounds}, bets ${amount(line.openBets)}, payouts owed ${amount(line.openPayouts)}`],
  ];
  const shown = rows.filter(([, value]) => value !== '').map(([label = '', value]) => `  ${label.padEnd(18)}${value}`);
  return [`${game}/${version}, ${mode}, ${currency}`, ...shown].join('\n');
}

function freeText({ freeRounds, freeBets, freePayouts }: RtpLine): string {
  if (freeRounds === '0') return '';
  return `${freeRounds}, bets ${writeUnits(BigInt(freeBets))}, payouts ${writeUnits(BigInt(freePayouts))}`;
}

/** An interval that begins at 0 % allows almost any RTP. */
function intervalText({ rtp, low, high }: RtpLine): string {
  if (rtp === null || low === null || high === null) return '';
  return low === 0 && rtp <= high ? 'too few rounds' : `${percent(low)} to ${percent(high)}`;
}

/** Returns an empty text when the rounds are enough for a deviation of one point, or prove one. */
function tooFewText({ rounds, rtp, low, high, roundsForOnePoint: needed }: RtpLine): string {
  if (needed === null || Number(rounds) >= needed) return '';
  if (rtp !== null && low !== null && high !== null && (rtp < low || rtp > high)) return '';
  const about = Number(needed.toPrecision(2)).toLocaleString('en-US');
  return `${rounds} rounds prove nothing yet; a deviation of one point shows after about ${about}`;
}

type Checked = Awaited<ReturnType<typeof checkRtp>>;
type Found = Checked['found'];

function check(choice: CellsChoice): Promise<void> {
  return overCells(choice, {
    read: async (db) => checkRtp(db, await databaseClock(db)),
    one: ({ found }) => printFound(found),
    many: printFoundInCells,
  });
}

function printFoundInCells(results: readonly CellResult<Checked>[], { name, isWhole }: Sum): void {
  const read = readOf(results);
  // Periods are matched by name: around midnight the clocks of two databases are in different days.
  const periods = new Map(read.flatMap(({ value }) => value.periods.map(({ period }) => [period.name, period])));
  const alarms: RtpAlarm[] = [];
  for (const period of periods.values()) {
    const cells = read.map(({ cell, value }) => ({
      cell,
      totals: value.periods.find((each) => each.period.name === period.name)?.totals ?? [],
    }));
    const { totals, unlike } = sumTotals(cells);
    alarms.push(...alarmsOf(totals, period));
    // A life has the rounds of every version.
    if (period.name === 'life') sayUnlike(unlike);
  }
  for (const { cell, value } of read) for (const each of value.found) console.log(`${cell}: ${alarmText(each)}`);
  for (const alarm of alarms) console.log(`${name}: ${alarmText({ alarm, isNew: true })}`);
  const rows = results.map(
    (each): CellRow => (each.ok ? { cell: each.cell, values: [`${each.value.found.length}`] } : each),
  );
  console.log(cellTable(['cell', 'alarms'], [...rows, { cell: name, values: [`${alarms.length}`] }]));
  if (alarms.length > 0 || read.some(({ value }) => value.found.length > 0)) process.exitCode = 1;
  else if (isWhole) console.log(WITHIN_BOUNDS);
}

const WITHIN_BOUNDS = `Every return is within its bounds (1 life in ${ODDS.life} is not).`;

function printFound(found: Found): void {
  for (const each of found) console.log(alarmText(each));
  if (found.length > 0) process.exitCode = 1;
  else console.log(WITHIN_BOUNDS);
}

function alarmText({ alarm, isNew }: Found[number]): string {
  const { gameID, version, mode, currency, period, rounds, rtp, theoreticalRtp } = alarm;
  const known = isNew ? '' : ', known before';
  return `${gameID}/${version}, ${mode}, ${currency}, ${period}: ${percent(rtp)} of ${rounds} rounds, the table returns ${percent(theoreticalRtp)}${known}`;
}

function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('A UTC day like 2030-01-31.');
}
