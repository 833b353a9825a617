import type { ConfiguredCurrency } from '@roundhouse/contract';
import type { OnMismatch } from '../../lab/install/watchInstall.ts';
import type { Settings } from '../../watch/audit/startedNodes.ts';

/** `serve` takes its settings from options or the environment. */
export type ServeOptions = {
  port: number;
  host: string;
  data: string;
  games?: string;
  database?: string;
  logLevel: string;
  publicUrl?: string;
  trustedProxies: string[];
  drainSeconds: number;
  maxConnections: number;
  databaseSeconds: number;
  sessionRetentionDays: number;
  unknownSessionsPerSecond: number;
  auditSeconds: number;
  workers: number;
  /** Percent. */
  maxRtp: number;
  currencies: ConfiguredCurrency[];
  demo: boolean;
  requireSync: boolean;
  manifest?: string;
  manifestKey?: string;
  onMismatch: OnMismatch;
};

/** `database` and `games` have no default. `settings` go into the log of significant events. */
export type NodeOptions = ServeOptions & { database: string; games: string; settings: Settings };
