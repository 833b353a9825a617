import { Command, InvalidArgumentError, Option } from 'commander';
import { type Database, databaseClock } from '../../ledger/database.ts';
import { readModeTotals, type TotalsFilter } from '../../ledger/queries/gameTotals.ts';
import { RTP_COLUMNS, type RtpLine, rtpLine } from '../../reports/rtpReport.ts';
import { checkRtp, ODDS } from '../../rtp/rtpCheck.ts';
import { csvLines } from '../../terminal/csvLines.ts';
import { percent } from '../../terminal/mathReport.ts';
import { writeUnits } from '../../terminal/writeAmounts.ts';
import { addDatabaseOptions } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

type RtpOptions = DatabaseChoice & TotalsFilter & { json?: true; csv?: true; check?: true };

export function rtpCommand(): Command {
  return addDatabaseOptions(
    new Command('rtp')
      .summary('compare what games returned with their lookup tables')
      .description(
        'Rounds, bets, payouts and RTP of each game, version, mode and currency, beside the RTP of its lookup table: the z-score, and the interval ' +
          'that holds the RTP of so many rounds with a confidence of 99.9 %. Says where the rounds are too few to prove anything. Free rounds count with what their bets would have cost. Void rounds, and rounds that are open now, are counted apart.',
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
          'look for alarms, as `serve` does once an hour: exit code 1 when the RTP of a life, month or day is out of bounds',
        ).conflicts(['operator', 'game', 'from', 'to', 'json', 'csv']),
      ),
  ).action((options: RtpOptions) => withDatabase(options, (db) => (options.check ? check(db) : report(db, options))));
}

async function report(db: Database, options: RtpOptions): Promise<void> {
  const lines = (await readModeTotals(db, options)).map(rtpLine);
  if (options.json) console.log(JSON.stringify(lines, null, 2));
  else if (options.csv)
    process.stdout.write(csvLines([RTP_COLUMNS, ...lines.map((line) => RTP_COLUMNS.map((column) => line[column]))]));
  else console.log(lines.length === 0 ? 'No activity.' : lines.map(textOf).join('\n\n'));
}

function textOf(line: RtpLine): string {
  const { game, version, mode, currency, rtp, theoreticalRtp, zScore: z, low, high } = line;
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
    ['99.9 % interval', low === null || high === null ? '' : `${percent(low)} to ${percent(high)}`],
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

/** Returns an empty text when the rounds are enough for a deviation of one point, or prove one. */
function tooFewText({ rounds, rtp, low, high, roundsForOnePoint: needed }: RtpLine): string {
  if (needed === null || Number(rounds) >= needed) return '';
  if (rtp !== null && low !== null && high !== null && (rtp < low || rtp > high)) return '';
  const about = Number(needed.toPrecision(2)).toLocaleString('en-US');
  return `${rounds} rounds prove nothing yet; a deviation of one point shows after about ${about}`;
}

async function check(db: Database): Promise<void> {
  const found = await checkRtp(db, await databaseClock(db));
  for (const { alarm, isNew } of found) {
    const { gameID, version, mode, currency, period, rounds, rtp, theoreticalRtp } = alarm;
    const known = isNew ? '' : ', known before';
    console.log(
      `${gameID}/${version}, ${mode}, ${currency}, ${period}: ${percent(rtp)} of ${rounds} rounds, the table returns ${percent(theoreticalRtp)}${known}`,
    );
  }
  if (found.length > 0) process.exitCode = 1;
  else console.log(`Every return is within its bounds (1 life in ${ODDS.life} is not).`);
}

function parseDay(text: string): string {
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
  throw new InvalidArgumentError('A UTC day like 2030-01-31.');
}
