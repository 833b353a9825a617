import { readSamples, type Sample } from './prometheusText.ts';

/** What the metrics of a node say. A metric that the node does not report is null. */
export type NodeMetrics = {
  version: string | null;
  /** Processes that serve. */
  workers: number | null;
  workerDeaths: number | null;
  /** The node opens no rounds for these reasons. */
  roundStops: string[];
  clockOffsetSeconds: number | null;
  installVerified: boolean | null;
  /** Requests refused since the start, because too many waited. */
  overloads: number;
  logLinesDropped: number;
  databaseWritable: boolean | null;
  /** A standby confirms each commit. Only a node with --require-sync reports it. */
  databaseSynchronous: boolean | null;
  /** Connections to the database of all processes, and requests that wait for one. */
  pools: { pool: string; inUse: number; most: number | null; waiting: number }[];
  /**
   * The node sends nothing to the wallets of these operators, because their last requests failed.
   */
  walletsPaused: string[];
  sessions: number | null;
  eventChainVerified: boolean | null;
  eventChainCheckedAt: Date | null;
  dataFolder: { availableBytes: number; sizeBytes: number } | null;
};

const MS_PER_SECOND = 1_000;

/** Returns undefined when the text has no metric of Roundhouse. */
export function readNodeMetrics(text: string): NodeMetrics | undefined {
  const samples = readSamples(text);
  if (!samples.some(({ name }) => name.startsWith('roundhouse_'))) return undefined;
  const of = (name: string) => samples.filter((sample) => sample.name === `roundhouse_${name}`);
  const value = (name: string) => of(name)[0]?.value ?? null;
  const sum = (found: readonly Sample[]) => found.reduce((total, sample) => total + sample.value, 0);
  const isTrue = (name: string) => (value(name) === null ? null : value(name) === 1);
  const labelOf = (name: string, label: string) => [
    ...new Set(of(name).flatMap(({ labels, value: on }) => (on > 0 ? [labels[label] ?? ''] : []))),
  ];
  const checked = value('event_chain_checked_timestamp_seconds');
  const available = value('data_folder_available_bytes');
  const size = value('data_folder_size_bytes');
  return {
    version: of('build_info')[0]?.labels.version ?? null,
    workers: value('workers'),
    workerDeaths: value('worker_deaths_total'),
    roundStops: labelOf('round_stops', 'reason').sort(),
    clockOffsetSeconds: value('clock_offset_seconds'),
    installVerified: isTrue('install_verified'),
    overloads: sum(of('overloads_total')),
    logLinesDropped: sum(of('log_lines_dropped_total')),
    databaseWritable: isTrue('database_writable'),
    databaseSynchronous: isTrue('database_synchronous'),
    pools: poolsOf(of),
    walletsPaused: labelOf('wallet_paused', 'operator').sort(),
    sessions: of('sessions_active').length === 0 ? null : sum(of('sessions_active')),
    eventChainVerified: isTrue('event_chain_verified'),
    eventChainCheckedAt: checked === null || checked === 0 ? null : new Date(checked * MS_PER_SECOND),
    dataFolder: available === null || size === null ? null : { availableBytes: available, sizeBytes: size },
  };
}

function poolsOf(of: (name: string) => Sample[]): NodeMetrics['pools'] {
  const connections = of('database_connections');
  const names = [...new Set(connections.map(({ labels }) => labels.pool ?? ''))].sort();
  return names.map((pool) => ({
    pool,
    inUse: connections.find(({ labels }) => labels.pool === pool && labels.state === 'in_use')?.value ?? 0,
    most: of('database_connections_max').find(({ labels }) => labels.pool === pool)?.value ?? null,
    waiting: of('database_waiting').find(({ labels }) => labels.pool === pool)?.value ?? 0,
  }));
}
