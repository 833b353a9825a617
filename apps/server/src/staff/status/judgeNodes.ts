import { bytesText, counted } from '../../base/terminal/units.ts';
import type { NodeFacts } from './askNode.ts';
import type { Finding } from './finding.ts';
import type { NodeMetrics } from './nodeMetrics.ts';
import type { Facts, Stored } from './readFacts.ts';
import { severityOf, THRESHOLDS } from './thresholds.ts';

/** Do the nodes serve players, and does somebody keep them from it? */
export function judgeNodes(facts: Facts, before?: Facts): Finding[] {
  const { nodes, database } = facts;
  const isServed = nodes.some(({ isReady }) => isReady);
  const ofNodes = nodes.flatMap((node) => {
    const earlier = before?.nodes.find(({ url }) => url === node.url)?.metrics ?? undefined;
    return [...readyFindings(node, isServed), ...metricsFindings(node, earlier)];
  });
  const stored = 'issue' in database ? undefined : database.stored;
  const failing = new Set(stored?.outages.map(({ operator }) => operator));
  return [...ofNodes, ...pausedFindings(nodes, failing), ...maintenanceFindings(stored?.maintenance ?? [])];
}

/** One node that does not serve is a warning while another one does. */
function readyFindings({ url, isReady, reason, issue, metrics }: NodeFacts, isServed: boolean): Finding[] {
  const severity = isServed ? 'warning' : 'critical';
  const about = { severity, question: 'players', cause: `node ${url}`, command: `curl -sS ${url}/readyz` } as const;
  if (isReady === null) return [{ ...about, id: 'node-away', text: `${url} does not respond: ${issue}` }];
  // The cause of stopped rounds is a separate finding.
  if (isReady || (metrics !== null && metrics.roundStops.length > 0)) return [];
  return [{ ...about, id: 'node-not-ready', text: `${url} is not ready: ${reason}` }];
}

function metricsFindings({ url, isReady, metrics, metricsIssue }: NodeFacts, before?: NodeMetrics): Finding[] {
  const about = { question: 'players', cause: `node ${url}` } as const;
  const findings: Finding[] = [];
  if (metrics === null) {
    if (isReady === null) return findings;
    const text = `the metrics of ${url} cannot be read: ${metricsIssue}`;
    return [{ ...about, id: 'no-metrics', severity: 'warning', text, command: `curl -sS ${url}/metrics` }];
  }
  if (metrics.roundStops.length > 0) {
    const text = `${url} opens no rounds: ${metrics.roundStops.join(', ')}`;
    const command = 'roundhouse audit list --limit 20';
    findings.push({ ...about, id: 'rounds-stopped', severity: 'critical', text, command });
  }
  if (metrics.installVerified === false) {
    const text = `the installation of ${url} does not match its manifest`;
    const command = 'roundhouse audit list --kind install_mismatch --limit 5';
    findings.push({ ...about, id: 'install-mismatch', severity: 'critical', question: 'money', text, command });
  }
  const offset = Math.abs(metrics.clockOffsetSeconds ?? 0);
  if (offset > THRESHOLDS.clockOffsetSeconds) {
    const text = `the clocks of ${url} and of the database differ by ${offset.toFixed(3)} s`;
    findings.push({ ...about, id: 'clock-offset', severity: 'warning', text, command: 'timedatectl timesync-status' });
  }
  if (metrics.databaseWritable === false) {
    const text = `${url} finds no database that takes writes`;
    const command = 'roundhouse audit list --kind database_changed --limit 5';
    findings.push({ ...about, id: 'no-writer', severity: 'critical', cause: 'database', text, command });
  }
  return [...findings, ...diskFindings(url, metrics), ...growthFindings(url, metrics, before)];
}

function diskFindings(url: string, { dataFolder }: NodeMetrics): Finding[] {
  if (dataFolder === null || dataFolder.sizeBytes === 0) return [];
  const { availableBytes: free, sizeBytes } = dataFolder;
  const { warning, critical } = THRESHOLDS.diskFree;
  const severity = severityOf(-free / sizeBytes, { warning: -warning, critical: -critical });
  if (severity === undefined) return [];
  const text = `the disk of ${url} has ${bytesText(free)} of ${bytesText(sizeBytes)} left for the data folder`;
  return [
    { id: 'disk', severity, question: 'players', cause: `node ${url}`, text, command: 'df -h "$ROUNDHOUSE_DATA"' },
  ];
}

/** A counter that has fallen is that of a node that has started again. */
function growthFindings(url: string, now: NodeMetrics, before?: NodeMetrics): Finding[] {
  if (before === undefined) return [];
  const about = { severity: 'warning', question: 'players', cause: `node ${url}` } as const;
  const [overloads, lines] = [now.overloads - before.overloads, now.logLinesDropped - before.logLinesDropped];
  const findings: Finding[] = [];
  if (overloads > 0) {
    const text = `${url} has refused ${counted(overloads, 'request')} since the last look, because too many wait`;
    findings.push({ ...about, id: 'overload', text, command: `curl -sS ${url}/metrics | grep overloads` });
  }
  if (lines > 0) {
    const text = `${url} has dropped ${counted(lines, 'line')} of its log since the last look`;
    findings.push({ ...about, id: 'log-lines-dropped', text, command: 'df -h' });
  }
  return findings;
}

/** The log of events has the wallets that are known to fail. */
function pausedFindings(nodes: readonly NodeFacts[], failing: ReadonlySet<string>): Finding[] {
  const operators = new Set(nodes.flatMap(({ metrics }) => metrics?.walletsPaused ?? []));
  return [...operators]
    .filter((operator) => !failing.has(operator))
    .map((operator) => ({
      id: 'wallet-paused',
      severity: 'warning',
      question: 'players',
      cause: `wallet of ${operator}`,
      text: `requests to the wallet of ${operator} are paused: the last ones failed`,
      command: `roundhouse audit list --subject "operator ${operator}" --limit 5`,
    }));
}

/** Maintenance of a game is everyday work: the facts show it. */
function maintenanceFindings(switches: Stored['maintenance']): Finding[] {
  return switches
    .filter(({ scope }) => scope !== 'game')
    .map(({ scope, target, level }) => ({
      id: 'maintenance',
      severity: 'warning',
      question: 'players',
      cause: 'maintenance by a person',
      text: `maintenance of ${scope === 'server' ? 'the server' : `${scope} ${target}`} is on: ${level.replaceAll('_', '-')}`,
      command: 'roundhouse maintenance list',
    }));
}
