import { parentPort, workerData } from 'node:worker_threads';
import { type PlayRound, payoutOf, ROUNDS_PER_CHUNK, type SimulateJob } from './simulate.ts';

const { module, mode, rounds, stream, payouts, nextChunk } = workerData as SimulateJob;
const { simulate } = (await import(module)) as { simulate?: PlayRound };
if (typeof simulate !== 'function') throw new TypeError(`${module} exports no function "simulate"`);

for (;;) {
  const start = Atomics.add(nextChunk, 0, 1) * ROUNDS_PER_CHUNK;
  if (start >= rounds) break;
  const end = Math.min(start + ROUNDS_PER_CHUNK, rounds);
  for (let round = start; round < end; round += 1) payouts[round] = payoutOf(simulate, { mode, stream, round });
  parentPort?.postMessage(end - start);
}
