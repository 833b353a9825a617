import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { queriesOf } from '@roundhouse/observability';
import type { Prometheus } from './prometheus.ts';

const DASHBOARDS = fileURLToPath(new URL('../../../../../deploy/observability/dashboards/', import.meta.url));

/** `points` counts the numbers of all its series; NaN and infinite values do not count. */
export type PanelRow = { dashboard: string; panel: string; expr: string; points: number; mayBeEmpty: boolean };

/** Sends every query of every dashboard, over the last seconds. */
export async function queryPanels(prometheus: Prometheus, seconds: number): Promise<PanelRow[]> {
  const rows: PanelRow[] = [];
  for (const name of (await readdir(DASHBOARDS)).filter((name) => name.endsWith('.json')).sort()) {
    const dashboard = JSON.parse(await readFile(path.join(DASHBOARDS, name), 'utf8'));
    for (const { panel, expr, mayBeEmpty } of queriesOf(dashboard, { interval: '1m', range: '1h' })) {
      const series = await prometheus.range(expr, { seconds });
      const points = series.flatMap(({ values }) => values).filter(([, value]) => Number.isFinite(Number(value)));
      rows.push({ dashboard: path.basename(name, '.json'), panel, expr, points: points.length, mayBeEmpty });
    }
  }
  return rows;
}

/** Names the panels whose queries have no data, as lines. */
export function emptyPanels(rows: readonly PanelRow[]): string[] {
  const empty = rows.filter(({ points }) => points === 0);
  return empty.map(({ dashboard, panel, expr, mayBeEmpty }) => {
    const text = `${dashboard}, ${panel}: no data of ${expr}`;
    return mayBeEmpty ? `${text} (the panel says so)` : text;
  });
}
