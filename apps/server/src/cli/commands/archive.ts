import { StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError } from 'commander';
import { MS_PER_DAY } from '../../base/durations.ts';
import { type Database, databaseClock } from '../../store/database/database.ts';
import { type Archived, archiveRounds, compactTables } from '../../store/rounds/archive.ts';
import { addDatabaseOptions, parseInstant } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

/** The command prints a line each time it has archived this number of rounds. */
const ROUNDS_A_LINE = 100_000;

/** An age is a number of days before now, or an instant. */
type Age = { days: number } | { before: Date };

type ArchiveCommandOptions = DatabaseChoice & { olderThan: Age; dryRun?: true };

export function archiveCommand(): Command {
  return addDatabaseOptions(
    new Command('archive')
      .description(
        'Moves rounds that ended long ago, with nothing left to settle, into archive tables in the same database, with their events, transfers and wallet transactions. ' +
          'Replay, history, the operator API, `reconcile` and `books-balance` go on to read them. ' +
          'It works in small transactions beside running nodes, and may be stopped and run again at any time. ' +
          'Open, pending and parked rounds stay, and so does the last round of each player in each game.',
      )
      .requiredOption(
        '--older-than <age>',
        'of rounds that ended this number of days ago ("90d"), or before a time like 2030-01-31T12:00:00Z; a day at least',
        parseAge,
      )
      .option('--dry-run', 'count the rounds, and move none'),
  ).action((options: ArchiveCommandOptions) => withDatabase(options, (db) => archive(db, options)));
}

async function archive(db: Database, { olderThan, dryRun }: ArchiveCommandOptions): Promise<void> {
  const now = await databaseClock(db);
  const closedBefore = 'days' in olderThan ? new Date(now.getTime() - olderThan.days * MS_PER_DAY) : olderThan.before;
  if (now.getTime() - closedBefore.getTime() < MS_PER_DAY)
    throw new StartError('--older-than is at least a day: "1d".');
  const age = `closed before ${closedBefore.toISOString()}`;
  if (dryRun) {
    const { rounds } = await archiveRounds(db, { closedBefore, move: false });
    console.log(`It would archive ${rounds} rounds ${age}.`);
    return;
  }
  const archived = await archiveRounds(db, { closedBefore, move: true, onStep: progress() });
  await compactTables(db);
  const { rounds, roundEvents, transfers, walletTransactions } = archived;
  console.log(
    `Archived ${rounds} rounds ${age}, with ${roundEvents} events, ${transfers} transfers and ${walletTransactions} wallet transactions.`,
  );
}

function progress(): (soFar: Archived) => void {
  let lines = 0;
  return ({ rounds }) => {
    if (Math.floor(rounds / ROUNDS_A_LINE) === lines) return;
    lines = Math.floor(rounds / ROUNDS_A_LINE);
    console.log(`${rounds} rounds so far`);
  };
}

function parseAge(text: string): Age {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (days !== undefined) return { days: Number(days) };
  try {
    return { before: parseInstant(text) };
  } catch {
    throw new InvalidArgumentError('A number of days like "90d", or a time like 2030-01-31T12:00:00Z, with its zone.');
  }
}
