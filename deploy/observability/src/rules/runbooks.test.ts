import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ruleFile } from './ruleFile.ts';

const PAGE = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
const SECTION = /^## Alerts$([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(PAGE)?.[1] ?? '';
const RUNBOOKS = [...SECTION.matchAll(/^### (\w+)\n(.*?)(?=^### |$(?![\s\S]))/gms)].map(([, name = '', text = '']) => ({
  name,
  text,
}));

const alerts = ruleFile().groups.flatMap(({ rules }) => rules.flatMap((rule) => ('alert' in rule ? [rule] : [])));

it('each alert has a runbook, and each runbook an alert', () => {
  const names = new Set(alerts.map(({ alert }) => alert.replace('Roundhouse', '')));
  expect(RUNBOOKS.map(({ name }) => name).sort()).toEqual([...names].sort());
});

// apps/server/test/docs/references.test.ts looks up each command of the documents.
it.each(RUNBOOKS)('the runbook $name says what it means, its cause, what to do and when it ends', ({ text }) => {
  expect([...text.matchAll(/^- \*\*(\w+):?\*\*/gm)].map(([, part]) => part)).toEqual(['Means', 'Cause', 'Do', 'Ends']);
});

it('an alert links to its runbook', () => {
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook_url).toBe(
      `https://github.com/roundhouse-rgs/roundhouse/blob/main/docs/operations.md#${alert.replace('Roundhouse', '').toLowerCase()}`,
    );
});

it('an annotation ends as a sentence does, and a summary does not', () => {
  for (const { annotations } of alerts) {
    expect(annotations.description).toMatch(/[.]$/);
    expect(annotations.summary).not.toMatch(/[.]$/);
  }
});

it('the failed results are the refusals that a player gets as ERR_GEN, and two more', () => {
  const responses = readFileSync(
    new URL('../../../../apps/server/src/base/http/responses.ts', import.meta.url),
    'utf8',
  );
  const unserved = [...responses.matchAll(/^ {2}(\w+): \{\s*code: 'ERR_GEN'/gm)].map(([, refusal]) => refusal);
  const expr = JSON.stringify(ruleFile().groups[0]?.rules.slice(0, 2));
  const failed = [...expr.matchAll(/result=~\\"([\w|]+)\\"/g)].flatMap(([, results = '']) => results.split('|'));
  expect(failed.sort()).toEqual([...unserved, 'error', 'not_served'].sort());
});
