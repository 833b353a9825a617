import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { programPath } from '@roundhouse/observability';
import { temporaryFolder } from '../../support/roundhouse.ts';

const run = promisify(execFile);
const START_TIMEOUT_MS = 60_000;
const QUERY_TIMEOUT_MS = 30_000;

/** An alert whose condition holds. It fires when the condition has held for long enough. */
export type Alert = { name: string; state: 'pending' | 'firing'; labels: Record<string, string> };

/** A series of a result: its labels, and its values with their times in seconds. */
export type Series = { metric: Record<string, string>; values: [seconds: number, value: string][] };

/** The names of counters, with their labels, and how much each grows a second. */
export type Past = { seconds: number; perSecond: Readonly<Record<string, number>> };

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;

/** Returns whether the programs of Prometheus run here. */
export function hasPrometheus(): Promise<boolean> {
  const programs = [programPath('prometheus'), programPath('promtool')];
  return Promise.all(programs.map((program) => run(program, ['--version']))).then(
    () => true,
    () => false,
  );
}

/** Prometheus evaluates the rules this number of times between two scrapes. */
const EVALUATIONS = 3;

/** Starts a Prometheus on a free port of 127.0.0.1. It ends with this process. */
export async function startPrometheus({
  nodes,
  rules,
  scrapeSeconds,
  past,
}: {
  /** The addresses of the nodes, as http://127.0.0.1:4000. */
  nodes: readonly string[];
  /** The text of a file of rules. */
  rules: string;
  scrapeSeconds: number;
  /** Counters that have grown evenly up to now, for as many seconds; it has no past without. */
  past?: Past;
}) {
  const folder = await temporaryFolder('prometheus');
  const fileOf = (name: string) => path.join(folder, name);
  // Each JSON text is a YAML text.
  const config = {
    global: {
      scrape_interval: `${scrapeSeconds}s`,
      scrape_timeout: `${scrapeSeconds}s`,
      evaluation_interval: `${Math.ceil(scrapeSeconds / EVALUATIONS)}s`,
    },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'roundhouse', file_sd_configs: [{ files: ['nodes.json'], refresh_interval: '1s' }] }],
  };
  const scrape = (urls: readonly string[]) =>
    writeFile(fileOf('nodes.json'), JSON.stringify([{ targets: urls.map((url) => new URL(url).host) }]));
  await scrape(nodes);
  await writeFile(fileOf('prometheus.yaml'), JSON.stringify(config));
  await writeFile(fileOf('rules.yaml'), rules);
  await run(programPath('promtool'), ['check', 'config', fileOf('prometheus.yaml')]);
  if (past !== undefined) {
    await writeFile(fileOf('past'), pastText(past, Date.now() / 1_000));
    await run(programPath('promtool'), ['tsdb', 'create-blocks-from', 'openmetrics', fileOf('past'), fileOf('data')]);
  }
  const port = await freePort();
  const log = await open(fileOf('log'), 'w');
  const options = {
    'config.file': fileOf('prometheus.yaml'),
    'storage.tsdb.path': fileOf('data'),
    'web.listen-address': `127.0.0.1:${port}`,
    'enable-feature': 'exemplar-storage',
    'log.level': 'warn',
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', programPath('prometheus'), ...args], {
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;

  async function get<Data>(route: string, parameters: Record<string, string> = {}): Promise<Data> {
    const response = await fetch(`${url}/api/v1/${route}?${new URLSearchParams(parameters)}`, {
      signal: AbortSignal.timeout(QUERY_TIMEOUT_MS),
    });
    const body = (await response.json()) as { status: string; error?: string; data: Data };
    if (body.status !== 'success') throw new Error(`${JSON.stringify(parameters)}: ${body.error}`);
    return body.data;
  }

  for (const untilMs = performance.now() + START_TIMEOUT_MS; ; await pause(50)) {
    const isReady = await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) break;
    const isOver = child.exitCode !== null || performance.now() > untilMs;
    if (isOver) throw new Error(`Prometheus does not start:\n${await readFile(fileOf('log'), 'utf8')}`);
  }

  return {
    /** Scrapes these nodes from now on, within a few seconds. */
    scrape,
    /** Returns the alerts that are pending or fire at this moment. */
    async alerts(): Promise<Alert[]> {
      type Found = { labels: { alertname: string }; state: Alert['state'] };
      const { alerts } = await get<{ alerts: Found[] }>('alerts');
      return alerts.map(({ labels, state }) => {
        const { alertname: name, ...others } = labels;
        return { name, state, labels: others };
      });
    },
    /** Returns the series of a query over a time up to now, in as many steps. */
    async range(query: string, { seconds, steps = 200 }: { seconds: number; steps?: number }): Promise<Series[]> {
      const end = Date.now() / 1_000;
      const step = `${Math.max(1, Math.round(seconds / steps))}`;
      const times = { start: `${end - seconds}`, end: `${end}`, step };
      return (await get<{ result: Series[] }>('query_range', { query, ...times })).result;
    },
    async stop(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A window of a rule has more samples than it needs. */
const PAST_STEP_SECONDS = 10;

/** Writes the past in the format of OpenMetrics. */
function pastText({ seconds, perSecond }: Past, nowSeconds: number): string {
  const lines: string[] = [];
  for (const [series, rate] of Object.entries(perSecond))
    for (let at = 0; at < seconds; at += PAST_STEP_SECONDS)
      lines.push(`${series} ${(at * rate).toFixed(3)} ${(nowSeconds - seconds + at).toFixed(3)}`);
  return `${lines.join('\n')}\n# EOF\n`;
}

/** Prometheus takes no port 0. */
async function freePort(): Promise<number> {
  const server = net.createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
