import { Gauge, type MetricObject, Registry } from 'prom-client';

const MS_PER_SECOND = 1_000;

export type InstallMetrics = {
  /** The installation has been checked now. */
  observeCheck(check: { isVerified: boolean }): void;
  metrics(): Promise<MetricObject[]>;
};

/** The primary checks the installation, so they are no metrics of a worker. */
export function createInstallMetrics(registry = new Registry()): InstallMetrics {
  const registers = [registry];
  const verified = new Gauge({
    name: 'roundhouse_install_verified',
    help: 'Is 1 when the installation matches its manifest, else 0. Missing without a manifest.',
    registers,
  });
  const checkedAt = new Gauge({
    name: 'roundhouse_install_checked_timestamp_seconds',
    help: 'Time of the last check of the installation, in seconds since 1970.',
    registers,
  });
  return {
    observeCheck({ isVerified }) {
      verified.set(isVerified ? 1 : 0);
      checkedAt.set(Date.now() / MS_PER_SECOND);
    },
    metrics: () => registry.getMetricsAsJSON(),
  };
}
