import { writeFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { startPair } from '../failover/pair.ts';
import { canMount, startSingle } from '../failover/single.ts';
import { PAIR_FAULTS, SINGLE_FAULTS } from './faults.ts';
import { queryPanels } from './panels.ts';
import { beginLoad, observe, prove, proveHealthy, type Settings } from './phases.ts';
import { hasPrometheus, type Past, type Prometheus } from './prometheus.ts';
import type { Fault } from './proveFault.ts';
import { allIssues, type Report, reportText } from './report.ts';
import { findFaketime, openAlertStage, type Stage } from './stage.ts';

// `npm run proof -- alerts --minutes 10 --seed 7 --only node-killed,clock-off` sets these.
const { ALERTS_MINUTES, ALERTS_JSON } = process.env;
const ONLY = process.env.ALERTS_ONLY?.split(',');
const isLong = ALERTS_MINUTES !== undefined;
const MINUTES = Number(ALERTS_MINUTES ?? 0.1);
const SEED = Number(process.env.ALERTS_SEED ?? 20_261_127);
const SPEED = Number(process.env.ALERTS_SPEED ?? 30);
const PERCENT = 100;

/**
 * The short form proves these, and that nothing fires before. They need neither a pair nor a disk.
 * Nobody knows how slow its machine is: an alert may take its time, and what says that the machine
 * is slow is not judged. A scrape that takes longer than a second looks like a node that is down.
 */
const SHORT_FAULTS = ['wallet-refuses', 'event-edited'] as const;
const SHORT: Settings = {
  ...{ speed: SPEED, scrapeSeconds: 1, slackSeconds: 600, calmSeconds: 3 },
  ...{ share: 0.3, bestSeconds: 2, atOnce: 8 },
  notJudged: ['RoundhousePlaysSlow', 'RoundhouseDatabaseSlow', 'RoundhouseNodeDown'],
  walletTimeoutMs: 30_000,
};
/**
 * A node whose database does not respond sends its metrics after two seconds, so they may take
 * three, where no window of the rules is as short.
 */
const SCRAPE_SECONDS = Math.min(15, Math.max(1, Math.round(30 / SPEED)));
const LONG: Settings = {
  ...{ speed: SPEED, scrapeSeconds: SCRAPE_SECONDS, slackSeconds: 0, calmSeconds: 10 },
  ...{ share: Number(process.env.ALERTS_LOAD) / PERCENT, bestSeconds: 10, atOnce: 48 },
  notJudged: [],
};
const SETTINGS = isLong ? LONG : SHORT;
/**
 * The number of players of each wallet. All of them wait, and then fail, when the database is gone.
 * Few of them would not be the share of the plays of an hour that an alert needs.
 */
const PLAYERS = isLong ? 256 : 16;
/** A node verifies the log of significant events this often, which the speed divides as well. */
const AUDIT_SECONDS = 60;
/** The rules of production, which also make the dashboards. */
const PRODUCTION = { speed: 1, scrapeSeconds: 5 };
const MS_PER_SECOND = 1_000;

const report: Report = { ...SETTINGS, seed: SEED, healthy: [], faults: [], panels: [], issues: [] };
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => close(closing.length));

it(`exactly the right alerts fire, speed ${SPEED}, seed ${SEED}`, {
  timeout: 7_200_000 + MINUTES * 60 * MS_PER_SECOND,
}, async () => {
  if (!(await hasPrometheus()))
    throw new Error('It needs prometheus and promtool on the path; on Debian npm test gets them.');
  await (isLong ? proveLong() : proveShort());
  report.issues = allIssues(report);
  console.log(reportText(report));
  if (ALERTS_JSON !== undefined) await writeFile(ALERTS_JSON, `${JSON.stringify(report, null, 2)}\n`);
  expect(report.issues).toEqual([]);
});

async function proveShort(): Promise<void> {
  const { url: databaseUrl } = await createTestDatabase();
  const { stage, perSecond } = await open({ databaseUrl });
  report.healthy.push(await proveHealthy(stage, perSecond, { ...SETTINGS, minutes: MINUTES }));
  for (const name of SHORT_FAULTS)
    report.faults.push(await prove(PAIR_FAULTS[name] as Fault<Stage>, stage, { ...SETTINGS, perSecond }));
}

async function proveLong(): Promise<void> {
  if (!(await canMount())) throw new Error('A full disk needs a file system of its own: run this as root.');
  if ((await findFaketime()) === undefined)
    throw new Error('A clock that is off needs the package libfaketime of Debian: apt-get install libfaketime.');
  const names = [...Object.keys(PAIR_FAULTS), ...Object.keys(SINGLE_FAULTS)];
  if (ONLY?.every((name) => names.includes(name)) === false)
    throw new Error(`--only is some of ${names.join(',')}, with commas between them.`);
  const chosen = <Each>(faults: Readonly<Record<string, Each>>) =>
    Object.entries(faults).flatMap(([name, fault]) => (ONLY?.includes(name) === false ? [] : fault));
  const startedMs = performance.now();
  let recorder: Prometheus | undefined;

  const ofPair = chosen(PAIR_FAULTS);
  if (ofPair.length > 0) {
    const pair = await startPair();
    closing.push(pair.close);
    const { stage, perSecond } = await open({ databaseUrl: pair.url, env: { ROUNDHOUSE_REQUIRE_SYNC: '1' } });
    recorder = await observe(stage, perSecond, PRODUCTION);
    closing.unshift(recorder.stop);
    const healthy = { ...SETTINGS, minutes: MINUTES, others: [recorder] };
    if (ONLY === undefined) report.healthy.push(await proveHealthy(stage, perSecond, healthy));
    for (const fault of ofPair) report.faults.push(await prove(fault, { ...stage, pair }, { ...SETTINGS, perSecond }));
    await close(2);
  }
  const ofSingle = chosen(SINGLE_FAULTS);
  if (ofSingle.length > 0) {
    const single = await startSingle();
    closing.push(single.close);
    const { stage, perSecond } = await open({ databaseUrl: single.url });
    await recorder?.scrape(stage.nodes.map(({ url }) => url));
    for (const fault of ofSingle)
      report.faults.push(await prove(fault, { ...stage, single }, { ...SETTINGS, perSecond }));
  }
  const seconds = (performance.now() - startedMs) / MS_PER_SECOND;
  // Without all faults some panels have nothing to show.
  if (ONLY === undefined && recorder !== undefined) report.panels = await queryPanels(recorder, seconds);
}

/** Opens nodes and players on a database, and begins with the load. */
async function open(options: {
  databaseUrl: string;
  env?: NodeJS.ProcessEnv;
}): Promise<{ stage: Stage; perSecond: Past['perSecond'] }> {
  const auditSeconds = Math.max(1, Math.round(AUDIT_SECONDS / SPEED));
  const stage = await openAlertStage({
    ...{ databaseUrl: options.databaseUrl, seed: SEED, players: PLAYERS, hasManifest: isLong },
    walletTimeoutMs: SETTINGS.walletTimeoutMs,
    env: { ROUNDHOUSE_AUDIT_SECONDS: `${auditSeconds}`, ...options.env },
  });
  closing.push(stage.close);
  return { stage, perSecond: await beginLoad(stage, SETTINGS) };
}

/** Closes what was opened last. */
async function close(count: number): Promise<void> {
  for (const each of closing.splice(-count).reverse()) await each();
}
