import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { type DashboardJson, queriesOf } from '../queriesOf.ts';
import { ruleFile } from '../rules/ruleFile.ts';
import { dashboards } from './all.ts';

it('every metric of the dashboards and rules is one of the server', () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const document = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');
  const known = new Set([
    ...(document.match(/`roundhouse_\w+`/g) ?? []).map((name) => name.slice(1, -1)),
    ...registry.getMetricsAsArray().map(({ name }) => name),
  ]);
  const expressions = [
    ...ruleFile().groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...Object.values(dashboards).flatMap((each) => queriesOf(each as DashboardJson).map(({ expr }) => expr)),
  ];
  const used = new Set(expressions.flatMap((expr) => expr.match(/\b(?:roundhouse|process|nodejs)_\w+/g) ?? []));
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, ''));
  expect([...used].filter((name) => !isKnown(name))).toEqual([]);
});
