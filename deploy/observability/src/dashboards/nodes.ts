import { dashboard } from './dashboard.ts';
import { lines, number, table } from './panels.ts';
import { latency, quantile } from './queries.ts';

const NODE = 'instance=~"$node"';
const byNode = (metric: string, by = 'sum') => ({
  expr: `${by} by (instance) (${metric}{${NODE}})`,
  legend: '{{instance}}',
});
const rateByNode = (metric: string) => ({
  expr: `sum by (instance) (rate(${metric}{${NODE}}[$__rate_interval]))`,
  legend: '{{instance}}',
});

export const nodes = dashboard({
  name: 'nodes',
  title: 'nodes',
  description: 'Requests, processes, disks and clocks of each node.',
  variables: ['node'],
  rows: [
    {
      title: 'Nodes',
      panels: [
        table({
          title: 'Up',
          description: '1: the node responds to Prometheus.',
          unit: 'none',
          queries: [{ expr: `up{job="roundhouse",${NODE}}`, legend: '{{instance}}' }],
        }),
        table({
          title: 'Version',
          description: 'Version of the server and of Node on each node.',
          unit: 'none',
          queries: [
            {
              expr: `max by (instance, version, node_version) (roundhouse_build_info{${NODE}})`,
              legend: '{{instance}} {{version}}',
            },
          ],
        }),
        number({
          title: 'Stopped rounds',
          description: 'Nodes that open no new rounds, and why.',
          unit: 'none',
          width: 8,
          queries: [
            {
              expr: `max by (instance, reason) (roundhouse_round_stops{${NODE}})`,
              legend: '{{instance}} {{reason}}',
            },
          ],
          limits: { red: 1 },
          noValue: 'none',
        }),
        number({
          title: 'Worker deaths, 1 d',
          description: 'Workers that ended by themselves. The node starts each of them again.',
          unit: 'short',
          width: 8,
          queries: [
            {
              expr: `sum by (instance) (increase(roundhouse_worker_deaths_total{${NODE}}[1d]))`,
              legend: '{{instance}}',
            },
          ],
          limits: { yellow: 1 },
        }),
        number({
          title: 'Installation',
          description: 'Whether the files of the node match its manifest.',
          unit: 'none',
          width: 8,
          queries: [byNode('roundhouse_install_verified', 'min')],
          limits: { redBelow: 1, texts: { 0: 'changed', 1: 'verified' } },
          noValue: 'no manifest',
        }),
      ],
    },
    {
      title: 'Requests',
      panels: [
        lines({
          title: 'Requests by route',
          description: 'All requests of players and operators.',
          unit: 'ops',
          stacked: true,
          queries: [
            {
              expr: `sum by (route) (rate(roundhouse_request_duration_seconds_count{${NODE}}[$__rate_interval]))`,
              legend: '{{route}}',
            },
          ],
        }),
        lines({
          title: 'Requests with an ERR_ code',
          description: 'By code and route.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (route, result) (rate(roundhouse_request_duration_seconds_count{result=~"ERR_.+",${NODE}}[$__rate_interval]))`,
              legend: '{{result}} {{route}}',
            },
          ],
          noValue: 'none',
        }),
        lines({
          title: 'Time of a play by node',
          description: 'From reading the request to its response.',
          unit: 's',
          queries: latency('roundhouse_request_duration_seconds', `route="/wallet/play",${NODE}`, 'instance'),
        }),
        lines({
          title: 'Time by route, p99',
          description: 'From reading the request to its response.',
          unit: 's',
          width: 12,
          queries: [
            {
              expr: quantile(0.99, 'roundhouse_request_duration_seconds', { by: 'route', labels: NODE }),
              legend: '{{route}}',
              exemplar: true,
            },
          ],
        }),
        lines({
          title: 'Active sessions',
          description: 'Sessions with a request to the node in the last five minutes.',
          unit: 'short',
          width: 12,
          queries: [byNode('roundhouse_sessions_active')],
        }),
      ],
    },
    {
      title: 'Processes',
      panels: [
        lines({
          title: 'Cores in use',
          description: 'Of all processes of a node: 2 is two whole cores.',
          unit: 'short',
          queries: [rateByNode('process_cpu_seconds_total')],
        }),
        lines({
          title: 'Memory',
          description: 'Resident memory of all processes of a node.',
          unit: 'bytes',
          queries: [byNode('process_resident_memory_bytes')],
        }),
        lines({
          title: 'Heap in use',
          description: 'Memory of JavaScript of all processes of a node.',
          unit: 'bytes',
          queries: [byNode('nodejs_heap_size_used_bytes')],
        }),
        lines({
          title: 'Delay of the event loop, p99',
          description: 'More than 100 ms means that a process has too much to do.',
          unit: 's',
          queries: [byNode('nodejs_eventloop_lag_p99_seconds', 'max')],
        }),
        lines({
          title: 'Workers',
          description: 'Worker processes that run.',
          unit: 'short',
          queries: [byNode('roundhouse_workers')],
        }),
        lines({
          title: 'Open descriptors',
          description: 'Connections and files of all processes of a node.',
          unit: 'short',
          queries: [byNode('process_open_fds')],
        }),
      ],
    },
    {
      title: 'Machine',
      panels: [
        lines({
          title: 'Free space of the data folder',
          description: 'Share of the disk that is free. 5 % raise DiskFilling.',
          unit: 'percentunit',
          queries: [
            {
              expr: `min by (instance) (roundhouse_data_folder_available_bytes{${NODE}} / roundhouse_data_folder_size_bytes{${NODE}})`,
              legend: '{{instance}}',
            },
          ],
        }),
        lines({
          title: 'Offset of the clock',
          description: 'How far the clocks of the node and of the database are apart. One second raises ClockOffset.',
          unit: 's',
          queries: [
            { expr: `max by (instance) (abs(roundhouse_clock_offset_seconds{${NODE}}))`, legend: '{{instance}}' },
          ],
        }),
        lines({
          title: 'Dropped log lines',
          description: 'The disk of the log is full, or what reads the log is gone or too slow.',
          unit: 'ops',
          queries: [rateByNode('roundhouse_log_lines_dropped_total')],
        }),
        lines({
          title: 'Tests of the random numbers',
          description: 'Runs of the health tests by result. A failed one stops the rounds of the node.',
          unit: 'ops',
          width: 24,
          queries: [
            {
              expr: `sum by (instance, result) (rate(roundhouse_random_tests_total{${NODE}}[$__rate_interval]))`,
              legend: '{{instance}} {{result}}',
            },
          ],
        }),
      ],
    },
  ],
});
