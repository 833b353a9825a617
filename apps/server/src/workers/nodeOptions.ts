import type { ConfiguredCurrency } from '@roundhouse/contract';
import type { OnMismatch } from '../install/watchInstall.ts';

/** What `serve` is given, by options or by the environment. */
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
  workers: number;
  /** In percent. */
  maxRtp: number;
  currencies: ConfiguredCurrency[];
  demo: boolean;
  requireSync: boolean;
  manifest?: string;
  manifestKey?: string;
  onMismatch: OnMismatch;
};

/** Each option of a command by its name, and where its value comes from: cli, env or default. */
export type Settings = Record<string, { value?: unknown; from?: string | undefined }>;

/** With what has no default, and all of it for the log of significant events. */
export type NodeOptions = ServeOptions & { database: string; games: string; settings: Settings };
