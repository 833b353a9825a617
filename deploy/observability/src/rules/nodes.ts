import { alert, type Rule, type RuleContext, type RuleGroup } from './rule.ts';
import { DAY, HOUR, MINUTE } from './times.ts';

/** The job of Prometheus that scrapes the nodes. */
const JOB = 'roundhouse';
/** The job that scrapes the launch routers of a fleet; it may be missing. */
const ROUTER_JOB = 'roundhouse-router';
/** The job of node_exporter on the machines of nodes and databases; it may be missing. */
const HOSTS_JOB = 'roundhouse-hosts';

/** Are the nodes well? */
export function nodeAlerts(context: RuleContext): RuleGroup {
  const { times } = context;
  return {
    name: 'roundhouse-nodes',
    rules: [
      { record: 'roundhouse:nodes:count', expr: `count by (cell) (up{job="${JOB}"})` },
      alert(context, {
        name: 'NodeDown',
        severity: 'page',
        expr: `up{job="${JOB}"} == 0`,
        forSeconds: MINUTE,
        summary: '{{ $labels.instance }} is down',
        description: 'Prometheus gets no metrics from it. The other nodes serve its players.',
      }),
      alert(context, {
        name: 'RouterDown',
        severity: 'page',
        expr: `up{job="${ROUTER_JOB}"} == 0`,
        forSeconds: MINUTE,
        summary: 'The launch router {{ $labels.instance }} is down',
        description: 'Prometheus gets no metrics from it. Other routers send the requests of operators on.',
      }),
      alert(context, {
        name: 'NodeMissing',
        severity: 'page',
        expr: `absent(up{job="${JOB}"})`,
        forSeconds: 5 * MINUTE,
        summary: 'Prometheus knows no node at all',
        description: `There is no target with the job "${JOB}", so no other alert can fire.`,
      }),
      alert(context, {
        name: 'NodeMissing',
        severity: 'ticket',
        // The median passes over the minutes in which an update runs old and new nodes.
        expr: `roundhouse:nodes:count < quantile_over_time(0.5, roundhouse:nodes:count[${times.range(HOUR)}])`,
        forSeconds: 10 * MINUTE,
        summary: 'There are only {{ $value }} nodes, fewer than an hour ago',
        description: 'A node is no target of Prometheus any more, and was one for most of the last hour.',
      }),
      alert(context, {
        name: 'NodeMissing',
        severity: 'page',
        window: 'cell',
        expr: `0 * quantile_over_time(0.5, roundhouse:nodes:count{cell!=""}[${times.range(HOUR)}]) unless roundhouse:nodes:count`,
        forSeconds: 5 * MINUTE,
        summary: 'Prometheus knows no node of this cell any more',
        description: 'Its nodes are no targets, and were in the last hour. So no other alert of the cell can fire.',
      }),
      alert(context, {
        name: 'WorkersDying',
        severity: 'ticket',
        expr: `sum by (cell, instance) (increase(roundhouse_worker_deaths_total[${times.range(30 * MINUTE)}])) >= 2`,
        summary: 'Workers of {{ $labels.instance }} die',
        description: '{{ printf "%.0f" $value }} died in half an hour. The node starts each of them again.',
      }),
      alert(context, {
        name: 'RoundsStopped',
        severity: 'page',
        expr: 'max by (cell, instance, reason) (roundhouse_round_stops) > 0',
        summary: '{{ $labels.instance }} opens no new rounds: {{ $labels.reason }}',
        description: 'Open rounds can be finished. Its /readyz is 503, so a proxy sends players to the other nodes.',
      }),
      alert(context, {
        name: 'ClockOffset',
        severity: 'ticket',
        expr: 'abs(roundhouse_clock_offset_seconds) > 1',
        forSeconds: 5 * MINUTE,
        summary: 'The clocks of {{ $labels.instance }} and of the database differ by {{ $value | humanizeDuration }}',
        description: 'GLI-19 2.2.2 allows one second.',
      }),
      alert(context, {
        name: 'LogLinesDropped',
        severity: 'ticket',
        expr: `sum by (cell, instance) (increase(roundhouse_log_lines_dropped_total[${times.range(10 * MINUTE)}])) > 0`,
        summary: '{{ $labels.instance }} has dropped log lines: {{ printf "%.0f" $value }}',
        description: 'The disk of the log is full, or what reads the log is gone or too slow.',
      }),
      ...diskFilling(context),
    ],
  };
}

function diskFilling(context: RuleContext): Rule[] {
  const { times } = context;
  const hosts = `{job="${HOSTS_JOB}",fstype!~"tmpfs|ramfs|overlay|squashfs|iso9660"}`;
  const disks = [
    ['roundhouse_data_folder_available_bytes', 'roundhouse_data_folder_size_bytes'],
    [`node_filesystem_avail_bytes${hosts}`, `node_filesystem_size_bytes${hosts}`],
  ] as const;
  return [
    alert(context, {
      name: 'DiskFilling',
      severity: 'page',
      expr: disks.map(([free, size]) => `${free} / ${size} < 0.05`).join('\nor '),
      forSeconds: MINUTE,
      summary: '{{ $value | humanizePercentage }} of a disk of {{ $labels.instance }} is free',
      description: 'It is the disk of the data folder{{ with $labels.mountpoint }}, or {{ . }}{{ end }}.',
    }),
    alert(context, {
      name: 'DiskFilling',
      severity: 'ticket',
      expr: disks
        .map(
          ([free, size]) => `(
  ${free} / ${size} < 0.2
  and predict_linear(${free}[${times.range(6 * HOUR)}], ${times.seconds(DAY)}) < 0
)`,
        )
        .join('\nor '),
      forSeconds: 30 * MINUTE,
      summary: 'A disk of {{ $labels.instance }} will be full within a day',
      description: '{{ $value | humanizePercentage }} of it is free{{ with $labels.mountpoint }} ({{ . }}){{ end }}.',
    }),
  ];
}
