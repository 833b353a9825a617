import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/roundhouse.ts';
import { scriptError } from './scriptError.ts';

const root = await temporaryFolder('script');
const rules = path.join(root, 'rules.mjs');

const write = (...lines: string[]) => writeFileSync(rules, lines.join('\n'));
const errorOf = (printed: string) => scriptError(printed, { root, script: 'rules.mjs' });
/** Returns what Node really prints. */
const run = () => spawnSync(process.execPath, [rules], { encoding: 'utf8' }).stderr;

it('a syntax error that tsx reports has its place, without the calls of Node and esbuild', () => {
  write('export const REELS = 5;', '', 'export const X = = 3;', '', 'export const ROWS = 3;', 'not shown');
  const printed = [
    ...['node:internal/modules/run_main:123', '    triggerUncaughtException(', '    ^'],
    'Error [TransformError]: Transform failed with 1 error:',
    `${rules}:3:17: ERROR: Unexpected "="`,
    `    at failureErrorWithLog (${root}/node_modules/esbuild/lib/main.js:1752:15)`,
    '    at Socket.emit (node:events:524:28)',
    ...['', 'Node.js v20.20.2'],
  ].join('\n');
  expect(errorOf(printed)).toEqual({
    message: 'rules.mjs failed.\nSyntaxError: Unexpected "="',
    stack: '',
    loc: { file: rules, line: 3, column: 18 },
    frame: [
      '1  |  export const REELS = 5;',
      '2  |  ',
      '3  |  export const X = = 3;',
      '   |                   ^',
      '4  |  ',
      '5  |  export const ROWS = 3;',
    ].join('\n'),
  });
});

it('a syntax error that Node reports has its place', () => {
  write('const good = 1;', '\tconst bad = = 3;');
  expect(errorOf(run())).toEqual({
    message: expect.stringMatching(/^rules\.mjs failed\.\nSyntaxError: .*'='$/),
    stack: '',
    loc: { file: rules, line: 2, column: 14 },
    frame: '1  |  const good = 1;\n2  |  \tconst bad = = 3;\n   |  \t            ^',
  });
});

it('an error at run time has the place that threw it, all of its message, and the calls of the project', () => {
  write(
    ...['function deep() {', "  throw new RangeError('too many\\nreels: 9');", '}'],
    ...['const outer = () => deep();', 'outer();'],
  );
  const { message, stack, loc, frame } = errorOf(run());
  expect(message).toBe('rules.mjs failed.\nRangeError: too many\nreels: 9');
  expect(loc).toEqual({ file: rules, line: 2, column: 9 });
  expect(frame).toContain("2  |    throw new RangeError('too many\\nreels: 9');\n   |          ^\n3  |  }");
  const calls = (stack ?? '').split('\n').map((line) => line.trim().replace(rules, 'rules.mjs'));
  expect(calls).toEqual([
    'at deep (rules.mjs:2:9)',
    'at outer (rules.mjs:4:21)',
    expect.stringMatching(/^at (rules\.mjs:5:1|.* \(rules\.mjs:5:1\))$/),
  ]);
});

it.each([
  ['of a command that is not there', 'sh: 1: python3: not found'],
  ['of another language', 'Traceback (most recent call last):\n  File "reels.py", line 3\nNameError: reels'],
  ['outside the project', 'TypeError: no\n    at run (/elsewhere/tool.js:1:2)'],
])('an error %s is shown as it was printed', (_, printed) => {
  expect(errorOf(printed)).toEqual({ message: `rules.mjs failed.\n${printed}`, stack: '' });
});
