import { emptyPanels, type PanelRow } from './panels.ts';
import { type FaultRow, issuesOf } from './proveFault.ts';

/** What the players have seen, for a phase. */
export type Healthy = {
  minutes: number;
  playsPerSecond: number;
  /** The share of the best rate, which was measured before. */
  share: number;
  refused: number;
  lost: number;
  notSent: number;
  p50Ms: number;
  p99Ms: number;
  fired: string[];
};

export type Report = {
  speed: number;
  scrapeSeconds: number;
  seed: number;
  healthy: Healthy[];
  faults: FaultRow[];
  panels: PanelRow[];
  issues: string[];
};

const HEAD = ['fault', 'alert', 'severity', 'fired after s', 'within s', 'within s in production', 'ended after s'];

/** Returns all of it for a person to read. */
export function reportText({ healthy, faults, panels, issues }: Report): string {
  const parts = [
    ...healthy.map(healthyText),
    faultTable(faults),
    panels.length > 0 ? panelsText(panels) : '',
    ...issues,
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** Returns the table of the faults, one line for each alert, in Markdown. */
function faultTable(rows: readonly FaultRow[]): string {
  const seconds = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(1));
  const lines = rows.flatMap((row) =>
    row.alerts.map((alert, place) => [
      place === 0 ? row.fault : '',
      alert.alert.replace(/^Roundhouse/, ''),
      alert.severities.join(', '),
      seconds(alert.seconds),
      Math.round(alert.within).toString(),
      Math.round(alert.withinReal).toString(),
      seconds(alert.resolved),
    ]),
  );
  const widths = HEAD.map((head, column) => Math.max(head.length, ...lines.map((line) => (line[column] ?? '').length)));
  const text = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [text(HEAD), text(widths.map((width) => '-'.repeat(width))), ...lines.map(text)].join('\n');
}

export function healthyText({ minutes, playsPerSecond, share, fired, ...seen }: Healthy): string {
  const counts = `${seen.refused} refused, ${seen.lost} lost, ${seen.notSent} not sent`;
  return (
    `healthy for ${minutes} min: ${playsPerSecond.toFixed(0)} plays/s, ${Math.round(share * 100)} % of the best; ` +
    `p50 ${seen.p50Ms} ms, p99 ${seen.p99Ms} ms; ${counts}; alerts: ${fired.join(', ') || 'none'}`
  );
}

function panelsText(rows: readonly PanelRow[]): string {
  const empty = emptyPanels(rows.filter(({ mayBeEmpty }) => mayBeEmpty));
  const withData = rows.filter(({ points }) => points > 0).length;
  return [`${withData} of ${rows.length} queries of the dashboards have data; rightly empty:`, ...empty].join('\n');
}

/** Returns all that is not as it should be, as lines. */
export function allIssues({ healthy, faults, panels }: Omit<Report, 'issues'>): string[] {
  return [
    ...healthy.flatMap(({ fired }) => fired.map((alert) => `healthy: ${alert} fired`)),
    ...faults.flatMap(issuesOf),
    ...emptyPanels(panels.filter(({ mayBeEmpty }) => !mayBeEmpty)),
  ];
}
