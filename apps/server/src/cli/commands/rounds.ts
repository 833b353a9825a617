import { StartError } from '@roundhouse/service';
import { Command } from 'commander';
import { visible } from '../../base/terminal/visible.ts';
import { writeUnits } from '../../base/terminal/writeAmounts.ts';
import { type CompleteOutcome, completeRound } from '../../ledger/voidAndComplete.ts';
import { type InterruptedRound, listInterruptedRounds } from '../../store/rounds/interruptedRounds.ts';
import { addDatabaseOptions, parseReason, wholeNumber } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';
import { exportCommand } from './roundsExport.ts';

const MAX_DAYS = 3650;
const MAX_LINES = 100_000;

export function roundsCommand(): Command {
  return new Command('rounds')
    .addCommand(exportCommand())
    .addCommand(interruptedCommand())
    .addCommand(completeCommand());
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
        'completed ones that were opened within this number of days',
        wholeNumber({ least: 1, most: MAX_DAYS }),
        7,
      )
      .option('--limit <number>', 'most of each kind', wholeNumber({ least: 1, most: MAX_LINES }), 1000),
  ).action(async (options: DatabaseChoice & { days: number; limit: number }) => {
    const rounds = await withDatabase(options, (db) => listInterruptedRounds(db, options));
    console.log(rounds.length === 0 ? 'No round is interrupted.' : rounds.map(describe).join('\n'));
  });
}

function completeCommand(): Command {
  return addDatabaseOptions(
    new Command('complete')
      .summary('complete a round that its player has left')
      .description(
        'Ends one open round as its player would: it pays what its book says, and the credit goes to the wallet. Do it when the player does not come back.',
      )
      .argument('<betID>', 'the round', wholeNumber({ least: 1, most: Number.MAX_SAFE_INTEGER }))
      .requiredOption('--reason <text>', 'why, for the log of significant events', parseReason),
  ).action(async (betID: number, options: DatabaseChoice & { reason: string }) => {
    const { reason } = options;
    const outcome = await withDatabase(options, (db) => completeRound(db, { roundID: BigInt(betID), reason }));
    if (outcome !== 'completed') throw new StartError(`Round ${betID} ${NOT_COMPLETED[outcome]}.`);
    console.log(`Round ${betID} is completed.`);
  });
}

const NOT_COMPLETED: Readonly<Record<Exclude<CompleteOutcome, 'completed'>, string>> = {
  was_completed: 'is completed already, or its payout is in progress',
  void: 'is void',
  unknown: 'does not exist',
  settling: 'waits for the result of its debit',
  forbidden: 'can be completed by its player only: the wallet of the operator says so',
  balance_overflow: 'pays more than the balance of the player can hold',
};

function describe(round: InterruptedRound): string {
  const { roundID, operatorCode, externalID, gameID, currency, debit, grantID, payout, activeAt } = round;
  const ofGrant = grantID === null ? '' : `, free round of grant ${visible(grantID)}`;
  return [
    `${roundID}  ${gameID}, player ${visible(externalID)} of ${operatorCode}${ofGrant}, bet ${writeUnits(debit)} ${currency}, pays ${writeUnits(payout)}`,
    `  since ${activeAt.toISOString()}, ${stateOf(round)}`,
  ].join('\n');
}

function stateOf({ dueAt, completedAt }: InterruptedRound): string {
  if (completedAt !== null) return `completed ${completedAt.toISOString()}`;
  return dueAt === null ? 'open, waits for the player' : `open, due ${dueAt.toISOString()}`;
}
