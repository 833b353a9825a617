import { Command, InvalidArgumentError, Option } from 'commander';
import { settleHome } from '../../ledger/queries/databaseHome.ts';
import { StartError } from '../../startError.ts';
import { addDatabaseOptions } from '../options/options.ts';
import { SKIPPED_ROUND_IDS } from '../options/roundMark.ts';
import { type DatabaseChoice, withDatabase } from '../withDatabase.ts';

export function afterRestoreCommand(): Command {
  return addDatabaseOptions(
    new Command('after-restore')
      .summary('let rounds go on in a restored database, with ids that no operator has seen')
      .description(
        'A restored database would give the ids of the rounds that it lacks to new rounds, and operators know those ids. This leaves out so ' +
          'many that no new id was ever seen, and lets `serve` start. Run it after every restore. Run again it leaves out as many again.',
      )
      .addOption(
        new Option('--skip <number>', 'round ids to leave out: more than there were rounds since the backup')
          .argParser(parseSkip)
          .default(SKIPPED_ROUND_IDS, `${SKIPPED_ROUND_IDS}`),
      ),
  ).action((options: DatabaseChoice & { skip: bigint }) => afterRestore(options));
}

async function afterRestore(options: DatabaseChoice & { skip: bigint }): Promise<void> {
  const last = await withDatabase(options, (db) => settleHome(db, options));
  if (last === undefined) throw new StartError('There are not so many round ids left: they end at 9007199254740991.');
  console.log(
    `Round ids go on above ${last}. Now run \`roundhouse books-balance\`, and \`roundhouse reconcile\` for each operator.`,
  );
}

function parseSkip(text: string): bigint {
  if (!/^\d{1,16}$/.test(text) || BigInt(text) === 0n) throw new InvalidArgumentError('A whole number above 0.');
  return BigInt(text);
}
