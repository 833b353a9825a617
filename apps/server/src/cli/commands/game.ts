import { StartError } from '@roundhouse/service';
import { Command } from 'commander';
import { visible } from '../../base/terminal/visible.ts';
import {
  listPublishedVersions,
  reinstateVersion,
  type StoredVersion,
  withdrawVersion,
} from '../../store/rounds/games.ts';
import { addDatabaseOptions, parseInstant, parseReason } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

const LABEL_WIDTH = 13;

export function gameCommand(): Command {
  return new Command('game').addCommand(withdrawCommand()).addCommand(reinstateCommand()).addCommand(listCommand());
}

type Options = DatabaseChoice & { at?: Date; reason?: string };

function withdrawCommand(): Command {
  return versionCommand('withdraw')
    .summary('let nobody begin a round in a version any more')
    .description(
      'Takes effect on every server node at once: plays are ERR_MAINTENANCE, open rounds can be finished. The game is launched in its newest other version ' +
        'that is served. When there is none, operators are no longer offered the game.',
    )
    .option('--at <time>', 'then and not now, for example 2030-01-31T12:00:00Z', parseInstant)
    .option('--reason <text>', 'why, for the log of significant events', parseReason)
    .action(async (gameID: string, version: string, { at, reason, ...choice }: Options) => {
      const withdrawn = await withDatabase(choice, (db) => withdrawVersion(db, { gameID, version, at, reason }));
      if (withdrawn === undefined) throw noSuchVersion(gameID, version);
      console.log(`Version ${version} of game ${gameID} is withdrawn from ${withdrawn.withdrawnAt.toISOString()} on.`);
    });
}

function reinstateCommand(): Command {
  return versionCommand('reinstate')
    .summary('take a withdrawal back')
    .action(async (gameID: string, version: string, choice: DatabaseChoice) => {
      const isKnown = await withDatabase(choice, (db) => reinstateVersion(db, { gameID, version }));
      if (!isKnown) throw noSuchVersion(gameID, version);
      console.log(`Version ${version} of game ${gameID} is available.`);
    });
}

function versionCommand(name: string): Command {
  return addDatabaseOptions(new Command(name).argument('<game>', "the game's id").argument('<version>', 'its version'));
}

function noSuchVersion(gameID: string, version: string): StartError {
  return new StartError(`There is no version ${version} of game ${gameID}. \`roundhouse game list\` shows them.`);
}

function listCommand(): Command {
  const command = new Command('list')
    .summary('show every version that was ever published, with its status')
    .option('--json', 'as JSON');
  return addDatabaseOptions(command).action(async ({ json, ...choice }: DatabaseChoice & { json?: true }) => {
    const versions = await withDatabase(choice, listPublishedVersions);
    if (json) console.log(JSON.stringify(versions, null, 2));
    else console.log(versions.length === 0 ? 'No game is published yet.' : versions.map(describe).join('\n\n'));
  });
}

function describe(stored: StoredVersion): string {
  const { gameID, version, title, publishedAt, withdrawnAt, isWithdrawn, modes, mathSha256, openRounds } = stored;
  const lines = [
    ['status', isWithdrawn ? 'withdrawn' : 'available'],
    ['available', `from ${publishedAt.toISOString()}`],
    ...(withdrawnAt === null ? [] : [['withdrawn', `from ${withdrawnAt.toISOString()}`] as const]),
    ['modes', modes.join(', ')],
    ['SHA-256', mathSha256],
    ['open rounds', openRounds],
  ] as const;
  const body = lines.map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}`);
  return [`${gameID} ${version}: ${visible(title)}`, ...body].join('\n');
}
