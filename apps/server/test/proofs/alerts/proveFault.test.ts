import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Alert } from './prometheus.ts';
import { type Fault, issuesOf, proveFault } from './proveFault.ts';

const TIMING = { speed: 1, scrapeSeconds: 0, slackSeconds: 0, calmSeconds: 0.5 };
const QUICK = { fixed: 5, rule: 0 };

/** Proves a fault that makes these alerts fire, while it lasts and afterwards. */
async function issues(options: {
  expected: string[];
  before?: string[];
  during: string[];
  after?: string[];
}): Promise<string[]> {
  const { expected, before = [], during, after = [] } = options;
  let firing = before;
  const fault: Fault<undefined> = {
    says: 'fault',
    alerts: Object.fromEntries(expected.map((name) => [name, QUICK])),
    resolves: QUICK,
    async run(_, { fired }) {
      await pause(300);
      firing = during;
      await fired(...expected);
      firing = after;
    },
  };
  const alerts = async () =>
    firing.map((text): Alert => {
      const [name = '', window] = text.split(' ');
      return { name, state: 'firing', labels: window === undefined ? {} : { window } };
    });
  return issuesOf(await proveFault(fault, undefined, { ...TIMING, prometheus: { alerts } }));
}

it.each<[string, Parameters<typeof issues>[0], string[]]>([
  ['all is as it should be', { expected: ['A', 'B'], during: ['B', 'A'] }, []],
  ['an alert is missing', { expected: ['A', 'B'], during: ['A'] }, ['fault: B did not fire within 5 s']],
  ['another alert fires', { expected: ['A'], during: ['A', 'B 1h'] }, ['fault: B {window=1h} fired']],
  ['an alert does not end', { expected: ['A'], during: ['A'], after: ['A'] }, ['fault: A still fires after the fault']],
  ['a slow burn ends later', { expected: ['A'], during: ['A 1h', 'A 3d'], after: ['A 3d'] }, []],
  [
    'an alert fires before the fault',
    { expected: ['A'], before: ['A'], during: ['A'] },
    [expect.stringMatching(/^fault: A fired before its cause/)],
  ],
])('%s', async (_, options, expected) => {
  expect(await issues(options)).toEqual(expected);
});
