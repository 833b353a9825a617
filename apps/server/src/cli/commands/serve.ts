import { type CleanUp, createLog, runUntilStopped, StartError, type Stop } from '@roundhouse/service';
import { Command } from 'commander';
import { startWorkers } from '../../workers/startWorkers.ts';
import { addServeOptions, type ServeOptions } from '../serveOptions.ts';

export function serveCommand(): Command {
  const command = new Command('serve')
    .summary('serve games in production')
    .description(
      'Serves every game below the games folder (<game>/ or <game>/<version>/, with game.json or library/publish_files) on the PostgreSQL of DATABASE_URL, ' +
        'which `roundhouse migrate` has brought up to date. None of the paths for local work exist.',
    );
  return addServeOptions(command).action(serve);
}

function serve(options: ServeOptions): Promise<void> {
  return runUntilStopped((stop, cleanUp) => run(options, { ...stop, cleanUp }));
}

async function run(options: ServeOptions, { stopped, signal, cleanUp }: Stop & { cleanUp: CleanUp }): Promise<void> {
  const { database, games } = options;
  if (database === undefined) throw new StartError('No database: set DATABASE_URL, or name one with --database.');
  if (games === undefined) throw new StartError('No games: set ROUNDHOUSE_GAMES, or name a folder with --games.');
  const log = createLog({ level: options.logLevel, pretty: false });
  const workers = startWorkers({ options: { ...options, database, games }, log });
  cleanUp.add(workers.close);
  const { url, serves } = await workers.listening(signal);
  log.info({ url, games: serves.games.map(({ gameID, version }) => `${gameID}/${version}`) }, 'serving');
  const received = await stopped;
  await workers.retire();
  log.info({ signal: received }, 'finishing what is in flight');
}
