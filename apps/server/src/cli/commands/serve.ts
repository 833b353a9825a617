import path from 'node:path';
import { type CleanUp, createLog, runUntilStopped, StartError, type Stop } from '@roundhouse/service';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { type InstallWatch, watchInstall } from '../../lab/install/watchInstall.ts';
import { type ConsoleProcess, startConsoleProcess } from '../../node/workers/consoleProcess.ts';
import type { NodeOptions, ServeOptions } from '../../node/workers/nodeOptions.ts';
import { startWorkers } from '../../node/workers/startWorkers.ts';
import { secretsKeyOfEnvironment } from '../../store/database/secretKeys.ts';
import type { Settings } from '../../watch/audit/startedNodes.ts';
import { addConsoleOptions, type ConsoleChoice, consoleOptionsOf } from '../options/consoleOptions.ts';
import { addServeOptions } from '../options/serveOptions.ts';
import { settingsOf } from '../options/settings.ts';

export function serveCommand(): Command {
  const command = new Command('serve').description(
    'Serves every game below the games folder (<game>/ or <game>/<version>/, with game.json or library/publish_files) on the PostgreSQL of DATABASE_URL, ' +
      'which `roundhouse migrate` has brought up to date. Nothing forces results or faults here: only `roundhouse dev` does.',
  );
  return addConsoleOptions(addServeOptions(command), { byDefault: 'no console' }).action(serve);
}

function serve(options: ServeOptions & ConsoleChoice, command: Command): Promise<void> {
  const settings = settingsOf(command, options.database);
  return runUntilStopped((stop, cleanUp) => run({ ...options, settings }, { ...stop, cleanUp }));
}

async function run(
  options: ServeOptions & ConsoleChoice & { settings: Settings },
  { stopped, signal, cleanUp }: Stop & { cleanUp: CleanUp },
): Promise<void> {
  const { database, games } = options;
  if (database === undefined) throw new StartError('No database: set DATABASE_URL, or name one with --database.');
  if (games === undefined) throw new StartError('No games: set ROUNDHOUSE_GAMES, or name a folder with --games.');
  const secretsKey = options.consolePort === undefined ? undefined : keyOfConsole();
  const log = createLog({ level: options.logLevel, pretty: false });
  const install = await startWatch({ ...options, database, games }, { log, signal });
  if (install !== undefined) cleanUp.add(install.stop);
  signal.throwIfAborted();
  const workers = startWorkers({ options: { ...options, database, games }, log, install });
  cleanUp.add(workers.close);
  const { url, serves } = await workers.listening(signal);
  const staffConsole = await startStaffConsole({ ...options, database, secretsKey }, { url, log });
  if (staffConsole !== undefined) cleanUp.add(staffConsole.close);
  log.info(
    { url, console: staffConsole?.url, games: serves.games.map(({ gameID, version }) => `${gameID}/${version}`) },
    'serving',
  );
  const received = await stopped;
  await workers.retire();
  log.info({ signal: received }, 'finishing what is in flight');
}

function keyOfConsole(): string {
  const secretsKey = secretsKeyOfEnvironment();
  if (secretsKey === undefined) throw new StartError('The console needs ROUNDHOUSE_SECRETS_KEY.');
  return secretsKey;
}

/** The console of this node, when it has a port. */
async function startStaffConsole(
  options: ServeOptions & ConsoleChoice & { database: string; secretsKey: string | undefined },
  { url, log }: { url: string; log: Logger },
): Promise<ConsoleProcess | undefined> {
  const { consolePort, secretsKey, database, logLevel, currencies, trustedProxies, publicUrl = url } = options;
  if (consolePort === undefined || secretsKey === undefined) return undefined;
  const players = { url, publicUrl };
  return startConsoleProcess(
    { ...consoleOptionsOf(options, consolePort), trustedProxies, database, secretsKey, players, currencies },
    { log, logLevel },
  );
}

/** The first check runs before a worker starts: no unchecked file may open a round. */
async function startWatch(
  options: NodeOptions,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<InstallWatch | undefined> {
  const { manifest, manifestKey, onMismatch, games, data, database } = options;
  if (manifest === undefined) {
    if (manifestKey === undefined && onMismatch === 'log') return undefined;
    throw new StartError('No manifest: --manifest-key and --on-mismatch need --manifest.');
  }
  const place = { gamesFolder: games, dataFolder: path.resolve(data), database };
  return watchInstall({ manifest, publicKey: manifestKey, onMismatch, log, signal, ...place });
}
