import { Registry } from 'prom-client';
import type { DefinedMetric } from '../../../scripts/metrics/document.ts';
import { createRouterMetrics } from '../../../src/router/routerMetrics.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { createInstallMetrics } from '../../../src/watch/metrics/installMetrics.ts';
import { createMetrics } from '../../../src/watch/metrics/metrics.ts';
import { createPrimaryMetrics } from '../../../src/watch/metrics/primaryMetrics.ts';

/** Returns the metrics that a node and a launch router define, without those of Node itself. */
export function allMetrics(): DefinedMetric[] {
  const primary = new Registry();
  createInstallMetrics(primary);
  createPrimaryMetrics(primary);
  const registries = [primary, createRouterMetrics().registry];
  // It opens no connection.
  const db = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/nothing' });
  const shared = { share: (own: Registry) => void registries.unshift(own), report: async () => '' };
  const eventChain = () => ({ isVerified: undefined, checkedAt: undefined });
  const nodeReads = { dataFolder: '/', eventChain };
  createMetrics({ db, roundStops: { reasons: new Set() }, nodeReads }, shared);
  const defined = registries.flatMap((registry) => registry.getMetricsAsArray() as unknown as DefinedMetric[]);
  return defined.filter(({ name }) => !/^(process|nodejs)_/.test(name));
}
