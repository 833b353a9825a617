import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { type ConfiguredCurrency, EXTRA_LANGUAGES } from '@roundhouse/contract';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '@roundhouse/dev-postgres';
import { type CleanUp, createLog, PATIENT_LIMITS, runUntilStopped, StartError, type Stop } from '@roundhouse/service';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { listensAt } from '../../base/address.ts';
import { makeSecret } from '../../base/seal.ts';
import { devCertificate } from '../../local/certificate.ts';
import { startDialectSimulator } from '../../local/dialectSimulator.ts';
import { followBuild } from '../../local/followBuild.ts';
import { requireFolders, sendToParent, snapshotsOf, watchServed } from '../../local/live.ts';
import { phoneText } from '../../local/phone.ts';
import { briefWelcome, stableLaunchUrl, welcome } from '../../local/welcome.ts';
import { openDataFolder } from '../../node/dataFolder/dataFolder.ts';
import { keptSecretsKey } from '../../node/dataFolder/secretsKey.ts';
import { startServer } from '../../node/server.ts';
import { changeOperator } from '../../operators/settings/changeOperator.ts';
import { startExpiry } from '../../rounds/freeRounds/expiry.ts';
import type { GameVersion } from '../../rounds/games/catalogue.ts';
import { loadGameAgain, loadGames } from '../../rounds/games/loadGames.ts';
import { locateAll } from '../../rounds/games/locateGame.ts';
import { startCompletion } from '../../rounds/play/completion.ts';
import { HOUSE_OPERATOR } from '../../rounds/sessions/launchSession.ts';
import { type Database, openDatabase } from '../../store/database/database.ts';
import { findIdentity } from '../../store/database/databaseHome.ts';
import { migrate } from '../../store/database/migrate.ts';
import { SecretKeyError, secretsKeyOfEnvironment } from '../../store/database/secretKeys.ts';
import { sealSecrets } from '../../store/operators/operatorSecrets.ts';
import { setOperator } from '../../store/operators/operators.ts';
import { startNodeEvents } from '../../watch/audit/nodeEvents.ts';
import { startRtpWatch } from '../../watch/rtp/rtpCheck.ts';
import { startTracing } from '../../watch/tracing/startTracing.ts';
import { type ConsoleChoice, consoleOptionsOf } from '../options/consoleOptions.ts';
import { settingsOf } from '../options/settings.ts';

const MS_PER_SECOND = 1_000;

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

export type DevOptions = ConsoleChoice & {
  port: number;
  host: string;
  data: string;
  database?: string;
  fresh: boolean;
  https: boolean;
  currencies: ConfiguredCurrency[];
  logLevel: string;
  watch: boolean;
  frontend?: string;
  dialect?: string;
  dialectPort: number;
  strict?: 'engine';
  parkAfter?: number;
  joinOperator?: string;
  allowHost: string[];
  reportToParent: boolean;
  orNextPort: boolean;
  portSetBy: string;
  orNextData: boolean;
  defaultGames: string[];
};

export function dev(folders: string[], options: DevOptions, command: Command): Promise<void> {
  return runUntilStopped(async (stop, cleanUp) => {
    if (options.watch) await requireFolders(folders);
    const games = await locateAll(folders.length > 0 ? folders : options.defaultGames);
    await run(games, options, { ...stop, cleanUp, command });
  });
}

async function run(
  folders: readonly string[],
  options: DevOptions,
  { stopped, signal: abort, cleanUp, command }: Stop & { cleanUp: CleanUp; command: Command },
): Promise<void> {
  const data = await openDataFolder({
    folder: options.data,
    orNextData: options.orNextData,
    removeDatabase: options.fresh ? removeEmbeddedPostgres : undefined,
  });
  cleanUp.add(data.release);
  if (options.reportToParent) cleanUp.add(stopWithParent());
  const log = createLog({ level: options.logLevel, pretty: true });

  const databaseUrl = options.database ?? (await startDatabase(data.folder, cleanUp));
  if (options.fresh && options.database !== undefined)
    console.warn('--fresh leaves the database of DATABASE_URL as it is.');
  const secretsKey = secretsKeyOfEnvironment() ?? (await keptSecretsKey(data.folder));
  const node = { name: `${os.hostname()}#${process.pid}`, version, settings: settingsOf(command, databaseUrl) };
  const actor = `node:${node.name}`;
  const db = openDatabase({ url: databaseUrl, limits: PATIENT_LIMITS, secretsKey, actor, node: node.name });
  cleanUp.add(() => db.$disconnect());
  await migrate({ url: databaseUrl });
  await setOperator(db, HOUSE_OPERATOR, {});
  await sealSecrets(db, { all: false }).catch(warnOfSecrets);

  const loading = {
    db,
    storeFolder: path.join(data.folder, 'books'),
    signal: abort,
    versionByContent: options.watch,
    onGame: (folder: string) => console.log(`Loading ${folder}`),
    warn: (message: string) => console.warn(message),
    // `dev` warns of a high RTP and never refuses it: a studio tries out unfinished games.
    maxRtp: Number.POSITIVE_INFINITY,
    currencies: options.currencies,
  };
  const snapshots = options.watch ? await snapshotsOf(folders) : [];
  const catalogue = await loadGames({ ...loading, folders });
  cleanUp.add(catalogue.close);
  abort.throwIfAborted();

  // The first TLS handshake makes the certificate: most starts need none.
  const certificate = () => devCertificate({ dataFolder: data.folder, hosts: [options.host] });
  if (options.https) await certificate();
  const events = startNodeEvents({ db, log, node });
  cleanUp.add(events.stop);
  const server = await startServer({
    db,
    events,
    nodeReads: { dataFolder: data.folder },
    tracing: await startTracing({ log, version }),
    recovery: options.parkAfter === undefined ? {} : { parkAfterMs: options.parkAfter * MS_PER_SECOND },
    catalogue,
    log,
    host: options.host,
    port: options.port,
    orNextPort: options.orNextPort,
    portSetBy: options.portSetBy,
    local: {
      operatorCode: HOUSE_OPERATOR,
      allowedHosts: allowedHosts(options),
      parity: options.strict === undefined ? 'mark' : 'strict',
    },
    demo: true,
    certificate,
    isSecure: options.https,
    onCertificateRefused: (times) => times === 1 && console.warn(certificateHelp(server.url)),
    ...(options.frontend !== undefined && { frontendUrl: options.frontend }),
  });
  cleanUp.add(server.close);
  cleanUp.add(startCompletion({ db, log }).stop);
  cleanUp.add(startExpiry({ db, log }).stop);
  cleanUp.add(startRtpWatch({ db, log, checks: false }).stop);
  events.serving(listensAt(options.host, server.url));
  const database = await findIdentity(db);
  await data.announce({ url: server.url, databaseUrl, database, secretsKey, frontendUrl: options.frontend });
  if (options.joinOperator !== undefined) cleanUp.add(stopWithParent());
  let lobbyUrl =
    options.joinOperator === undefined
      ? undefined
      : await joinOperator({ db, code: options.joinOperator, server: { url: server.url, databaseUrl }, signal: abort });
  if (options.dialect !== undefined) {
    const { dialect: name, dialectPort: port } = options;
    const simulator = await startDialectSimulator({ db, catalogue, name, port, serverUrl: server.url });
    cleanUp.add(simulator.close);
    lobbyUrl = simulator.origin;
  }
  const access = { databaseUrl, secretsKey, url: server.url, log };
  // A front end's server shows only the game, and a console would slow down each start.
  const staffConsole = options.reportToParent ? undefined : await startStaffConsole(options, { db, access, cleanUp });
  if (options.watch) {
    const { reportToParent } = options;
    const watch = await watchServed({ folders, snapshots, catalogue, loading, serverUrl: server.url, reportToParent });
    cleanUp.add(watch.close);
  }
  if (options.reportToParent) {
    console.log(briefWelcome({ catalogue, url: server.url, dataFolder: data.folder }));
    sendToParent({ kind: 'ready', url: server.url, gameID: catalogue.current()?.gameID ?? '' });
  } else console.log(await welcome({ db, catalogue, server, dataFolder: data.folder, lobbyUrl, staffConsole }));
  const phone = await phoneText({ host: options.host, url: server.url });
  if (phone !== undefined) console.log(`\n${phone}`);
  if (options.joinOperator !== undefined) {
    const load = (folder: string) => loadGameAgain(loading, folder);
    const onServed = (game: GameVersion) => console.log(`${game.title}: ${stableLaunchUrl(server.url, game)}`);
    cleanUp.add(followBuild({ parent: process, catalogue, load, onServed }));
  }
  const signal = await stopped;
  console.log(`\n${signal}: finishing what is in flight.`);
}

type StaffAccess = { databaseUrl: string; secretsKey: string; url: string; log: Logger };

/** Two ports after the server's: the one between is the operator's. */
const CONSOLE_PORT_AFTER = 2;

/** Serves the console in this process. The link is there until an administrator has signed in. */
async function startStaffConsole(
  options: DevOptions,
  { db, access, cleanUp }: { db: Database; access: StaffAccess; cleanUp: CleanUp },
): Promise<{ url: string; link: string | undefined }> {
  const { databaseUrl, secretsKey, url, log } = access;
  // Its libraries take longer to load than the rest of the command.
  const [{ startConsole }, { firstAdministratorLink }] = await Promise.all([
    import('../../staff/console/startConsole.ts'),
    import('../../staff/access/users.ts'),
  ]);
  const { consolePort, port } = options;
  const wanted = consolePort ?? (port === 0 ? 0 : Number(new URL(url).port) + CONSOLE_PORT_AFTER);
  const players = { url: url.replace(/^https:/, 'http:'), publicUrl: url };
  const { currencies } = options;
  const job = { ...consoleOptionsOf(options, wanted), database: databaseUrl, secretsKey, players, currencies };
  const started = await startConsole({ ...job, orNextPort: consolePort === undefined }, { log });
  cleanUp.add(started.close);
  return { url: started.url, link: await firstAdministratorLink(db, started.url) };
}

/** A user who names a host or a page means to use it. */
function allowedHosts({ allowHost, host, frontend }: DevOptions): string[] {
  return [...allowHost, host, ...(frontend === undefined ? [] : [new URL(frontend).hostname])];
}

function certificateHelp(url: string): string {
  const page = new URL('/healthz', url.replace(/^http:/, 'https:'));
  return (
    `\nA page uses https, and its browser refuses the self-signed certificate of this server. ` +
    `Open ${page} in the same browser once and accept the certificate.\n`
  );
}

/** The games can still be played; the requests of that operator fail. */
function warnOfSecrets(error: unknown): void {
  if (!(error instanceof SecretKeyError)) throw error;
  console.warn(error.message);
}

async function startDatabase(dataFolder: string, cleanUp: CleanUp): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataFolder, log: (line) => console.log(line) });
  cleanUp.add(postgres.stop);
  return postgres.url;
}

type JoinDeps = {
  db: Database;
  /** This server knows the operator by this code. */
  code: string;
  /** The server listens at `url`. The operator may use its database too. */
  server: { url: string; databaseUrl: string };
  signal: AbortSignal;
};

/** The script that started us runs the operator's process, and listens to these messages. */
type ToParent = { ready: true; url: string; databaseUrl: string; secret: string };
type FromParent = { operatorUrl?: string };

/**
 * Adds the operator that the parent starts after this server. It sends the parent the address of
 * the server and a secret for this run, receives the address of the operator, and stores it.
 * Returns that address.
 */
export async function joinOperator({ db, code, server, signal }: JoinDeps): Promise<string> {
  if (process.send === undefined) throw new StartError('--join-operator is for `npm start`, which runs the operator.');
  const secret = makeSecret();
  const received = operatorUrl(signal);
  // The port serves both. Over http the operator needs no exception for a self-signed certificate.
  const url = server.url.replace(/^https:/, 'http:');
  process.send({ ready: true, url, databaseUrl: server.databaseUrl, secret } satisfies ToParent);
  const address = await received;
  const languages = [...EXTRA_LANGUAGES];
  const wallet = { walletUrl: `${address}/wallet`, secret, freeRounds: true };
  const change = { name: 'Reference operator', ...wallet, languages };
  const outcome = await changeOperator(db, { code, kind: 'add_or_set', change, makeSecret });
  if (!outcome.ok) throw new StartError(`Operator ${code} cannot be joined: ${outcome.refusal.kind}.`);
  return address;
}

function operatorUrl(signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    process.once('message', (message: FromParent) => {
      signal.removeEventListener('abort', stop);
      if (message.operatorUrl === undefined) reject(new StartError('The operator did not start: see above.'));
      else resolve(message.operatorUrl);
    });
  });
}

/**
 * Stops this process when its parent is gone, because nobody else would. Returns the function that
 * closes the channel: an open one keeps the process alive.
 */
export function stopWithParent(): () => Promise<void> {
  const stop = () => process.kill(process.pid, 'SIGTERM');
  process.once('disconnect', stop);
  return async () => {
    process.off('disconnect', stop);
    if (process.connected) process.disconnect();
  };
}
