import { Counter, type Registry } from 'prom-client';
import type { MoneySums, MoneyTotals } from '../../store/watch/moneyTotals.ts';
import { unitsOf } from './moneyTotals.ts';

const LABELS = ['operator', 'game', 'currency'] as const;
const UNITS = 'in whole units of the currency';

/** Each counter shows one of the sums, an amount or a number of rounds. */
const COUNTERS: { [Sum in keyof MoneySums]: { name: string; help: string; isAmount: boolean } } = {
  bets: {
    name: 'bet_amount_total',
    help: `Bets of completed rounds that players paid for, ${UNITS}.`,
    isAmount: true,
  },
  payouts: {
    name: 'payout_amount_total',
    help: `Payouts of completed rounds that players paid for, ${UNITS}.`,
    isAmount: true,
  },
  rounds: { name: 'rounds_total', help: 'Completed rounds that players paid for.', isAmount: false },
  voidRounds: {
    name: 'void_rounds_total',
    help: 'Void rounds, including free ones: their bets were returned.',
    isAmount: false,
  },
  voidBets: { name: 'void_bet_amount_total', help: `Bets of rounds that became void, ${UNITS}.`, isAmount: true },
  freeRounds: { name: 'free_rounds_total', help: 'Completed rounds that the operator paid for.', isAmount: false },
  freePayouts: {
    name: 'free_payout_amount_total',
    help: `Payouts of completed rounds that the operator paid for, ${UNITS}.`,
    isAmount: true,
  },
};

/** Adds the counters of money. They begin with the database, not with the process. */
export function registerMoneyMetrics(registry: Registry, read: () => Promise<readonly MoneyTotals[]>): void {
  for (const [sum, { name, help, isAmount }] of Object.entries(COUNTERS)) {
    new Counter({
      name: `roundhouse_${name}`,
      help: help,
      labelNames: LABELS,
      // Every node reads the same totals, and they do not end with the process that reads them.
      aggregator: 'max',
      registers: [registry],
      async collect() {
        const totals = await read();
        this.reset();
        for (const { operator, game, currency, ...sums } of totals) {
          const exact = sums[sum as keyof MoneySums];
          this.inc({ operator, game, currency }, isAmount ? unitsOf(exact) : Number(exact));
        }
      },
    });
  }
}
