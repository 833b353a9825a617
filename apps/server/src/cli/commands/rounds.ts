import { Command } from 'commander';
import { type InterruptedRound, listInterruptedRounds } from '../../ledger/queries/interruptedRounds.ts';
import { writeUnits } from '../../terminal/writeAmounts.ts';
import { addDatabaseOptions, wholeNumber } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';
import { exportCommand } from './roundsExport.ts';

const MAX_DAYS = 3650;
const MAX_LINES = 100_000;

export function roundsCommand(): Command {
  return new Command('rounds')
    .summary('rounds of all operators')
    .addCommand(exportCommand())
    .addCommand(interruptedCommand());
}

function interruptedCommand(): Command {
  return addDatabaseOptions(
    new Command('interrupted')
      .summary('rounds that their players have left')
      .description(
        'Open rounds in which nothing has happened for an hour, with the time at which the server completes them, and rounds that it has completed.',
      )
      .option(
        '--days <number>',
        'completed ones that were opened within so many days',
        wholeNumber({ least: 1, most: MAX_DAYS }),
        7,
      )
      .option('--limit <number>', 'most of each kind', wholeNumber({ least: 1, most: MAX_LINES }), 1000),
  ).action(async (options: DatabaseChoice & { days: number; limit: number }) => {
    const rounds = await withDatabase(options, (db) => listInterruptedRounds(db, options));
    console.log(rounds.length === 0 ? 'No round is interrupted.' : rounds.map(describe).join('\n'));
  });
}

function describe(round: InterruptedRound): string {
  const { roundID, operatorCode, externalID, gameID, currency, debit, grantID, payout, activeAt } = round;
  const ofGrant = grantID === null ? '' : `, free round of grant ${grantID}`;
  return [
    `${roundID}  ${gameID}, player ${externalID} of ${operatorCode}${ofGrant}, bet ${writeUnits(debit)} ${currency}, pays ${writeUnits(payout)}`,
    `  since ${activeAt.toISOString()}, ${stateOf(round)}`,
  ].join('\n');
}

function stateOf({ dueAt, completedAt }: InterruptedRound): string {
  if (completedAt !== null) return `completed ${completedAt.toISOString()}`;
  return dueAt === null ? 'open, waits for the player' : `open, due ${dueAt.toISOString()}`;
}
