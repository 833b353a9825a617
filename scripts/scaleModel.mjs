// The arithmetic of `npm run scale`. Whole numbers only (nanoseconds, bytes, percent) as bigint, so
// that a plan for a million plays a second is exact. Only what is printed is rounded.

const SECONDS_OF_A_DAY = 86_400n;
const NANOS_OF_A_SECOND = 1_000_000_000n;
const BYTES_OF_A_MB = 1_000_000n;
/** The number of wallet transactions that a worker has in flight for one operator. */
const IN_FLIGHT_OF_A_WORKER = 128n;
/** A primary, and two standbys of which one confirms each commit. */
const DATABASE_SERVERS = 3n;

/**
 * Values that nobody measured. Each is an option of the command, a whole number from `least` to
 * `most`.
 */
export const ASSUMED = {
  paying: { default: 25, least: 0, most: 100, says: '% of plays have an end-round with a payout' },
  utilisation: { default: 60, least: 1, most: 100, says: '% of a core is used at the peak' },
  average: { default: 50, least: 1, most: 100, says: '% of the peak is the average of a day' },
  'node-cores': { default: 16, least: 2, most: 65, says: 'cores of a node: one worker less' },
  'postgres-cores': { default: 32, least: 1, most: 1_024, says: 'cores of the largest machine for PostgreSQL' },
  'wallet-ms': { default: 20, least: 0, most: 60_000, says: 'ms of a round trip to the wallet of the operator' },
  'play-seconds': { default: 4, least: 1, most: 3_600, says: 's between two plays of a player' },
  'keep-days': { default: 90, least: 1, most: 36_500, says: 'days of rounds in the database' },
  'restore-mb': { default: 300, least: 1, most: 100_000, says: 'MB/s of a restored base backup' },
};

/** The limits of a fleet file and of the plan. */
export const MOST_CELLS = 256;
export const MOST_PLAYS = 1_000_000_000;

const ceilDiv = (dividend, divisor) => (dividend + divisor - 1n) / divisor;
/** Math.max takes no bigint. */
const most = (...values) => values.sort((a, b) => Number(b - a))[0];

/**
 * Returns the connections of a node to PostgreSQL, as docs/deployment.md has them by its workers.
 */
export function connectionsOfNode(workers) {
  const each = Math.max(4, Math.min(12, Math.floor(64 / workers)));
  // Each worker has one more for leases, and the node 17 for the rest of its work.
  return workers * (each + 1) + 17;
}

/**
 * Returns the mean cost of a play, when some of a hundred have an end-round: in nanoseconds of each
 * process and in bytes, each times 100, so that no division rounds.
 *
 * @throws RangeError when nothing of this wallet and this number of players was measured.
 */
export function costOf(costs, { wallet, connections, paying }) {
  const find = (workload) => {
    const found = costs.find(
      (each) => each.wallet === wallet && each.connections === connections && each.workload === workload,
    );
    if (found === undefined) {
      throw new RangeError(`no ${workload} of the wallet ${wallet} with ${connections} at once was measured`);
    }
    return found;
  };
  const [play, round] = [find('play'), find('round')];
  const mixed = (name, scale) => {
    const [a, b] = [play, round].map((each) => BigInt(Math.round((each[name] ?? 0) * scale)));
    return a * BigInt(100 - paying) + b * BigInt(paying);
  };
  return {
    serverNanos: mixed('serverMicros', 1_000),
    postgresNanos: mixed('postgresMicros', 1_000),
    walletNanos: mixed('walletMicros', 1_000),
    walBytes: mixed('walBytes', 1),
    tableBytes: mixed('tableBytes', 1),
  };
}

/**
 * Returns what a number of cells needs for this many plays a second at the peak: of one cell and of
 * all together, as bigint. `measured` is docs/scaling-costs.json, `assumed` a number for each name
 * of ASSUMED.
 */
export function planOf(measured, { cells, plays, wallet, connections, assumed }) {
  const { utilisation, average, paying } = assumed;
  const cost = costOf(measured.costs, { wallet, connections, paying });
  const inCell = ceilDiv(BigInt(plays), BigInt(cells));
  const busy = (nanos) => ceilDiv(inCell * nanos, 100n * NANOS_OF_A_SECOND);
  const coresOf = (nanos) => ceilDiv(inCell * nanos, BigInt(utilisation) * NANOS_OF_A_SECOND);
  const aDay = (bytes) => (inCell * bytes * BigInt(average) * SECONDS_OF_A_DAY) / 10_000n;

  const inFlight = wallet === 'house' ? 0n : ceilDiv(inCell * BigInt((100 + paying) * assumed['wallet-ms']), 100_000n);
  const forCores = coresOf(cost.serverNanos);
  const forWallets = ceilDiv(inFlight * 100n, IN_FLIGHT_OF_A_WORKER * BigInt(utilisation));
  const workersOfNode = BigInt(assumed['node-cores'] - 1);
  // One more than the load needs, so that a node can be replaced; so there are two at least.
  const nodes = ceilDiv(most(forCores, forWallets, 1n), workersOfNode) + 1n;
  const postgresCores = coresOf(cost.postgresNanos);
  const tableBytesADay = aDay(cost.tableBytes);
  const keptBytes = tableBytesADay * BigInt(assumed['keep-days']);

  const small = costOf(measured.costs, { wallet, connections: smallestBatch(measured.costs), paying });
  const cell = {
    plays: inCell,
    workers: most(forCores, forWallets, 1n),
    nodes,
    nodeCores: nodes * BigInt(assumed['node-cores']),
    postgresBusy: busy(cost.postgresNanos),
    postgresCores,
    postgresCoresSmallBatches: coresOf(small.postgresNanos),
    databaseServers: DATABASE_SERVERS,
    databaseCores: DATABASE_SERVERS * postgresCores,
    connections: nodes * BigInt(connectionsOfNode(Number(workersOfNode))),
    walletInFlight: inFlight,
    walBytesASecond: (inCell * cost.walBytes) / 100n,
    walBytesADay: aDay(cost.walBytes),
    tableBytesADay,
    keptBytes,
    restoreSeconds: ceilDiv(keptBytes, BigInt(assumed['restore-mb']) * BYTES_OF_A_MB),
    players: inCell * BigInt(assumed['play-seconds']),
    playsOfFailover: ceilDiv(inCell * BigInt(Math.round(measured.failover.seconds * 10)), 10n),
  };
  const sum = Object.fromEntries(Object.entries(cell).map(([name, value]) => [name, value * BigInt(cells)]));
  // A restore of one cell takes its time whatever the others do, and they are restored side by
  // side.
  sum.restoreSeconds = cell.restoreSeconds;
  const coresOfAll = ceilDiv(BigInt(plays) * cost.postgresNanos, BigInt(utilisation) * NANOS_OF_A_SECOND);
  return {
    cell,
    sum,
    /** The least number of cells, when no machine of PostgreSQL has more cores than assumed. */
    fewestCells: ceilDiv(coresOfAll, BigInt(assumed['postgres-cores'])),
    /** The plays a second of one PostgreSQL of that size. */
    mostPlaysOfCell:
      (BigInt(assumed['postgres-cores']) * BigInt(utilisation) * NANOS_OF_A_SECOND) / most(cost.postgresNanos, 1n),
  };
}

/**
 * Returns what one cell bears whose PostgreSQL has `cores` cores, and what its nodes need for that.
 */
export function sizeOf(measured, { cores, ...plan }) {
  const assumed = { ...plan.assumed, 'postgres-cores': cores };
  const { mostPlaysOfCell } = planOf(measured, { ...plan, assumed, cells: 1, plays: 1 });
  return { cores, ...planOf(measured, { ...plan, assumed, cells: 1, plays: Number(mostPlaysOfCell) }).cell };
}

/** Returns the smallest number of players that was measured: it makes the smallest batches. */
export function smallestBatch(costs) {
  return Math.min(...costs.map(({ connections }) => connections));
}

/** Returns the largest number of players that was measured. */
export function largestBatch(costs) {
  return Math.max(...costs.map(({ connections }) => connections));
}
