import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { programPath } from '../programs.ts';
import { type DashboardJson, queriesOf } from '../queriesOf.ts';
import { dashboards } from './all.ts';

it.each(Object.entries(dashboards))(
  'dashboards/%s.json is what the code says, and the chart has a short copy',
  async (name, dashboard) => {
    await expect(`${JSON.stringify(dashboard, null, 2)}\n`).toMatchFileSnapshot(`../../dashboards/${name}.json`);
    await expect(JSON.stringify(dashboard)).toMatchFileSnapshot(
      `../../../helm/roundhouse/files/dashboards/${name}.json`,
    );
  },
);

it('no file is left of a dashboard that is gone', () => {
  const names = Object.keys(dashboards).map((name) => `${name}.json`);
  for (const folder of ['../../dashboards', '../../../helm/roundhouse/files/dashboards'])
    expect(readdirSync(new URL(folder, import.meta.url)).sort()).toEqual(names.sort());
});

it('promtool parses every query', async () => {
  const queries = Object.values(dashboards).flatMap((dashboard) => queriesOf(dashboard as DashboardJson));
  expect(queries.length).toBeGreaterThan(80);
  expect(queries.filter(({ expr }) => expr.includes('$'))).toEqual([]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-queries-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'queries.yaml');
  const rules = [...new Set(queries.map(({ expr }) => expr))].map((expr, index) => ({
    record: `query:${index}`,
    expr,
  }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
  const { stdout } = await promisify(execFile)(programPath('promtool'), ['check', 'rules', file]);
  expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
});

type Panel = { type: string; title: string; description?: string; fieldConfig?: { defaults: { unit?: string } } };

it.each(Object.entries(dashboards))(
  'every panel of %s has a title, a description, a unit and legends',
  (_, dashboard) => {
    const panels = (dashboard.panels as (Panel & { targets?: { legendFormat?: string }[] })[]).filter(
      ({ type }) => type !== 'row',
    );
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    for (const { title, description, fieldConfig, targets = [] } of panels) {
      expect({
        title,
        description,
        unit: fieldConfig?.defaults.unit,
        legends: targets.map((each) => each.legendFormat),
      }).toEqual({
        title: expect.stringMatching(/./),
        description: expect.stringMatching(/[.:`]$/),
        unit: expect.stringMatching(/./),
        legends: targets.map(() => expect.stringMatching(/./)),
      });
    }
  },
);

it('the variables of a dashboard are those that its queries use', () => {
  for (const { templating, panels } of Object.values(dashboards)) {
    const used = new Set(JSON.stringify(panels).match(/\$(?:cell|operator|game|currency|node)\b/g));
    const named = templating?.list?.map(({ name }) => `$${name}`).filter((name) => name !== '$datasource');
    expect([...used].sort()).toEqual(named?.sort());
  }
});
