/** An operator's engineers ask these questions at night. */
export const QUESTIONS = {
  money: 'Is money safe?',
  players: 'Are players served?',
  fault: 'Whose fault is it?',
  router: 'Launch router',
} as const;

export type Question = keyof typeof QUESTIONS;

/**
 * The values that each label has; '' when the head of the document says it. Each set is closed, or
 * the owner of the server decides it.
 */
const LABELS: Readonly<Record<string, string>> = {
  operator: '',
  game: '',
  version: '',
  mode: '',
  currency: '',
  command: 'the SQL function, or the look-up',
  reason: 'in a few words',
  cell: 'its name in the fleet file',
};

/** A label means something else in these metrics. */
const LABELS_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  request_duration_seconds: {
    route: 'the path in the contract; `other` for all others',
    status: 'of HTTP',
    result: '`ok`, the `ERR_` code, or `none` for a page or a file',
  },
  plays_total: {
    game: 'one that the node serves, else `unknown`',
    mode: 'one that the game has, else `unknown`',
    result: '`accepted`, `replayed`, `error`, or the refusal, as in `apps/server/src/base/refusal.ts`',
  },
  overloads_total: { queue: 'the SQL function, the look-up, `connections`, `unknown sessions` or `unsigned requests`' },
  batch_duration_seconds: { result: '`ok`, `failed`' },
  database_connections: { pool: '`players`, `anonymous`, `leases`', state: '`in_use`, `idle`' },
  database_connections_max: { pool: '`players`, `anonymous`, `leases`' },
  database_waiting: { pool: '`players`, `anonymous`, `leases`' },
  database_changes_total: {
    kind: '`promoted`: a standby became the primary; `moved`: another address, without a promotion; `restarted`: the same server restarted',
  },
  database_errors_total: {
    code:
      '`25006` read-only server, `40001` serialization failure, `40P01` deadlock, `53100` disk full, ' +
      '`53200` out of memory, `53300` too many connections, `55P03` lock time-out, `57014` statement time-out, ' +
      '`57P01` shut-down, `57P02` crash, `57P03` starting, `08` lost connection, `other`',
  },
  wallet_request_duration_seconds: {
    route: "as in the wallet's contract, such as `debit`",
    result:
      '`accepted`; `refused`: certainly no money moved; `uncertain`: time-out or lost connection; ' +
      '`not_sent`: pause, full queue or no connection within 2 s; `lacking`: the wallet has no such route',
  },
  wallet_requests_in_flight: { pool: '`transactions`, `closings`, `knownSessions`, `unknownSessions`' },
  wallet_requests_waiting: { pool: '`transactions`, `closings`, `knownSessions`, `unknownSessions`' },
  wallet_paused: { pool: '`transactions`, `closings`, `knownSessions`, `unknownSessions`' },
  wallet_transactions_unsettled: {
    kind: '`debit`, `credit`, `rollback`, `winnings`',
    state: '`pending`, `parked`',
    age: '`1m`, `10m`, `1h`, `1d`, `older`',
  },
  wallet_transactions_oldest_seconds: { state: '`pending`, `parked`' },
  open_rounds: { age: '`10m`, `1h`, `1d`, `older`' },
  random_tests_total: { result: '`passed`, `failed`' },
  build_info: { version: 'of Roundhouse', node_version: 'of Node' },
  router_request_duration_seconds: { route: 'the path of the route; `other` for all others', status: 'of HTTP' },
  router_errors_total: { route: 'the path of the route; `other` for all others', code: 'the `ERR_` code' },
  router_cell_duration_seconds: { outcome: '`responded`, `misdirected`, `away`' },
  router_reloads_total: { result: '`taken`, `refused`' },
};

/** Returns what the values of a label are; undefined when no note says it. */
export function labelNote(metric: string, label: string): string | undefined {
  return LABELS_OF[metric]?.[label] ?? LABELS[label];
}

/**
 * process: each process counts. node: one process of a node reads it. database: every node reads
 * the same.
 */
export type Scope = 'process' | 'node' | 'database';

const DATABASE_MONEY = [
  ...['bet_amount_total', 'payout_amount_total', 'rounds_total', 'void_rounds_total', 'void_bet_amount_total'],
  ...['free_rounds_total', 'free_payout_amount_total', 'wallet_transactions_unsettled'],
  ...['wallet_transactions_oldest_seconds', 'open_rounds', 'rtp_alarms', 'database_synchronous'],
];
const NODE_MONEY = [
  ...['install_verified', 'install_checked_timestamp_seconds'],
  ...['event_chain_verified', 'event_chain_checked_timestamp_seconds'],
];
const PLAYERS = [
  ...['request_duration_seconds', 'plays_total', 'overloads_total', 'sessions_active'],
  ...['round_stops', 'random_tests_total'],
];
const NODE_FAULT = [
  ...['workers', 'worker_deaths_total', 'data_folder_available_bytes', 'data_folder_size_bytes'],
  ...['clock_offset_seconds'],
];

/**
 * Returns the place of a metric in the document. A metric without a note here shows who causes a
 * problem.
 */
export function placeOf(metric: string): { question: Question; scope: Scope } {
  if (metric.startsWith('router_')) return { question: 'router', scope: 'process' };
  if (DATABASE_MONEY.includes(metric)) return { question: 'money', scope: 'database' };
  if (NODE_MONEY.includes(metric)) return { question: 'money', scope: 'node' };
  if (PLAYERS.includes(metric)) return { question: 'players', scope: 'process' };
  if (NODE_FAULT.includes(metric)) return { question: 'fault', scope: 'node' };
  return { question: 'fault', scope: metric === 'database_size_bytes' ? 'database' : 'process' };
}
