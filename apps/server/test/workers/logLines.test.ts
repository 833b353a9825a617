import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const LOG = new URL('../../dist/cli/log.js', import.meta.url).href;
const LINES = 10_000;

/** A process that logs as fast as it can. */
const WRITER = `
const { createLog } = await import('${LOG}');
const log = createLog({ level: 'info', pretty: false });
for (let line = 0; line < ${LINES}; line += 1) log.info({ path: '/wallet/play', line }, 'request');
`;

test('lines of several processes on one pipe stay whole, also when nobody hurries to read them', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  // dd takes small bites, so that the pipe is full all the time.
  const both =
    '{ "$0" --input-type=module -e "$1" & "$0" --input-type=module -e "$1" & "$0" --input-type=module -e "$1" & wait; } | dd bs=1000 2>/dev/null';
  const shell = spawn('/bin/sh', ['-c', both, process.execPath, WRITER], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const text = (await shell.stdout.setEncoding('utf8').toArray()).join('');
  const lines = text.trimEnd().split('\n');
  expect(lines.filter((line) => !/^\{"level":30,[^{}]*"msg":"request"\}$/.test(line))).toEqual([]);
  expect(lines).toHaveLength(3 * LINES);
});
