import { dashboard } from './dashboard.ts';
import { lines } from './panels.ts';
import { failingRequests, latency, quantile } from './queries.ts';

const COUNT = 'roundhouse_wallet_request_duration_seconds_count{operator=~"$operator"}';

export const wallets = dashboard({
  name: 'wallets',
  title: 'wallets',
  description: 'Requests to the wallets of operators, and money that is not settled.',
  variables: ['operator'],
  rows: [
    {
      title: 'Requests',
      panels: [
        lines({
          title: 'Requests by result',
          description: 'refused: no money moved. uncertain: it is not known. not_sent: nothing left the server.',
          unit: 'ops',
          stacked: true,
          queries: [
            { expr: `sum by (operator, result) (rate(${COUNT}[$__rate_interval]))`, legend: '{{operator}} {{result}}' },
          ],
        }),
        lines({
          title: 'Requests by route',
          description: 'Which request of the wallet protocol it is.',
          unit: 'ops',
          stacked: true,
          queries: [
            { expr: `sum by (operator, route) (rate(${COUNT}[$__rate_interval]))`, legend: '{{operator}} {{route}}' },
          ],
        }),
        lines({
          title: 'Failing requests',
          description: 'Share of requests that are uncertain or were not sent. A tenth raises WalletFailing.',
          unit: 'percentunit',
          queries: [{ expr: failingRequests, legend: '{{operator}}' }],
        }),
        lines({
          title: 'Time of a request',
          description: 'From a request to an operator to its result, all routes.',
          unit: 's',
          width: 12,
          queries: latency('roundhouse_wallet_request_duration_seconds', 'operator=~"$operator"', 'operator'),
        }),
        lines({
          title: 'Time of a request by route, p99',
          description: 'A play waits for one debit, an end-round for one credit.',
          unit: 's',
          width: 12,
          queries: [
            {
              expr: quantile(0.99, 'roundhouse_wallet_request_duration_seconds', {
                by: 'operator, route',
                labels: 'operator=~"$operator"',
              }),
              legend: '{{operator}} {{route}}',
              exemplar: true,
            },
          ],
        }),
      ],
    },
    {
      title: 'Queues',
      panels: [
        lines({
          title: 'Requests in flight',
          description:
            'Requests that wait for a response, by pool. A pool is full with 128 debits and payouts in each process.',
          unit: 'short',
          queries: [
            {
              expr: 'sum by (operator, pool) (roundhouse_wallet_requests_in_flight{operator=~"$operator"})',
              legend: '{{operator}} {{pool}}',
            },
          ],
        }),
        lines({
          title: 'Requests that wait',
          description: 'Requests that wait for a place in their pool. After 2 s they are not_sent.',
          unit: 'short',
          queries: [
            {
              expr: 'sum by (operator, pool) (roundhouse_wallet_requests_waiting{operator=~"$operator"})',
              legend: '{{operator}} {{pool}}',
            },
          ],
        }),
        lines({
          title: 'Paused wallets',
          description: 'A wallet that has failed ten times in a row gets no requests for 2 s: 1 while it is so.',
          unit: 'none',
          queries: [
            {
              expr: 'max by (operator, pool) (roundhouse_wallet_paused{operator=~"$operator"})',
              legend: '{{operator}} {{pool}}',
            },
          ],
        }),
        lines({
          title: 'Closings in a request',
          description: 'Losing rounds that one request closes, on average.',
          unit: 'short',
          width: 12,
          queries: [
            {
              expr: 'sum(rate(roundhouse_closings_per_request_sum[$__rate_interval])) / sum(rate(roundhouse_closings_per_request_count[$__rate_interval]))',
              legend: 'closings',
            },
          ],
          noValue: 'no closings',
        }),
        lines({
          title: 'Closings that wait',
          description: 'Losing rounds of auto-close that are to be closed at their operators.',
          unit: 'short',
          width: 12,
          queries: [{ expr: 'sum(roundhouse_closings_waiting)', legend: 'closings' }],
        }),
      ],
    },
    {
      title: 'Unsettled money',
      panels: [
        lines({
          title: 'Oldest transaction',
          description: 'Age of the oldest wallet transaction that is pending or parked.',
          unit: 's',
          queries: [
            {
              expr: 'max by (operator, state) (roundhouse_wallet_transactions_oldest_seconds{operator=~"$operator"})',
              legend: '{{operator}} {{state}}',
            },
          ],
          noValue: 'no transaction is unsettled',
        }),
        lines({
          title: 'Pending transactions',
          description: 'Wallet transactions that are retried, by kind and age.',
          unit: 'short',
          stacked: true,
          queries: [
            {
              expr: 'sum by (operator, kind, age) (max by (cell, operator, kind, age) (roundhouse_wallet_transactions_unsettled{state="pending",operator=~"$operator"}))',
              legend: '{{operator}} {{kind}} {{age}}',
            },
          ],
          noValue: 'no transaction is pending',
        }),
        lines({
          title: 'Parked transactions',
          description: 'Wallet transactions that wait for a person: `roundhouse parked list`.',
          unit: 'short',
          stacked: true,
          queries: [
            {
              expr: 'sum by (operator, kind) (max by (cell, operator, kind, age) (roundhouse_wallet_transactions_unsettled{state="parked",operator=~"$operator"}))',
              legend: '{{operator}} {{kind}}',
            },
          ],
          noValue: 'no transaction is parked',
        }),
      ],
    },
  ],
});
