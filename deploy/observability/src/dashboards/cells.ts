import { dashboard } from './dashboard.ts';
import { lines, table } from './panels.ts';
import { latency, quantile } from './queries.ts';

export const cells = dashboard({
  name: 'cells',
  title: 'cells',
  description: 'The cells of a fleet side by side. Without a fleet there is one line, without a name.',
  variables: ['operator'],
  rows: [
    {
      title: 'Players',
      panels: [
        table({
          title: 'Nodes',
          description: 'Nodes of each cell that respond to Prometheus.',
          unit: 'none',
          queries: [{ expr: 'sum by (cell) (up{job="roundhouse"})', legend: '{{cell}}' }],
        }),
        table({
          title: 'Alerts that fire, by cell',
          description: 'Their runbooks are in docs/operations.md.',
          unit: 'none',
          queries: [
            {
              expr: 'sum by (cell, alertname, severity) (ALERTS{alertname=~"Roundhouse.+",alertstate="firing"})',
              legend: '{{cell}} {{alertname}}',
            },
          ],
          noValue: 'none',
        }),
        lines({
          title: 'Plays',
          description: 'Plays by cell, whatever their result.',
          unit: 'ops',
          stacked: true,
          queries: [{ expr: 'sum by (cell) (rate(roundhouse_plays_total[$__rate_interval]))', legend: '{{cell}}' }],
        }),
        lines({
          title: 'Failed plays',
          description: 'Share of the plays of a cell that failed, over five minutes.',
          unit: 'percentunit',
          queries: [{ expr: 'sum by (cell) (roundhouse:plays_failed:ratio5m)', legend: '{{cell}}' }],
        }),
        lines({
          title: 'Time of a play',
          description: 'Of accepted plays, from reading the request to its response.',
          unit: 's',
          queries: latency('roundhouse_request_duration_seconds', 'route="/wallet/play",result="ok"', 'cell'),
        }),
        lines({
          title: 'Active sessions',
          description: 'Sessions with a request in the last five minutes. One that uses two nodes counts twice.',
          unit: 'short',
          stacked: true,
          queries: [{ expr: 'sum by (cell) (roundhouse_sessions_active{operator=~"$operator"})', legend: '{{cell}}' }],
        }),
      ],
    },
    {
      title: 'Databases',
      panels: [
        lines({
          title: 'Takes writes',
          description: '0: at least one node of the cell has no database that takes writes.',
          unit: 'none',
          queries: [{ expr: 'min by (cell) (roundhouse_database_writable)', legend: '{{cell}}' }],
        }),
        lines({
          title: 'Time of open_rounds, p90',
          description: 'Time of the batches of plays in SQL, with their retries.',
          unit: 's',
          queries: [
            {
              expr: quantile(0.9, 'roundhouse_batch_duration_seconds', { by: 'cell', labels: 'command="open_rounds"' }),
              legend: '{{cell}}',
            },
          ],
        }),
        lines({
          title: 'Commands in a batch',
          description: 'Commands of open_rounds, on average. More cells have smaller batches.',
          unit: 'short',
          queries: [
            {
              expr: 'sum by (cell) (rate(roundhouse_batch_size_sum{command="open_rounds"}[$__rate_interval])) / sum by (cell) (rate(roundhouse_batch_size_count{command="open_rounds"}[$__rate_interval]))',
              legend: '{{cell}}',
            },
          ],
        }),
        lines({
          title: 'Size of the database',
          description: 'With its indexes.',
          unit: 'bytes',
          stacked: true,
          queries: [{ expr: 'max by (cell) (roundhouse_database_size_bytes)', legend: '{{cell}}' }],
        }),
        lines({
          title: 'Connections in use',
          description: 'Connections to the database of all nodes of the cell.',
          unit: 'short',
          queries: [{ expr: 'sum by (cell) (roundhouse_database_connections{state="in_use"})', legend: '{{cell}}' }],
        }),
        lines({
          title: 'Oldest pending transaction',
          description: 'Age of the oldest wallet transaction that is retried.',
          unit: 's',
          queries: [
            {
              expr: 'max by (cell) (roundhouse_wallet_transactions_oldest_seconds{state="pending",operator=~"$operator"})',
              legend: '{{cell}}',
            },
          ],
          noValue: 'no transaction is pending',
        }),
      ],
    },
    {
      title: 'Launch routers',
      panels: [
        lines({
          title: 'Requests to cells',
          description: 'misdirected: the cell named another one. away: it did not respond.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (cell, outcome) (rate(roundhouse_router_cell_duration_seconds_count[$__rate_interval]))',
              legend: '{{cell}} {{outcome}}',
            },
          ],
          noValue: 'no router',
        }),
        lines({
          title: 'Time of a request to a cell, p90',
          description: 'Until the head of the response, by cell.',
          unit: 's',
          queries: [
            { expr: quantile(0.9, 'roundhouse_router_cell_duration_seconds', { by: 'cell' }), legend: '{{cell}}' },
          ],
          noValue: 'no router',
        }),
        lines({
          title: 'Errors of routers',
          description: 'Error responses that are of no cell, by code.',
          unit: 'ops',
          queries: [
            { expr: 'sum by (code) (rate(roundhouse_router_errors_total[$__rate_interval]))', legend: '{{code}}' },
          ],
          noValue: 'no errors',
        }),
        lines({
          title: 'Version of the fleet file',
          description:
            'The lowest and the highest of all routers: two lines apart are a router that has missed its SIGHUP.',
          unit: 'none',
          queries: [
            { expr: 'min(roundhouse_router_fleet_version)', legend: 'lowest' },
            { expr: 'max(roundhouse_router_fleet_version)', legend: 'highest' },
          ],
          noValue: 'no router',
        }),
      ],
    },
  ],
});
