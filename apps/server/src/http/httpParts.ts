import type { Logger } from 'pino';
import type { Catalogue } from '../games/catalogue.ts';
import type { Database } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LookUps } from '../ledger/lookUps.ts';
import type { OutcomeSource } from '../play/outcomeSource.ts';
import type { SessionDirectory } from '../sessions/sessionDirectory.ts';
import type { SessionVerification } from '../sessions/sessionVerification.ts';
import type { Strangers } from '../sessions/strangers.ts';
import type { ErrorLog } from './errorLog.ts';
import type { Metrics } from './metrics.ts';

/** What the routes work with; server.ts puts it together. */
export type HttpParts = {
  db: Database;
  ledger: Ledger;
  verifySession: SessionVerification;
  catalogue: Catalogue;
  sessions: SessionDirectory;
  lookUps: LookUps;
  strangers: Strangers;
  outcomes: OutcomeSource;
  log: Logger;
  logError: ErrorLog;
  metrics: Metrics;
  /** Where the front ends and this server are, for launch URLs; known once the server listens. */
  launch: { readonly gameHost: string; readonly rgsUrl: string };
  /** This node is about to end, and is to be sent nothing new. */
  isDraining(): boolean;
};
