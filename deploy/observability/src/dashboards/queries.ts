import type { Query } from './panels.ts';

/**
 * Returns a quantile of a histogram by these labels, as `operator, route`; over all without them.
 */
export function quantile(value: number, histogram: string, { by = '', labels = '' } = {}): string {
  const chosen = labels === '' ? '' : `{${labels}}`;
  return `histogram_quantile(${value}, sum by (${by === '' ? 'le' : `le, ${by}`}) (rate(${histogram}_bucket${chosen}[$__rate_interval])))`;
}

/** Returns the quantiles that matter to players, of a histogram with exemplars. */
export function latency(histogram: string, labels: string, by: string): Query[] {
  const line = (value: number, name: string): Query => ({
    expr: quantile(value, histogram, { by, labels }),
    legend: by === '' ? name : `${name} {{${by}}}`,
    exemplar: true,
  });
  return [line(0.5, 'p50'), line(0.95, 'p95'), line(0.99, 'p99')];
}

/** The money of the chosen operators, games and currencies. */
const MONEY = 'operator=~"$operator",game=~"$game",currency=~"$currency"';

/**
 * Returns an amount or a number of rounds, an hour, by currency. Every node reports the same
 * counters, so `max` takes one of them.
 */
export function perHour(metric: string, { by = 'currency', labels = 'operator=~"$operator"' } = {}): string {
  return `3600 * sum by (${by}) (max by (cell, operator, game, currency) (rate(${metric}{${labels}}[$__rate_interval])))`;
}

/** Returns the same over the whole range of the dashboard. */
export function inRange(metric: string, by: string): string {
  return `sum by (${by}) (max by (cell, operator, game, currency) (increase(${metric}{${MONEY}}[$__range])))`;
}

export const ofGames = { labels: MONEY };

const requests = (labels: string) =>
  `sum by (operator) (rate(roundhouse_wallet_request_duration_seconds_count{operator=~"$operator"${labels}}[$__rate_interval]))`;

/** Before the first failure there is no series of it. */
export const failingRequests = `(${requests(',result=~"uncertain|not_sent"')} or 0 * ${requests('')}) / ${requests('')}`;
