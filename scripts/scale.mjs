// `npm run scale -- --cells 8` plans past this machine: what many cells need for many plays a
// second. It computes from what the bench has measured (docs/scaling-costs.json); --measure
// measures again.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fail, root } from './bootstrap.mjs';
import { ASSUMED, costOf, largestBatch, MOST_CELLS, MOST_PLAYS, planOf, sizeOf, smallestBatch } from './scaleModel.mjs';

const FILE = 'docs/scaling-costs.json';
const DEFAULT_PLAYS = [100_000, 1_000_000];
/** Cores of machines for PostgreSQL. */
const SIZES = [2, 4, 8, 16, 32, 64];
const WALLETS = ['operator', 'house'];
const COMMAND = 'npm run scale -- --cells <number> [options]';

const options = readOptions();
if (options.measure) measure(options);
else print(JSON.parse(readFileSync(options.costs ?? path.join(root, FILE), 'utf8')), options);

function readOptions() {
  try {
    const names = ['cells', 'plays', 'wallet', 'costs', 'seconds', 'rounds', ...Object.keys(ASSUMED)];
    const { values } = parseArgs({
      options: {
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
        json: { type: 'boolean' },
        measure: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    const number = (name, { least = 1, most }, otherwise) =>
      values[name] === undefined ? otherwise : wholeNumber(name, values[name], { least, most });
    if (values.help) {
      console.log(helpText());
      process.exit(0);
    }
    if (values.cells === undefined && !values.measure) throw new Error('--cells is missing.');
    const wallet = values.wallet ?? WALLETS[0];
    if (!WALLETS.includes(wallet)) throw new Error(`--wallet is one of ${WALLETS.join(', ')}.`);
    const plays = number('plays', { most: MOST_PLAYS });
    return {
      cells: number('cells', { most: MOST_CELLS }),
      plays: plays === undefined ? DEFAULT_PLAYS : [plays],
      wallet,
      costs: values.costs,
      json: values.json,
      measure: values.measure,
      seconds: number('seconds', { most: 600 }, 2),
      rounds: number('rounds', { most: 100 }, 5),
      assumed: Object.fromEntries(
        Object.entries(ASSUMED).map(([name, limits]) => [name, number(name, limits, limits.default)]),
      ),
    };
  } catch (error) {
    return fail(`${error.message}\n${helpText()}`);
  }
}

function wholeNumber(name, text, { least, most }) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new Error(`--${name} is a whole number from ${least} to ${most}.`);
}

function helpText() {
  const line = (name, says) => `  ${`--${name}`.padEnd(22)} ${says}`;
  return [
    COMMAND,
    line('cells <number>', `1 to ${MOST_CELLS}`),
    line('plays <number>', `plays a second at the peak; by default ${DEFAULT_PLAYS.join(' and ')}`),
    line('wallet <name>', `${WALLETS.join(' or ')}; by default ${WALLETS[0]}`),
    ...Object.entries(ASSUMED).map(([name, { says, default: value }]) => line(`${name} <number>`, `${says}: ${value}`)),
    line('json', 'print JSON in place of tables'),
    line('costs <file>', `another file of measured costs than ${FILE}`),
    line('measure', `run the bench, write ${FILE}; --seconds 2 --rounds 5 are those of its samples`),
  ].join('\n');
}

/** Writes the costs of a play on this machine, and keeps what the bench does not measure. */
function measure({ seconds, rounds, costs: file = path.join(root, FILE) }) {
  const args = ['bench', '--sections', 'costs', '--seconds', seconds, '--rounds', rounds, '--json'];
  const output = execFileSync(process.execPath, [path.join(root, 'scripts/proof.mjs'), ...args.map(String)], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
  const { machine, costs } = JSON.parse(output);
  const measured = {
    measuredAt: new Date().toISOString().slice(0, 10),
    machine,
    command: `npm run scale -- --measure --seconds ${seconds} --rounds ${rounds}`,
    failover: JSON.parse(readFileSync(path.join(root, FILE), 'utf8')).failover,
    costs: costs.map(
      ({ wallet, workload, connections, perSecond, serverMicros, postgresMicros, walletMicros, ...bytes }) => ({
        wallet,
        workload,
        connections,
        perSecond: Math.round(perSecond),
        serverMicros: tenths(serverMicros),
        postgresMicros: tenths(postgresMicros),
        ...(walletMicros !== undefined && { walletMicros: tenths(walletMicros) }),
        walBytes: Math.round(bytes.walBytes),
        tableBytes: Math.round(bytes.tableBytes),
      }),
    ),
  };
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
  console.log(
    `${path.relative(root, file)}: ${machine}. docs/scaling.md follows: vitest run -u --project scripts scale`,
  );
}

function tenths(micros) {
  return Math.round(micros * 10) / 10;
}

function print(measured, { cells, plays, wallet, assumed, json }) {
  const connections = largestBatch(measured.costs);
  const plans = plays.map((each) => ({
    plays: each,
    ...planOf(measured, { cells, plays: each, wallet, connections, assumed }),
  }));
  if (json) {
    const { measuredAt, machine, failover } = measured;
    const inputs = { cells, wallet, connections, assumed, measured: { measuredAt, machine, failover } };
    console.log(
      JSON.stringify({ ...inputs, plans }, (_, value) => (typeof value === 'bigint' ? Number(value) : value), 2),
    );
    return;
  }
  const sizes = SIZES.map((cores) => sizeOf(measured, { cores, wallet, connections, assumed }));
  const parts = [
    inputsText(measured, { wallet, connections, assumed }),
    sizesText(sizes),
    ...plans.map((plan) => planText(plan, cells)),
  ];
  console.log(parts.join('\n\n'));
}

function inputsText(measured, { wallet, connections, assumed }) {
  const of = (atOnce) => costOf(measured.costs, { wallet, connections: atOnce, paying: assumed.paying });
  const [cost, small] = [of(connections), of(smallestBatch(measured.costs))];
  const micros = (nanos) => decimal(nanos, 100_000n);
  const rows = [
    ['server, µs a play', micros(cost.serverNanos), 'measured'],
    ['PostgreSQL, µs a play', micros(cost.postgresNanos), 'measured'],
    ['the same in small batches', micros(small.postgresNanos), 'measured'],
    ...(wallet === 'house' ? [] : [['instant wallet, µs a play', micros(cost.walletNanos), 'measured']]),
    ['log, bytes a play', group(cost.walBytes / 100n), 'measured'],
    ['tables and indexes, bytes a play', group(cost.tableBytes / 100n), 'measured'],
    ['failover, s without plays', String(measured.failover.seconds), 'measured'],
    ...Object.entries(ASSUMED).map(([name, { says }]) => [says, String(assumed[name]), `assumed, --${name}`]),
  ];
  const title = `Costs of ${measured.measuredAt}: ${measured.machine}\nWallet: ${wallet}; ${connections} players at once`;
  return `${title}\n\n${table([['input', 'value', 'is'], ...rows])}`;
}

function sizesText(sizes) {
  const rows = sizes.map(({ cores, plays, workers, connections, walBytesASecond, tableBytesADay }) => [
    String(cores),
    group(plays),
    group(workers),
    group(connections),
    decimal(walBytesASecond, 1_000_000n),
    decimal(tableBytesADay, 1_000_000_000n),
    'computed',
  ]);
  const heads = ['cores of PostgreSQL', 'plays/s', 'workers', 'connections', 'log, MB/s', 'tables, GB a day', 'is'];
  return `What one database bears\n\n${table([heads, ...rows], { texts: [6] })}`;
}

function planText({ plays, cell, sum, fewestCells, mostPlaysOfCell }, cells) {
  const row = (name, value, show = group) => [name, show(value(cell)), show(value(sum)), 'computed'];
  const rows = [
    row('plays/s', (all) => all.plays),
    row('workers for the load', (all) => all.workers),
    row('nodes, one of them spare', (all) => all.nodes),
    row('cores of the nodes', (all) => all.nodeCores),
    row('cores that PostgreSQL keeps busy', (all) => all.postgresBusy),
    row('cores of its primary', (all) => all.postgresCores),
    row('the same in small batches', (all) => all.postgresCoresSmallBatches),
    row('servers of PostgreSQL', (all) => all.databaseServers),
    row('their cores', (all) => all.databaseCores),
    row('connections to the primary', (all) => all.connections),
    row('wallet transactions in flight', (all) => all.walletInFlight),
    row(
      'log, MB/s',
      (all) => all.walBytesASecond,
      (bytes) => decimal(bytes, 1_000_000n),
    ),
    row(
      'log, GB a day',
      (all) => all.walBytesADay,
      (bytes) => decimal(bytes, 1_000_000_000n),
    ),
    row(
      'tables, GB a day',
      (all) => all.tableBytesADay,
      (bytes) => decimal(bytes, 1_000_000_000n),
    ),
    row(
      'tables, TB kept',
      (all) => all.keptBytes,
      (bytes) => decimal(bytes, 1_000_000_000_000n),
    ),
    row(
      'restore of a base backup, hours',
      (all) => all.restoreSeconds,
      (seconds) => decimal(seconds, 3_600n),
    ),
    row('players', (all) => all.players),
  ];
  const share = decimal(1_000n, 10n * BigInt(cells));
  return [
    `${group(BigInt(plays))} plays/s in ${cells === 1 ? 'one cell' : `${cells} cells`}`,
    table([['figure', 'one cell', 'all cells', 'is'], ...rows]),
    `One cell that fails takes ${share} % of the players with it: ${group(cell.players)}. Its failover leaves ` +
      `${group(cell.playsOfFailover)} plays without service (computed).`,
    `One PostgreSQL of the largest machine bears ${group(mostPlaysOfCell)} plays/s, so there are ${group(fewestCells)} ` +
      `cells at least${BigInt(cells) < fewestCells ? `: ${cells} ARE TOO FEW` : ''} (computed, linear in cores).`,
  ].join('\n\n');
}

function table(rows, { texts = [0, rows[0].length - 1] } = {}) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const isText = (column) => texts.includes(column);
  const line = (row) =>
    `| ${row.map((text, at) => (isText(at) ? text.padEnd(widths[at]) : text.padStart(widths[at]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (isText(at) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join('\n');
}

function group(value) {
  return value.toLocaleString('en-US');
}

/** Writes a quotient with one decimal, rounded half up. */
function decimal(dividend, divisor) {
  const tenthsOfIt = (dividend * 20n + divisor) / (2n * divisor);
  return `${group(tenthsOfIt / 10n)}.${tenthsOfIt % 10n}`;
}
