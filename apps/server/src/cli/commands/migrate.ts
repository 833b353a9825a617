import { Command } from 'commander';
import { migrateJobQueue } from '../../ledger/jobQueue.ts';
import { migrate } from '../../ledger/migrate.ts';
import { addDatabaseOptions } from '../options/options.ts';
import { type DatabaseChoice, databaseUrl } from '../withDatabase.ts';

export function migrateCommand(): Command {
  return addDatabaseOptions(
    new Command('migrate')
      .summary('bring the database up to this version')
      .description(
        'Applies the migrations that the database lacks, each in one transaction, and brings the job queue up to date, so that ' +
          '`serve` needs no right to create anything. Safe to run again, and from several places at once.',
      ),
  ).action(async (choice: DatabaseChoice) => {
    const url = await databaseUrl(choice);
    const { applied } = await migrate({ url });
    await migrateJobQueue(url);
    for (const name of applied) console.log(`applied ${name}`);
    if (applied.length === 0) console.log('The database is up to date.');
  });
}
