// This process runs the command of an installation again and again, because a separate start costs
// each run a second of a core. Its argument is the command's script. Each line of standard input is
// one run; when it is over, both outputs say so after all that it has printed.
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const MAIN = new URL('../dist/main.js', pathToFileURL(process.argv[2]));
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Less than a test may take: the test of the run fails, and those after it have a new host. */
const LIMIT_MS = 240_000;
const streams = [process.stdout, process.stderr];
// Each run listens for these anew.
for (const emitter of [process, ...streams]) emitter.setMaxListeners(0);

/** Counts what would keep a process of the run's own alive. */
const atWork = () => process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length;

let exited;
const endHost = process.exit.bind(process);
process.exit = (code = process.exitCode ?? 0) => {
  exited ??= code;
  throw new Error('The process has ended.');
};
// In a separate process, nothing printed after process.exit would be seen.
for (const stream of streams) {
  const write = stream.write.bind(stream);
  stream.write = (...args) => exited !== undefined || write(...args);
}

async function run({ id, args, env }, idle) {
  const limit = setTimeout(() => {
    console.error(`${args.join(' ')} has not ended: ${process.getActiveResourcesInfo().join(', ')}`);
    endHost(1);
  }, LIMIT_MS).unref();
  process.argv = [process.argv[0], 'roundhouse', ...args];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  await import(`${MAIN.href}?run=${id}`);
  // A process ends when nothing is left to be done.
  while (exited === undefined && atWork() > idle) await pause(1, undefined, { ref: false });
  clearTimeout(limit);
  const code = exited ?? process.exitCode ?? 0;
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  exited = process.exitCode = undefined;
  for (const stream of streams) stream.write(`\0end ${id} ${code}\0`);
}

let idle;
for await (const line of createInterface({ input: process.stdin })) {
  idle ??= atWork();
  await run(JSON.parse(line), idle);
}
