import { setTimeout as pause } from 'node:timers/promises';
import type { Prometheus } from './prometheus.ts';
import { type Fired, watchAlerts } from './watchAlerts.ts';

/**
 * The time within which an alert must fire: `fixed` seconds of the server and of the fault,
 * whatever the speed, and `rule` seconds of windows and waiting times of the rule, which the speed
 * divides.
 */
export type Bound = { fixed: number; rule: number };

/** What a fault may do beside its own work. */
type Steps = {
  /** Waits until all of these fire. After their time it returns as well. */
  fired(...names: string[]): Promise<void>;
  /** The time of these alerts begins now, and not at the beginning of the fault. */
  fromNow(...names: string[]): void;
};

export type Fault<Stage> = {
  says: string;
  /** All of these must fire, and no other alert may. */
  alerts: Readonly<Record<string, Bound>>;
  /** The alerts end within this time after the fault; RESOLVES when left out. */
  resolves?: Bound;
  /** Causes the fault, waits for its alerts, and takes it back. */
  run(stage: Stage, steps: Steps): Promise<void>;
};

/** Times are in seconds. */
type AlertRow = {
  alert: string;
  /** From the fault to the first alert of this name that fires; undefined when none did. */
  seconds: number | undefined;
  within: number;
  /** The same bound in production: at a speed of 1, scraped every 15 seconds. */
  withinReal: number;
  severities: string[];
  /**
   * From the end of the fault to the last alert of this name; undefined when it still fires. Burn
   * rates with a long window are left out.
   */
  resolved: number | undefined;
};

export type FaultRow = { fault: string; alerts: AlertRow[]; unexpected: string[]; seconds: number };

export type Timing = {
  speed: number;
  scrapeSeconds: number;
  /** A machine that is busy with other things adds this number of seconds to each time. */
  slackSeconds: number;
};

/** Scrapes and evaluations that lie between a fact and its alert. */
const SCRAPES = 3;
const MS_PER_SECOND = 1_000;
const PRODUCTION: Timing = { speed: 1, scrapeSeconds: 15, slackSeconds: 0 };

function secondsOf({ fixed, rule }: Bound, { speed, scrapeSeconds, slackSeconds }: Timing): number {
  return fixed + rule / speed + SCRAPES * scrapeSeconds + slackSeconds;
}

type ProveOptions = Timing & {
  prometheus: Pick<Prometheus, 'alerts'>;
  /**
   * Nothing may fire for this long before the fault, and each fault stays this long after its
   * alerts.
   */
  calmSeconds: number;
  /** These may fire as well. */
  notJudged?: readonly string[];
};

/** The short windows of most rules are 5 minutes. */
const RESOLVES: Bound = { fixed: 20, rule: 360 };
/** These burn rates end after half an hour to 6 hours: a proof does not wait for them. */
const LATE_WINDOWS = ['6h', '1d', '3d'];

/** Lets one fault happen, and reports which alerts have fired, when, and when they ended. */
export async function proveFault<Stage>(
  fault: Fault<Stage>,
  stage: Stage,
  { prometheus, calmSeconds, notJudged = [], ...timing }: ProveOptions,
): Promise<FaultRow> {
  const watch = watchAlerts(prometheus);
  await pause(calmSeconds * MS_PER_SECOND);
  const startedMs = performance.now();
  const fromMs = new Map<string, number>();
  const dueMs = (name: string) => {
    const bound = fault.alerts[name];
    if (bound === undefined) throw new Error(`${fault.says}: no time for ${name}`);
    return (fromMs.get(name) ?? startedMs) + secondsOf(bound, timing) * MS_PER_SECOND;
  };
  const hasFired = (name: string) => watch.fired().some((each) => each.name === name);
  await fault.run(stage, {
    async fired(...names) {
      await watch.until(() => names.every(hasFired), Math.max(...names.map(dueMs)) - performance.now());
      // Others that the fault should not cause have time to fire as well.
      await pause(calmSeconds * MS_PER_SECOND);
    },
    fromNow(...names) {
      for (const name of names) fromMs.set(name, performance.now());
    },
  });
  const endedMs = performance.now();
  const isOver = () =>
    watch.fired().every((each) => each.resolvedMs !== undefined || endsLate(each) || notJudged.includes(each.name));
  await watch.until(isOver, secondsOf(fault.resolves ?? RESOLVES, timing) * MS_PER_SECOND);
  await watch.stop();
  const fired = watch.fired();
  const isUnexpected = ({ name }: Fired) => !(name in fault.alerts) && !notJudged.includes(name);
  const alerts = Object.entries(fault.alerts).map(([alert, bound]): AlertRow => {
    const own = fired.filter(({ name }) => name === alert);
    const first = Math.min(...own.map(({ firedMs }) => firedMs));
    return {
      alert,
      seconds: own.length === 0 ? undefined : (first - (fromMs.get(alert) ?? startedMs)) / MS_PER_SECOND,
      within: secondsOf(bound, timing),
      withinReal: secondsOf(bound, PRODUCTION),
      severities: [...new Set(own.map(({ labels }) => labels.severity ?? 'none'))],
      resolved: resolvedSeconds(own, endedMs),
    };
  });
  return {
    fault: fault.says,
    alerts,
    unexpected: [...new Set(fired.filter(isUnexpected).map(textOf))],
    seconds: (performance.now() - startedMs) / MS_PER_SECOND,
  };
}

function endsLate({ labels: { window = '' } }: Fired): boolean {
  return LATE_WINDOWS.includes(window);
}

function resolvedSeconds(fired: readonly Fired[], endedMs: number): number | undefined {
  const times = fired.filter((each) => !endsLate(each)).map(({ resolvedMs }) => resolvedMs);
  if (times.length === 0 || times.includes(undefined)) return undefined;
  return Math.max(0, (Math.max(...(times as number[])) - endedMs) / MS_PER_SECOND);
}

export function textOf({ name, labels: { instance: _, job: __, ...labels } }: Pick<Fired, 'name' | 'labels'>): string {
  const text = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  return text.length === 0 ? name : `${name} {${text.join(', ')}}`;
}

/** Returns what is wrong with a row, as lines. */
export function issuesOf({ fault, alerts, unexpected }: FaultRow): string[] {
  return [
    ...alerts.flatMap(({ alert, seconds, within, resolved }) => {
      if (seconds === undefined) return [`${fault}: ${alert} did not fire within ${Math.round(within)} s`];
      if (seconds < 0) return [`${fault}: ${alert} fired before its cause`];
      if (seconds > within)
        return [`${fault}: ${alert} fired after ${seconds.toFixed(1)} s, not ${within.toFixed(1)} s`];
      return resolved === undefined ? [`${fault}: ${alert} still fires after the fault`] : [];
    }),
    ...unexpected.map((alert) => `${fault}: ${alert} fired`),
  ];
}
