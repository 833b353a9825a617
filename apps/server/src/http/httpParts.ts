import type { Logger } from 'pino';
import type { Catalogue } from '../games/catalogue.ts';
import type { Database } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OutcomeSource } from '../rounds/outcomeSource.ts';
import type { SessionDirectory } from '../sessions/sessionDirectory.ts';
import type { Wallet } from '../wallets/wallet.ts';
import type { Metrics } from './metrics.ts';

/** What the routes work with; server.ts puts it together. */
export type HttpParts = {
  db: Database;
  ledger: Ledger;
  wallet: Wallet;
  catalogue: Catalogue;
  sessions: SessionDirectory;
  outcomes: OutcomeSource;
  log: Logger;
  metrics: Metrics;
};
