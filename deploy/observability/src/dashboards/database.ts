import { dashboard } from './dashboard.ts';
import { lines, number } from './panels.ts';
import { latency, quantile } from './queries.ts';

const average = (histogram: string) =>
  `sum by (command) (rate(${histogram}_sum[$__rate_interval])) / sum by (command) (rate(${histogram}_count[$__rate_interval]))`;

const p99 = (histogram: string) => quantile(0.99, histogram, { by: 'command' });

/** It is in the overview as well. */
export const replication = () =>
  number({
    title: 'Replication',
    description: 'Whether a standby of the database confirms each commit. Nodes with --require-sync report it.',
    unit: 'none',
    queries: [{ expr: 'min(max by (cell) (roundhouse_database_synchronous))', legend: 'replication' }],
    limits: { redBelow: 1, texts: { 0: 'not synchronous', 1: 'synchronous' } },
    noValue: 'not required',
  });

export const database = dashboard({
  name: 'database',
  title: 'database and batches',
  description: 'Batches of commands, connections, failovers and errors of PostgreSQL.',
  variables: ['node'],
  rows: [
    {
      title: 'Database',
      panels: [
        number({
          title: 'Takes writes',
          description: 'Whether every node has a database that takes writes.',
          unit: 'none',
          queries: [{ expr: 'min(roundhouse_database_writable)', legend: 'writes' }],
          limits: { redBelow: 1, texts: { 0: 'no', 1: 'yes' } },
        }),
        replication(),
        number({
          title: 'Size',
          description: 'Size of the database with its indexes.',
          unit: 'bytes',
          queries: [{ expr: 'sum(max by (cell) (roundhouse_database_size_bytes))', legend: 'size' }],
        }),
        number({
          title: 'Failovers, 1 d',
          description:
            'How often another server took the writes, as the node that saw most of them counts. Restarts do not count.',
          unit: 'short',
          queries: [
            {
              expr: 'sum(max by (cell) (increase(roundhouse_database_changes_total{kind!="restarted"}[1d])))',
              legend: 'changes',
            },
          ],
          limits: { yellow: 1 },
        }),
        number({
          title: 'Outages, 1 d',
          description: 'How often no server took writes.',
          unit: 'short',
          queries: [
            { expr: 'sum(max by (cell) (increase(roundhouse_database_outages_total[1d])))', legend: 'outages' },
          ],
          limits: { yellow: 1 },
        }),
        number({
          title: 'Read-only refusals, 1 d',
          description: 'Statements that a server without writes refused (25006).',
          unit: 'short',
          queries: [
            { expr: 'sum(increase(roundhouse_database_errors_total{code="25006"}[1d])) or vector(0)', legend: '25006' },
          ],
          limits: { yellow: 1 },
        }),
        lines({
          title: 'Size of the database',
          description: 'A play takes about 1,000 bytes.',
          unit: 'bytes',
          queries: [{ expr: 'sum(max by (cell) (roundhouse_database_size_bytes))', legend: 'size' }],
        }),
        lines({
          title: 'Errors of statements',
          description:
            'Failed statements of batches by SQLSTATE. 53100: disk full. 25006: read-only. 40P01: deadlock, which is retried.',
          unit: 'ops',
          queries: [
            { expr: 'sum by (code) (rate(roundhouse_database_errors_total[$__rate_interval]))', legend: '{{code}}' },
          ],
          noValue: 'no errors',
        }),
        lines({
          title: 'Overload',
          description: 'Requests that were refused with nothing done, by queue.',
          unit: 'ops',
          queries: [
            { expr: 'sum by (queue) (rate(roundhouse_overloads_total[$__rate_interval]))', legend: '{{queue}}' },
          ],
          noValue: 'no overload',
        }),
      ],
    },
    {
      title: 'Batches',
      panels: [
        lines({
          title: 'Batches',
          description: 'Batches of commands, each one statement and one transaction, by command and result.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (command, result) (rate(roundhouse_batch_duration_seconds_count{instance=~"$node"}[$__rate_interval]))',
              legend: '{{command}} {{result}}',
            },
          ],
        }),
        lines({
          title: 'Commands in a batch',
          description: 'On average. It grows with the load, up to 256.',
          unit: 'short',
          queries: [{ expr: average('roundhouse_batch_size'), legend: '{{command}}' }],
        }),
        lines({
          title: 'Wait for a batch, p99',
          description: 'Time that the oldest command of a batch has waited.',
          unit: 's',
          queries: [{ expr: p99('roundhouse_batch_wait_seconds'), legend: '{{command}}' }],
        }),
        lines({
          title: 'Time of open_rounds',
          description: 'Time of the batches of plays in SQL, with their retries.',
          unit: 's',
          width: 12,
          queries: latency('roundhouse_batch_duration_seconds', 'command="open_rounds"', ''),
        }),
        lines({
          title: 'Time of a batch, p99',
          description: 'Time in SQL, with retries, by command.',
          unit: 's',
          width: 12,
          queries: [{ expr: p99('roundhouse_batch_duration_seconds'), legend: '{{command}}' }],
        }),
      ],
    },
    {
      title: 'Connections',
      panels: [
        lines({
          title: 'Connections in use',
          description: 'Share of the connections that each pool may have.',
          unit: 'percentunit',
          queries: [
            {
              expr: 'sum by (pool) (roundhouse_database_connections{state="in_use",instance=~"$node"}) / sum by (pool) (roundhouse_database_connections_max{instance=~"$node"})',
              legend: '{{pool}}',
            },
          ],
        }),
        lines({
          title: 'Connections',
          description: 'Connections in use and idle, by pool.',
          unit: 'short',
          stacked: true,
          queries: [
            {
              expr: 'sum by (pool, state) (roundhouse_database_connections{instance=~"$node"})',
              legend: '{{pool}} {{state}}',
            },
          ],
        }),
        lines({
          title: 'Waiting for a connection',
          description: 'Statements that wait for a free connection. After 5 s the request is ERR_GEN.',
          unit: 'short',
          queries: [{ expr: 'sum by (pool) (roundhouse_database_waiting{instance=~"$node"})', legend: '{{pool}}' }],
        }),
      ],
    },
  ],
});
