import { parentPort, workerData } from 'node:worker_threads';
import { openStoredMath } from '../read/openMath.ts';
import { DRAWS_PER_CHUNK, type DrawJob } from './drawRounds.ts';
import { createCryptoRandom, seededRandom64 } from './random.ts';

const { storeFolder, sha256, mode, rounds, seed, counts, nextChunk } = workerData as DrawJob;
const opened = await openStoredMath({ storeFolder, sha256 });
if (!opened.ok) throw new Error(opened.issues.map(({ file, message }) => `${file}: ${message}`).join('\n'));
const math = opened.value.modes.get(mode);
if (math === undefined) throw new RangeError(`there is no mode ${mode}`);

const cryptoRandom = createCryptoRandom();
for (;;) {
  const chunk = Atomics.add(nextChunk, 0, 1);
  const size = Math.min(DRAWS_PER_CHUNK, rounds - chunk * DRAWS_PER_CHUNK);
  if (size <= 0) break;
  const random = seed === undefined ? cryptoRandom : seededRandom64({ stream: seed, round: chunk });
  for (let draw = 0; draw < size; draw += 1) {
    const { position } = math.draw(random);
    counts[position] = (counts[position] as number) + 1;
  }
  parentPort?.postMessage(size);
}
await opened.value.close();
