import { setTimeout as wait } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../ledger/database.ts';
import { countRtpAlarms } from '../ledger/queries/gameTotals.ts';
import { countUnsettled } from '../ledger/queries/walletTransactions.ts';

/** Metrics do not wait for a database that is away: Prometheus waits a few seconds only. */
const COUNT_TIMEOUT_MS = 2_000;

/** Adds the gauges that are read from the database; they are absent while it is away. */
export function registerDatabaseMetrics(registry: Registry, db: Database): void {
  const unsettled = new Gauge({
    name: 'roundhouse_wallet_transactions_unsettled',
    help: 'Wallet transactions without a certain result: pending ones are retried, parked ones wait for a person.',
    labelNames: ['operator', 'kind', 'state'],
    // Every process reads the same rows.
    aggregator: 'max',
    registers: [],
    async collect() {
      this.reset();
      // A database that is away must not take the other metrics with it: its own metrics are then
      // missing, which is not zero.
      const nothing = wait(COUNT_TIMEOUT_MS, [], { ref: false });
      const counts = await Promise.race([countUnsettled(db).catch(() => []), nothing]);
      for (const { operator, kind, state, count } of counts) this.set({ operator, kind, state }, count);
    },
  });
  registry.registerMetric(unsettled);
  const rtpAlarms = new Gauge({
    name: 'roundhouse_rtp_alarms',
    help: 'Lives, months and days in which the RTP of a game has left its bounds, by game, version, mode and currency.',
    labelNames: ['game', 'version', 'mode', 'currency'],
    aggregator: 'max',
    registers: [],
    async collect() {
      this.reset();
      const nothing = wait(COUNT_TIMEOUT_MS, [], { ref: false });
      const alarms = await Promise.race([countRtpAlarms(db).catch(() => []), nothing]);
      for (const { game, version, mode, currency, count } of alarms) this.set({ game, version, mode, currency }, count);
    },
  });
  registry.registerMetric(rtpAlarms);
}
