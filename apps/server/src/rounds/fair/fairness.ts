import type { Fairness } from '@roundhouse/contract';
import type { FairState } from '../../store/rounds/fairSeeds.ts';

/** Returns the seeds as the player sees them. */
export function fairnessOf({ serverSeedSha256, nextSha256, clientSeed, nonce }: FairState): Fairness {
  return {
    serverSeedHash: serverSeedSha256.toString('hex'),
    nextServerSeedHash: nextSha256.toString('hex'),
    clientSeed: clientSeed ?? null,
    nonce: Number(nonce),
  };
}
