import { KNOWN_CURRENCY_CODES, type OperatorRound } from '@roundhouse/contract';
import { StartError } from '@roundhouse/service';
import { Command } from 'commander';
import { type Address, publicAddress } from '../../base/address.ts';
import { type Cell, csvLines } from '../../base/terminal/csvLines.ts';
import { type Output, withOutput } from '../../base/terminal/output.ts';
import { visibleJson } from '../../base/terminal/visible.ts';
import { replayUrl, roundOnWire } from '../../rounds/play/roundOnWire.ts';
import type { Database } from '../../store/database/database.ts';
import {
  type RecordsRefusal,
  type RecordsWanted,
  type RoundRecord,
  readRoundRecords,
} from '../../store/operators/roundRecords.ts';
import { configuredCurrencies } from '../options/currencies.ts';
import { addDatabaseOptions, parseInstant } from '../options/options.ts';
import { publicUrlOption } from '../options/serveOptions.ts';
import { type DatabaseChoice, noAddressText, type ServerBeside, withDatabase } from '../options/withDatabase.ts';

type ExportOptions = DatabaseChoice & {
  csv?: true;
  json?: true;
  operator?: string;
  player?: string;
  game?: string;
  from?: Date;
  to?: Date;
  out?: string;
  rgsUrl?: string;
};

export function exportCommand(): Command {
  return addDatabaseOptions(
    new Command('export')
      .summary('write the records of rounds for an audit')
      .description(
        'Writes a record of each round, archived ones too, in the order of the betIDs, from one snapshot of the database. ' +
          'Without a filter it writes every round. Memory does not grow with the number of rounds.',
      )
      .option('--csv', 'CSV with a header; amounts in units with six decimals (default)')
      .option('--json', 'a line of JSON for each round; amounts in micros, as the operator API has them')
      .option('--operator <code>', 'only rounds of its players')
      .option('--player <name>', "only rounds of this player, by the operator's name")
      .option('--game <id>', 'only rounds of this game')
      .option('--from <moment>', 'rounds opened from this time on', parseInstant)
      .option('--to <moment>', 'rounds opened before this time', parseInstant)
      .option('--out <file>', 'file to write; it appears when it is whole (default: the standard output)')
      .addOption(
        publicUrlOption(
          '--rgs-url <url>',
          'address of the server in replay URLs (default: that of the server on --data, if it uses this database; without one there are none)',
        ),
      ),
  ).action((options: ExportOptions) => withDatabase(options, (db, beside) => exportRounds(db, options, beside)));
}

async function exportRounds(db: Database, options: ExportOptions, beside: ServerBeside): Promise<void> {
  const { operator: operatorCode, player: externalID, game: gameID, from, to, csv, json, out } = options;
  if (csv && json) throw new StartError('Choose --csv or --json.');
  const rgsUrl = options.rgsUrl ?? (beside.usesDatabase ? beside.server?.url : undefined);
  if (rgsUrl === undefined && beside.server !== undefined)
    console.warn(`There are no replay URLs. ${noAddressText(beside, options)}`);
  const address = rgsUrl === undefined ? undefined : publicAddress(rgsUrl);
  const wanted: RecordsWanted = { operatorCode, externalID, gameID, from, to };
  const rounds = await withOutput(out, ({ write }) =>
    writeRecords(db, wanted, { address, isJson: json === true, write }),
  );
  if (rounds !== undefined && out !== undefined) console.log(`${rounds} rounds are in ${out}.`);
}

/** Returns the number of records. */
async function writeRecords(
  db: Database,
  wanted: RecordsWanted,
  { address, isJson, write }: Output & { address: Address | undefined; isJson: boolean },
): Promise<number> {
  let header = isJson ? '' : csvLines([Object.keys(COLUMNS)]);
  const outcome = await readRoundRecords(db, wanted, async (records) => {
    const exported = records.map((record) => recordOnWire(record, address));
    await write(header + (isJson ? jsonLines(exported) : csvLines(exported.map(cellsOf))));
    header = '';
  });
  if (!outcome.ok) throw new StartError(UNKNOWN[outcome.unknown]);
  await write(header);
  return outcome.rounds;
}

const UNKNOWN: Readonly<Record<RecordsRefusal, string>> = {
  operator: 'There is no such operator. `roundhouse operator list` shows them.',
  player: 'There is no such player.',
  game: 'No version of this game was ever published here.',
};

const STATUSES = ['complete', 'completed_automatically', 'in_progress', 'interrupted', 'void'] as const;
type ExportedRound = OperatorRound & {
  operator: string;
  status: (typeof STATUSES)[number];
  balanceBefore: number | null;
  balanceAfter: number | null;
};

function recordOnWire(record: RoundRecord, address: Address | undefined): ExportedRound {
  const currencyFacts = KNOWN_CURRENCY_CODES.includes(record.currency)
    ? undefined
    : configuredCurrencies().find(({ code }) => code === record.currency);
  const round = roundOnWire(record, address === undefined ? null : replayUrl(address, record, currencyFacts));
  const { operatorCode: operator, balanceBefore, balanceAfter } = record;
  return { ...round, operator, status: statusOf(record), balanceBefore, balanceAfter };
}

function statusOf({ state, isInterrupted, autoCompletedAt }: RoundRecord): ExportedRound['status'] {
  if (state === 'void') return 'void';
  if (state === 'open') return isInterrupted ? 'interrupted' : 'in_progress';
  return autoCompletedAt === null ? 'complete' : 'completed_automatically';
}

/** The CSV has these columns, in this order. */
const COLUMNS: Readonly<Record<string, (round: ExportedRound) => Cell>> = {
  betID: ({ betID }) => betID,
  openedAt: ({ openedAt }) => openedAt,
  closedAt: ({ closedAt }) => closedAt,
  status: ({ status }) => status,
  operator: ({ operator }) => operator,
  playerID: ({ playerID }) => playerID,
  sessionNumber: ({ sessionNumber }) => sessionNumber,
  country: ({ country }) => country,
  gameID: ({ gameID }) => gameID,
  gameVersion: ({ gameVersion }) => gameVersion,
  mode: ({ mode }) => mode,
  currency: ({ currency }) => currency,
  amount: ({ amount }) => BigInt(amount),
  debit: ({ debit }) => BigInt(debit),
  payout: ({ payout }) => BigInt(payout),
  bookID: ({ bookID }) => bookID,
  payoutMultiplier: ({ payoutMultiplier }) => payoutMultiplier,
  balanceBefore: ({ balanceBefore }) => amountCell(balanceBefore),
  balanceAfter: ({ balanceAfter }) => amountCell(balanceAfter),
  replayURL: ({ replayURL }) => replayURL,
  grantID: ({ grantID }) => grantID ?? null,
  freeBet: ({ freeBet }) => amountCell(freeBet ?? null),
};

function cellsOf(round: ExportedRound): Cell[] {
  return Object.values(COLUMNS).map((cell) => cell(round));
}

function amountCell(micros: number | null): bigint | null {
  return micros === null ? null : BigInt(micros);
}

function jsonLines(rounds: readonly ExportedRound[]): string {
  return rounds.map((round) => `${visibleJson(round)}\n`).join('');
}
