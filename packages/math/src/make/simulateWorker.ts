import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { type PlayRound, payoutOf, ROUNDS_PER_CHUNK, type SimulateJob } from './simulate.ts';

const { module, mode, rounds, stream, payouts, nextChunk } = workerData as SimulateJob;
// A thread of Node 20 does not inherit the loader of a process that tsx has started.
const loadsTypeScript = Boolean((process.features as { typescript?: unknown }).typescript);
const needsLoader = /\.m?tsx?$/.test(new URL(module).pathname) && !loadsTypeScript;
if (needsLoader) register(tsxOf(module), { data: {} });
const { simulate } = (await import(module)) as { simulate?: PlayRound };
if (typeof simulate !== 'function') throw new TypeError(`${module} exports no function "simulate"`);

for (;;) {
  const start = Atomics.add(nextChunk, 0, 1) * ROUNDS_PER_CHUNK;
  if (start >= rounds) break;
  const end = Math.min(start + ROUNDS_PER_CHUNK, rounds);
  for (let round = start; round < end; round += 1) payouts[round] = payoutOf(simulate, { mode, stream, round });
  parentPort?.postMessage(end - start);
}

/** Finds the loader in the project of the module. */
function tsxOf(address: string): string {
  try {
    return pathToFileURL(createRequire(address).resolve('tsx/esm')).href;
  } catch (cause) {
    throw new Error(`${address}: Node ${process.versions.node} loads TypeScript with the package tsx only`, { cause });
  }
}
