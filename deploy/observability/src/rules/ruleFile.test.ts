import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ruleFile } from './ruleFile.ts';

const HEAD =
  '# Prometheus rules of Roundhouse, made by deploy/observability/src/rules. Do not edit: `vitest run --project observability -u`.\n';

it('rules.yaml is what the code says, and the chart has a copy', async () => {
  const text = HEAD + stringify(ruleFile(), { lineWidth: 0 });
  await expect(text).toMatchFileSnapshot('../../rules.yaml');
  await expect(text).toMatchFileSnapshot('../../../helm/roundhouse/files/rules.yaml');
});

it('a speed divides every duration, and no name', () => {
  const text = JSON.stringify(ruleFile({ speed: 60 }));
  const found = (pattern: RegExp) => [...new Set(text.match(pattern))].sort();
  expect(found(/\[\d+[a-z]+\]/g)).toEqual([
    '[10s]',
    '[15s]',
    '[1m]',
    '[24m]',
    '[2m]',
    '[30s]',
    '[5s]',
    '[6m]',
    '[72m]',
  ]);
  expect(found(/"for":"[^"]+"/g)).toEqual([
    '"for":"10s"',
    '"for":"1s"',
    '"for":"26m"',
    '"for":"2s"',
    '"for":"30s"',
    '"for":"5s"',
  ]);
  expect(text).toContain('{state=\\"pending\\"}) > 10"');
  const names = (speed: number) =>
    ruleFile({ speed }).groups.flatMap(({ rules }) =>
      rules.map((rule) => ('record' in rule ? rule.record : rule.alert)),
    );
  expect(names(60)).toEqual(names(1));
});

it('a speed below 1 is an error', () => {
  expect(() => ruleFile({ speed: 0.5 })).toThrow(RangeError);
  expect(() => ruleFile({ speed: Number.NaN })).toThrow(RangeError);
});
