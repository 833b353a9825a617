import { type CleanUp, createLog, runUntilStopped, type Stop } from '@roundhouse/service';
import { Command } from 'commander';
import { gamesMark } from '../../workers/messages.ts';
import { startWorkers } from '../../workers/startWorkers.ts';
import { type PrepareDeps, type Prepared, prepare, startServing } from '../serveJob.ts';
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

type Serving = {
  url: string;
  /** Resolves once it is not ready any more. */
  retire(): Promise<void>;
};

async function run(options: ServeOptions, { stopped, signal, cleanUp }: Stop & { cleanUp: CleanUp }): Promise<void> {
  const log = createLog({ level: options.logLevel, pretty: false });
  const prepared = await prepare(options, { log, signal, cleanUp });
  const serve = options.workers === 1 ? serveAlone : serveByWorkers;
  const serving = await serve(prepared, { count: options.workers, log, signal, cleanUp });
  const games = prepared.catalogue.games.map(({ gameID, version }) => `${gameID}/${version}`);
  log.info({ url: serving.url, games }, 'serving');
  const received = await stopped;
  await serving.retire();
  log.info({ signal: received }, 'finishing what is in flight');
}

type ServeDeps = PrepareDeps & { count: number };

async function serveAlone({ job, db, catalogue }: Prepared, { log, cleanUp }: ServeDeps): Promise<Serving> {
  const server = await startServing(job, { db, catalogue, log });
  cleanUp.add(server.close);
  return { url: server.url, retire: async () => {} };
}

async function serveByWorkers(
  { job, catalogue, release }: Prepared,
  { count, log, signal, cleanUp }: ServeDeps,
): Promise<Serving> {
  // The primary needs neither database nor books from now on.
  await release();
  const workers = startWorkers({ job: { ...job, games: gamesMark(catalogue) }, count, log });
  cleanUp.add(workers.close);
  return { url: await workers.listening(signal), retire: workers.retire };
}
