import { describe, expect, it } from 'vitest';
import { metricsDocument } from '../../../scripts/metrics/document.ts';
import { allMetrics } from './allMetrics.ts';

it('docs/metrics.md is what the code defines (renew it with --update at the end)', async () => {
  await expect(metricsDocument(allMetrics())).toMatchFileSnapshot('../../../../../docs/metrics.md');
});

// promtool is not a package of npm, so these are the rules of `promtool check metrics`, and our
// own.
describe.each(allMetrics())('$name', ({ name, help, type, labelNames }) => {
  it('follows the conventions of Prometheus', () => {
    expect(name).toMatch(/^roundhouse_[a-z]+(_[a-z]+)*$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name).not.toMatch(/_(ms|millis|milliseconds|minutes|hours|kb|mb|percent|bucket|sum|count)(_|$)/);
    // A word for a time or a size demands its base unit as the last word, before _total.
    if (/duration|wait_|oldest|offset|timestamp|lag|age_/.test(name)) expect(name).toMatch(/_seconds(_total)?$/);
    if (/size_|bytes|available|folder/.test(name)) expect(name).toMatch(/_bytes(_total)?$/);
    expect(name).not.toContain(type);
    for (const label of labelNames) expect(label).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(labelNames).not.toContain('le');
  });

  it('has a help text of whole sentences', () => {
    expect(help).toMatch(/^[A-Z].*\.$/);
    expect(help).not.toContain('millisecond');
  });
});
