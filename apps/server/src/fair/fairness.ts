import type { Fairness } from '@roundhouse/contract';
import type { Database } from '../ledger/database.ts';
import { type FairState, readFairState, startFairSeeds } from '../ledger/queries/fairSeeds.ts';

/** Returns the seeds of the session's account; the first call makes them. */
export async function fairStateOf(db: Database, session: { sessionRowID: bigint }): Promise<FairState> {
  const { sessionRowID } = session;
  return (await readFairState(db, { sessionRowID })) ?? startFairSeeds(db, { sessionRowID });
}

/** Returns the seeds as the player sees them. */
export function fairnessOf({ serverSeedSha256, nextSha256, clientSeed, nonce }: FairState): Fairness {
  return {
    serverSeedHash: serverSeedSha256.toString('hex'),
    nextServerSeedHash: nextSha256.toString('hex'),
    clientSeed: clientSeed ?? null,
    nonce: Number(nonce),
  };
}
