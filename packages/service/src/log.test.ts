import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const LINES = 1_000;
const WRITERS = 4;

/** Logs many lines in one turn, says on the other stream how many were dropped, and ends. */
const writer = (lines: number) => `
import { createLog, droppedLogLines } from '@roundhouse/service';
const log = createLog({ level: 'info', pretty: false });
for (let line = 0; line < ${lines}; line += 1) log.info({ writer: process.pid, route: '/wallet/play', line }, 'request');
process.on('exit', () => process.stderr.write(String(droppedLogLines())));
`;
const args = (lines: number) => ['--input-type=module', '--eval', writer(lines)];
const cwd = fileURLToPath(new URL('..', import.meta.url));

it('the lines of several processes on one pipe stay whole and in order, however slow its reader is', async () => {
  const script = `for each in ${Array.from({ length: WRITERS }, (_, index) => index).join(' ')}; do "$0" "$@" & done; wait`;
  const command = ['-c', script, process.execPath, ...args(LINES)];
  const shell = spawn('sh', command, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const piece of shell.stdout.setEncoding('utf8')) {
    text += piece;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const lines: { writer: number; line: number }[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(WRITERS * LINES);
  const writers = new Set(lines.map(({ writer }) => writer));
  expect(writers.size).toBe(WRITERS);
  for (const each of writers) {
    const own = lines.filter(({ writer }) => writer === each).map(({ line }) => line);
    expect(own).toEqual(Array.from({ length: LINES }, (_, index) => index));
  }
});

it('a text of a client is in the log with codes for what controls a terminal, and is the same text', async () => {
  const playerID = 'a\u001b[31m\nb\u009b2J\u202e\u2028c';
  const script = `
import { createLog } from '@roundhouse/service';
createLog({ level: 'info', pretty: false }).info({ playerID: ${JSON.stringify(playerID)} }, 'launch');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  for await (const piece of child.stdout.setEncoding('utf8')) text += piece;
  expect(text).toMatch(/^[^\p{Cc}\u2028\u202e]+\n$/u);
  expect(JSON.parse(text).playerID).toBe(playerID);
});

it('of what a reader does not take a bounded part waits, and the end of the process does not wait for it', async () => {
  const many = 50_000;
  const child = spawn('sh', ['-c', `"$0" "$@" | sleep 60`, process.execPath, ...args(many)], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const [dropped] = await once(child.stderr.setEncoding('utf8'), 'data');
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  expect(Number(dropped)).toBeGreaterThan(many / 2);
});
