import { Gauge, type Registry } from 'prom-client';
import { createDatabaseReading, type DatabaseReads, type DatabaseValues } from './databaseReading.ts';
import { registerMoneyMetrics } from './moneyMetrics.ts';

type GaugeOptions<Label extends string> = {
  name: string;
  help: string;
  labelNames?: Label[];
  set(gauge: Gauge<Label>, values: DatabaseValues): void;
};

/**
 * Adds the metrics that are read from the database; they are absent while it is away, which is not
 * zero. One process of a node reads them.
 */
export function registerDatabaseMetrics(registry: Registry, reads: DatabaseReads): void {
  const reading = createDatabaseReading(reads);
  const add = <Label extends string = never>({ set, labelNames = [], ...named }: GaugeOptions<Label>) =>
    new Gauge({
      ...named,
      labelNames,
      registers: [registry],
      // Every node reads the same rows.
      aggregator: 'max',
      async collect() {
        const values = await reading();
        // A reset makes a gauge without labels 0.
        if (labelNames.length === 0) this.remove();
        else this.reset();
        if (values !== undefined) set(this, values);
      },
    });
  add({
    name: 'roundhouse_wallet_transactions_unsettled',
    help: 'Wallet transactions without a certain result. Pending ones are retried; parked ones wait for a person. Age is the shortest of 1m, 10m, 1h, 1d and older that holds the transaction.',
    labelNames: ['operator', 'kind', 'state', 'age'],
    set(gauge, { unsettled }) {
      for (const { operator, kind, state, age, count } of unsettled) gauge.set({ operator, kind, state, age }, count);
    },
  });
  add({
    name: 'roundhouse_wallet_transactions_oldest_seconds',
    help: 'Age of the oldest wallet transaction without a certain result.',
    labelNames: ['operator', 'state'],
    set(gauge, { unsettled }) {
      const ascending = unsettled.toSorted((a, b) => a.oldestSeconds - b.oldestSeconds);
      for (const { operator, state, oldestSeconds } of ascending) gauge.set({ operator, state }, oldestSeconds);
    },
  });
  add({
    name: 'roundhouse_open_rounds',
    help: 'Rounds that are not completed. Age is the shortest of 10m, 1h, 1d and older that holds the round.',
    labelNames: ['operator', 'age'],
    set(gauge, { openRounds }) {
      for (const { operator, age, count } of openRounds) gauge.set({ operator, age }, count);
    },
  });
  add({
    name: 'roundhouse_rtp_alarms',
    help: 'Periods (life, this and last month, this and last day) in which the RTP of a game has left its bounds. A withdrawn version has none.',
    labelNames: ['game', 'version', 'mode', 'currency'],
    set(gauge, { alarms }) {
      for (const { game, version, mode, currency, count } of alarms)
        gauge.set({ game, version, mode, currency }, count);
    },
  });
  add({
    name: 'roundhouse_database_synchronous',
    help: 'Is 1 when a standby confirms each commit, else 0. Missing without --require-sync.',
    set(gauge, { isSynchronous }) {
      if (isSynchronous !== undefined) gauge.set(isSynchronous ? 1 : 0);
    },
  });
  add({
    name: 'roundhouse_database_size_bytes',
    help: 'Size of the database files, in bytes.',
    set(gauge, { bytes }) {
      gauge.set(bytes);
    },
  });
  registerMoneyMetrics(registry, async () => (await reading())?.money ?? []);
}
