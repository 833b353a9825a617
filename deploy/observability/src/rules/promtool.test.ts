import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { programPath } from '../programs.ts';
import { ruleFile } from './ruleFile.ts';

const FOLDER = fileURLToPath(new URL('../../', import.meta.url));
const FILES = readdirSync(`${FOLDER}tests`).filter((file) => file.endsWith('.yaml'));

async function promtool(...args: string[]) {
  const run = promisify(execFile)(programPath('promtool'), args, { cwd: FOLDER });
  return run.then(
    ({ stdout }) => stdout,
    ({ code, stdout, stderr }) => `promtool ${args.join(' ')} ended with ${code}\n${stdout}${stderr}`,
  );
}

it('promtool reads the rules', async () => {
  expect(await promtool('check', 'rules', 'rules.yaml')).toMatch(/^ {2}SUCCESS: \d+ rules found$/m);
});

it.concurrent.each(FILES)('the unit tests of tests/%s pass', async (file) => {
  expect(await promtool('test', 'rules', `tests/${file}`)).toBe(`Unit Testing:  tests/${file}\n  SUCCESS\n\n`);
});

type UnitTest = { name: string; promql_expr_test: { exp_samples?: { labels: string }[] }[] };

it('each alert has a unit test in which it fires, and one in which it nearly does', () => {
  const tests = FILES.flatMap((file): UnitTest[] => parse(readFileSync(`${FOLDER}tests/${file}`, 'utf8')).tests);
  const firing = ({ promql_expr_test }: UnitTest) =>
    promql_expr_test.flatMap(({ exp_samples = [] }) => exp_samples.map(({ labels }) => labels));
  const alerts = ruleFile().groups.flatMap(({ rules }) => rules.flatMap((rule) => ('alert' in rule ? [rule] : [])));
  const kinds = alerts.map(({ alert, labels: { severity, window } }) => ({ alert, severity, window }));
  const untested = kinds.flatMap(({ alert, severity, window }) => {
    const name = alert.replace('Roundhouse', '');
    const labels = [`alertname="${alert}"`, `severity="${severity}"`, ...(window ? [`window="${window}"`] : [])];
    const fires = tests.some(
      (test) =>
        test.name.startsWith(`${name} fires: `) &&
        firing(test).some((sample) => labels.every((label) => sample.includes(label))),
    );
    const nearly = tests.some(
      (test) => test.name.startsWith(`${name} nearly: `) && !firing(test).some((sample) => sample.includes(alert)),
    );
    return [...(fires ? [] : [`${labels} fires`]), ...(nearly ? [] : [`${name} nearly`])];
  });
  expect(untested).toEqual([]);
});
