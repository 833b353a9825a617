import { setTimeout as pause } from 'node:timers/promises';
import { ruleFile } from '@roundhouse/observability';
import { type Past, type Prometheus, startPrometheus } from './prometheus.ts';
import { type Fault, type FaultRow, proveFault, type Timing, textOf } from './proveFault.ts';
import { type Healthy, healthyText } from './report.ts';
import type { Stage } from './stage.ts';
import { watchAlerts } from './watchAlerts.ts';

export type Settings = Timing & {
  /** The load is this share of the best rate, which is measured for `bestSeconds`. */
  share: number;
  bestSeconds: number;
  /** This number of players plays for the best rate: it would be lower with all at once. */
  atOnce: number;
  calmSeconds: number;
  /**
   * Time limit of the operator's wallet, in milliseconds; the default is that of the simulation.
   */
  walletTimeoutMs?: number;
  /** These are not judged. */
  notJudged: readonly string[];
};

/** A rule that counts twenty requests has them within 5 minutes, also when those are 10 seconds. */
const FEWEST_PER_SECOND = 10;
/** The rules look back for three days. */
const PAST_SECONDS = 3 * 86_400;
const MS_PER_SECOND = 1_000;
const SECONDS_PER_MINUTE = 60;

/** Begins with a load that the machine can bear. Returns the past of a server with such a load. */
export async function beginLoad({ load }: Stage, settings: Settings): Promise<Past['perSecond']> {
  const { share, bestSeconds: seconds, atOnce: players, calmSeconds } = settings;
  // Processes and caches are cold the first time.
  await load.bestRate({ seconds, players });
  const perSecond = Math.max(FEWEST_PER_SECOND, share * (await load.bestRate({ seconds, players })));
  console.log(`${Math.round(perSecond)} plays/s arrive`);
  load.begin(perSecond);
  await pause(calmSeconds * MS_PER_SECOND);
  const accepted = '{route="/wallet/play",status="200",result="ok"';
  return {
    'roundhouse_plays_total{game="sample-lines",mode="BASE",result="accepted"}': perSecond,
    [`roundhouse_request_duration_seconds_count${accepted}}`]: perSecond,
    [`roundhouse_request_duration_seconds_bucket${accepted},le="0.25"}`]: perSecond,
  };
}

/** Each phase has its own Prometheus: a burn rate remembers earlier ones for days. */
export function observe(
  { nodes }: Stage,
  perSecond: Past['perSecond'],
  { speed, scrapeSeconds }: Pick<Timing, 'speed' | 'scrapeSeconds'>,
): Promise<Prometheus> {
  // JSON is YAML.
  const rules = JSON.stringify(ruleFile({ speed }));
  const past = { seconds: PAST_SECONDS / speed, perSecond };
  return startPrometheus({ nodes: nodes.map(({ url }) => url), rules, scrapeSeconds, past });
}

/** Lets players play, and reports every alert of these Prometheus and of a separate one. */
export async function proveHealthy(
  stage: Stage,
  perSecond: Past['perSecond'],
  { minutes, others = [], ...settings }: Settings & { minutes: number; others?: readonly Prometheus[] },
): Promise<Healthy> {
  const prometheus = await observe(stage, perSecond, settings);
  const watches = [prometheus, ...others].map(watchAlerts);
  stage.load.seen();
  await pause(minutes * SECONDS_PER_MINUTE * MS_PER_SECOND);
  for (const watch of watches) await watch.stop();
  await prometheus.stop();
  const { played, ...seen } = stage.load.seen();
  const fired = watches.flatMap((watch) => watch.fired()).filter(({ name }) => !settings.notJudged.includes(name));
  const playsPerSecond = played / (minutes * SECONDS_PER_MINUTE);
  const names = [...new Set(fired.map(textOf))];
  const healthy = { ...seen, minutes, share: settings.share, playsPerSecond, fired: names };
  console.log(healthyText(healthy));
  return healthy;
}

export async function prove<Any extends Stage>(
  fault: Fault<Any>,
  stage: Any,
  { perSecond, ...settings }: Settings & { perSecond: Past['perSecond'] },
): Promise<FaultRow> {
  const prometheus = await observe(stage, perSecond, settings);
  const row = await proveFault(fault, stage, { ...settings, prometheus });
  await prometheus.stop();
  console.log(JSON.stringify(row));
  return row;
}
