import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ruleFile } from '@roundhouse/observability';
import { afterAll, expect, it } from 'vitest';
import { startPair } from '../failover/pair.ts';
import { canMount, startSingle } from '../failover/single.ts';
import { createTestDatabase } from '../support/database.ts';
import { PAIR_FAULTS, SINGLE_FAULTS } from './faults.ts';
import { queryPanels } from './panels.ts';
import { hasPrometheus, type Past, type Prometheus, startPrometheus } from './prometheus.ts';
import { type Fault, proveFault, type Timing, textOf } from './proveFault.ts';
import { allIssues, faultTable, type Healthy, healthyText, panelsText, type Report } from './report.ts';
import { openAlertStage, type Stage } from './stage.ts';
import { watchAlerts } from './watchAlerts.ts';

// `npm run proof -- alerts --minutes 10 --seed 7 --only node-killed,clock-off` sets these.
const { ALERTS_MINUTES, ALERTS_JSON } = process.env;
const ONLY = process.env.ALERTS_ONLY?.split(',');
const isLong = ALERTS_MINUTES !== undefined;
const MINUTES = Number(ALERTS_MINUTES ?? 0.2);
const SEED = Number(process.env.ALERTS_SEED ?? 20_261_127);
const SHORT_SPEED = 60;
const SPEED = Number(process.env.ALERTS_SPEED ?? SHORT_SPEED);
/**
 * In production 30 seconds at most. A node whose database does not respond sends its metrics after
 * two seconds, so they may take three, where no window of the rules is as short.
 */
const TIMING: Timing = { speed: SPEED, scrapeSeconds: Math.min(15, Math.max(1, Math.round(30 / SPEED))) };
/** `npm test` proves these. They need neither a pair nor a disk. */
const SHORT_FAULTS = ['wallet-refuses', 'event-edited'] as const;

const PERCENT = 100;
/** The load is this share of the best rate. */
const SHARE = Number(process.env.ALERTS_LOAD ?? 50) / PERCENT;
const BEST_SECONDS = isLong ? 10 : 3;
/**
 * So many of each wallet. All of them wait, and then fail, when the database is gone, so few of them
 * would not be the share of the plays of an hour that an alert needs.
 */
const PLAYERS = isLong ? 256 : 16;
/** These play for the best rate: it would be less with all at once. */
const AT_ONCE = 48;
const CALM_SECONDS = isLong ? 10 : 3;
/** The rules look back for three days. */
const PAST_SECONDS = 3 * 86_400;
/** A node verifies the log of significant events this often, which the speed divides, too. */
const AUDIT_SECONDS = 60;
const RECORD_SECONDS = 5;
const MS_PER_SECOND = 1_000;
const SECONDS_PER_MINUTE = 60;

const report: Report = { ...TIMING, seed: SEED, healthy: [], faults: [], panels: [], issues: [] };
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

it(`exactly the right alerts fire, speed ${TIMING.speed}, seed ${SEED}`, {
  timeout: 3_600_000 + MINUTES * SECONDS_PER_MINUTE * MS_PER_SECOND,
}, async () => {
  if (!(await hasPrometheus()))
    throw new Error('It needs prometheus and promtool on the path; on Debian npm test gets them.');
  if (isLong) await proveLong();
  else await proveShort();
  report.issues = allIssues(report);
  const panels = report.panels.length === 0 ? [] : [panelsText(report.panels)];
  const text = [...report.healthy.map(healthyText), faultTable(report.faults), ...panels, ...report.issues];
  console.log(text.join('\n\n'));
  if (ALERTS_JSON !== undefined) await writeFile(ALERTS_JSON, `${JSON.stringify(report, null, 2)}\n`);
  expect(report.issues).toEqual([]);
});

async function proveShort(): Promise<void> {
  const { url: databaseUrl } = await createTestDatabase();
  const stage = await open({ databaseUrl });
  const past = await load(stage);
  await proveHealthy(stage, past);
  for (const name of SHORT_FAULTS) await prove(PAIR_FAULTS[name] as Fault<Stage>, stage, past);
}

async function proveLong(): Promise<void> {
  if (!(await canMount())) throw new Error('A full disk needs a file system of its own: run this as root.');
  const chosen = <Each>(faults: Readonly<Record<string, Each>>) =>
    Object.entries(faults).flatMap(([name, fault]) => (ONLY?.includes(name) === false ? [] : fault));
  const ofPair = chosen(PAIR_FAULTS);
  const ofSingle = chosen(SINGLE_FAULTS);
  const names = [...Object.keys(PAIR_FAULTS), ...Object.keys(SINGLE_FAULTS)];
  if (ONLY?.every((name) => names.includes(name)) === false)
    throw new Error(`--only is some of ${names.join(',')}, with commas between them.`);
  const startedMs = performance.now();
  let recorder: Prometheus | undefined;
  /** One Prometheus, with the rules as they are in production, sees all of the run. */
  const record = async ({ nodes }: Stage, past: Past) => {
    const urls = nodes.map(({ url }) => url);
    if (recorder !== undefined) return recorder.scrape(urls);
    recorder = await startPrometheus({ nodes: urls, rules: rulesAt(1), scrapeSeconds: RECORD_SECONDS, past });
    closing.unshift(recorder.stop);
  };
  if (ofPair.length > 0) {
    const pair = await startPair();
    closing.push(pair.close);
    const stage = await open({ databaseUrl: pair.url, env: { ROUNDHOUSE_REQUIRE_SYNC: '1' } });
    const past = await load(stage);
    await record(stage, { ...past, seconds: PAST_SECONDS });
    if (ONLY === undefined) await proveHealthy(stage, past, recorder);
    for (const fault of ofPair) await prove(fault, { ...stage, pair }, past);
    await close(2);
  }
  if (ofSingle.length > 0) {
    const single = await startSingle();
    closing.push(single.close);
    const stage = await open({ databaseUrl: single.url });
    const past = await load(stage);
    await record(stage, { ...past, seconds: PAST_SECONDS });
    for (const fault of ofSingle) await prove(fault, { ...stage, single }, past);
  }
  const seconds = (performance.now() - startedMs) / MS_PER_SECOND;
  // Without all faults some panels have nothing to show.
  if (ONLY === undefined) report.panels = await queryPanels(recorder as unknown as Prometheus, seconds);
}

/** Opens nodes and players on a database. */
async function open({ databaseUrl, env = {} }: { databaseUrl: string; env?: NodeJS.ProcessEnv }): Promise<Stage> {
  const options = { databaseUrl, seed: SEED, players: PLAYERS, hasManifest: isLong };
  const auditSeconds = Math.max(1, Math.round(AUDIT_SECONDS / TIMING.speed));
  const stage = await openAlertStage({ ...options, env: { ROUNDHOUSE_AUDIT_SECONDS: `${auditSeconds}`, ...env } });
  closing.push(stage.close);
  return stage;
}

/** Closes what was opened last. */
async function close(count: number): Promise<void> {
  for (const each of closing.splice(-count).reverse()) await each();
}

/** Begins with a load that the machine can bear, and returns it as a past of three days. */
async function load(stage: Stage): Promise<Past> {
  const best = { seconds: BEST_SECONDS, players: AT_ONCE };
  await stage.load.bestRate(best);
  const perSecond = SHARE * (await stage.load.bestRate(best));
  console.log(`${Math.round(perSecond)} plays/s arrive`);
  stage.load.begin(perSecond);
  await pause(CALM_SECONDS * MS_PER_SECOND);
  stage.load.seen();
  const accepted = '{route="/wallet/play",status="200",result="ok"';
  return {
    seconds: PAST_SECONDS / TIMING.speed,
    perSecond: {
      'roundhouse_plays_total{game="sample-lines",mode="BASE",result="accepted"}': perSecond,
      [`roundhouse_request_duration_seconds_count${accepted}}`]: perSecond,
      [`roundhouse_request_duration_seconds_bucket${accepted},le="0.25"}`]: perSecond,
    },
  };
}

async function proveHealthy(stage: Stage, past: Past, recorder?: Prometheus): Promise<void> {
  const prometheus = await observe(stage, past);
  const watches = [prometheus, ...(recorder ? [recorder] : [])].map(watchAlerts);
  stage.load.seen();
  await pause(MINUTES * SECONDS_PER_MINUTE * MS_PER_SECOND);
  for (const watch of watches) await watch.stop();
  await prometheus.stop();
  const { played, ...seen } = stage.load.seen();
  const healthy: Healthy = {
    ...seen,
    minutes: MINUTES,
    share: SHARE,
    playsPerSecond: played / (MINUTES * SECONDS_PER_MINUTE),
    fired: [...new Set(watches.flatMap((watch) => watch.fired().map(textOf)))],
  };
  console.log(healthyText(healthy));
  report.healthy.push(healthy);
}

async function prove<Any extends Stage>(fault: Fault<Any>, stage: Any, past: Past): Promise<void> {
  const prometheus = await observe(stage, past);
  const row = await proveFault(fault, stage, { ...TIMING, prometheus, calmSeconds: CALM_SECONDS });
  await prometheus.stop();
  console.log(faultTable([row]), row.unexpected);
  report.faults.push(row);
}

/** A Prometheus of its own for each fault: a burn rate remembers earlier ones for days. */
function observe({ nodes }: Stage, past: Past): Promise<Prometheus> {
  const urls = nodes.map(({ url }) => url);
  return startPrometheus({ nodes: urls, rules: rulesAt(TIMING.speed), scrapeSeconds: TIMING.scrapeSeconds, past });
}

/** Returns the text of the file: JSON is YAML. */
function rulesAt(speed: number): string {
  return JSON.stringify(ruleFile({ speed }));
}
