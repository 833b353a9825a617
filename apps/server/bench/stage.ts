import { rmSync } from 'node:fs';
import { mkdtemp, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { toMicros } from '@roundhouse/contract';
import type { CleanUp } from '../dist/cli/cleanUp.js';
import { startTemporaryPostgres } from '../dist/dev/embeddedPostgres.js';
import { loadCatalogue } from '../dist/games/loadCatalogue.js';
import { type Database, openDatabase } from '../dist/ledger/database.js';
import { createLedger, type Ledger } from '../dist/ledger/ledger.js';
import { migrate } from '../dist/ledger/migrate.js';
import { setOperator } from '../dist/ledger/queries/operators.js';
import { startSession } from '../dist/ledger/queries/startSession.js';
import { createSessionDirectory, type SessionDirectory } from '../dist/sessions/sessionDirectory.js';
import { newSessionID, sha256Of } from '../dist/sessions/sessionToken.js';
import { writeBenchGame } from './game.ts';
import { type BenchPlayer, CURRENCY } from './workload.ts';

const OPERATOR = 'bench';
/** Enough for every bet of a long run. */
const OPENING_BALANCE = toMicros(1_000_000_000_000_000);
const TMPFS = 0x01021994;

export type Stage = {
  db: Database;
  databaseUrl: string;
  postgresVersion: string;
  gameFolder: string;
  storeFolder: string;
  players: BenchPlayer[];
};

/** A durable PostgreSQL of the bench's own, with the bench's game published and one live session a player. */
export async function setStage(
  cleanUp: CleanUp,
  { players, warn }: { players: number; warn: (line: string) => void },
): Promise<Stage> {
  const postgres = await startTemporaryPostgres({ durable: true });
  cleanUp.add(postgres.stop);
  const { url: databaseUrl } = postgres;
  await migrate({ url: databaseUrl });
  const db = openDatabase({ url: databaseUrl, connections: 4 });
  cleanUp.add(() => db.$disconnect());
  const postgresVersion = await requireDurable(db);
  if ((await statfs(os.tmpdir())).type === TMPFS) {
    warn('The temporary folder is in memory, where a durable commit costs nothing: set TMPDIR to a folder on a disk.');
  }
  const folders = await publishGame(cleanUp, db);
  return { db, databaseUrl, postgresVersion, ...folders, players: await openPlayers(db, players) };
}

async function requireDurable(db: Database): Promise<string> {
  const [settings] = await db.$queryRaw<{ fsync: string; commit: string; version: string }[]>`
    SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
      current_setting('server_version') AS version`;
  if (settings?.fsync !== 'on' || settings.commit !== 'on') throw new Error('the database is not durable');
  return settings.version;
}

async function publishGame(cleanUp: CleanUp, db: Database): Promise<{ gameFolder: string; storeFolder: string }> {
  const gameFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-bench-'));
  // Not a step of the clean-up: this also holds when the process ends without one.
  process.once('exit', () => rmSync(gameFolder, { recursive: true, force: true }));
  const storeFolder = path.join(gameFolder, 'store');
  await writeBenchGame(gameFolder);
  const loaded = await loadCatalogue({ db, folders: [gameFolder], storeFolder, warn: () => {} });
  if (!loaded.ok) throw new Error(loaded.faults.join('\n'));
  cleanUp.add(loaded.catalogue.close);
  return { gameFolder, storeFolder };
}

async function openPlayers(db: Database, count: number): Promise<BenchPlayer[]> {
  await setOperator(db, OPERATOR, {});
  const parts = { db, ledger: createLedger(db), sessions: createSessionDirectory(db) };
  return Promise.all(Array.from({ length: count }, (_, index) => openPlayer(parts, `player-${index}`)));
}

type SessionParts = { db: Database; ledger: Ledger; sessions: SessionDirectory };

async function openPlayer({ db, ledger, sessions }: SessionParts, playerExternalID: string): Promise<BenchPlayer> {
  const sessionID = newSessionID();
  const started = await startSession(db, {
    tokenSha256: sha256Of(sessionID),
    operatorCode: OPERATOR,
    playerExternalID,
    currency: CURRENCY,
    gameID: 'bench',
    gameVersion: '1.0.0',
    country: undefined,
    jurisdiction: {},
    openingBalance: OPENING_BALANCE,
    setBalanceTo: undefined,
  });
  if (!started.ok) throw new Error(started.fault);
  const session = await sessions.find(sessionID);
  if (session === undefined) throw new Error('a session that was started is not found');
  const { playerID, sessionRowID } = session;
  const authenticated = await ledger.authenticateSession({ playerID, sessionRowID });
  if (!authenticated.ok) throw new Error(authenticated.refusal);
  return { sessionID, playerID, sessionRowID };
}
