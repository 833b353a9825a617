import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** PIPE_BUF of Linux: a write of so many bytes is never in pieces. */
const WHOLE_WRITE_BYTES = 4_096;
const LINES = 1_000;

/** Logs many lines in one turn, and tells on the other stream in what pieces they were written. */
const WRITER = `
import { pino } from 'pino';
import { createLog } from '${new URL('../../dist/cli/log.js', import.meta.url).href}';
const log = createLog({ level: 'info', pretty: false });
const written = [];
log[pino.symbols.streamSym].on('write', (bytes) => written.push(bytes)).on('drain', () => console.error(JSON.stringify(written)));
for (let line = 0; line < ${LINES}; line += 1) log.info({ path: '/wallet/play', line }, 'request');
`;

test('what is logged at once is written in whole lines, so small that those of other processes cannot get into them', async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', WRITER], { cwd });
  const { stdout, stderr } = await run;
  expect(stdout.trimEnd().split('\n')).toHaveLength(LINES);
  const written: number[] = JSON.parse(stderr);
  expect(written.reduce((sum, bytes) => sum + bytes)).toBe(stdout.length);
  expect(Math.max(...written)).toBeLessThanOrEqual(WHOLE_WRITE_BYTES);
  let end = 0;
  for (const bytes of written) {
    end += bytes;
    expect(stdout[end - 1]).toBe('\n');
  }
});
