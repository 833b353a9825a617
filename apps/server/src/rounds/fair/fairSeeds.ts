import { createHash, randomBytes } from 'node:crypto';
import { type Outcome, refused } from '../../base/refusal.ts';
import type { Database } from '../../store/database/database.ts';
import { type SecretKeys, serverSeedOwner } from '../../store/database/secretKeys.ts';
import {
  type FairState,
  insertFairSeeds,
  type NewServerSeed,
  type OfPlayer,
  type OfSession,
  ownerOfSession,
  putNextSeed,
  type RevealedServerSeed,
  type Rotation,
  readFairState,
  readRevealed,
  SERVER_SEED_BYTES,
  setClientSeed,
} from '../../store/rounds/fairSeeds.ts';

/**
 * Makes the first server seed of the session's account, and the one after it, unless there are
 * some. Callers at once get the same ones.
 * @throws SecretKeyError when there is no key to encrypt them with.
 */
export async function startFairSeeds(db: Database, { sessionRowID }: OfSession): Promise<FairState> {
  const known = await readFairState(db, { sessionRowID });
  if (known !== undefined) return known;
  const { playerID, accountID } = await ownerOfSession(db, { sessionRowID });
  const newSeed = () => newServerSeed(db.secretKeys, accountID);
  await insertFairSeeds(db, { playerID, sessionRowID }, [newSeed(), newSeed()]);
  const state = await readFairState(db, { sessionRowID });
  if (state === undefined) throw new Error(`the account of session ${sessionRowID} got no seeds`);
  return state;
}

/**
 * Sets the client seed, for the next play on. The same one again changes nothing. Refused while a
 * round of the account is open.
 */
export async function changeClientSeed(
  db: Database,
  { clientSeed, ...player }: OfPlayer & { clientSeed: string },
): Promise<Outcome<{ state: FairState }>> {
  let outcome = await setClientSeed(db, player, clientSeed);
  if (outcome === 'unstarted') {
    await startFairSeeds(db, player);
    outcome = await setClientSeed(db, player, clientSeed);
  }
  if (outcome !== 'changed') return refused(outcome);
  return { ok: true, state: await startFairSeeds(db, player) };
}

/**
 * Reveals the server seed in use, and replaces it with the committed next one. A seed that was
 * revealed before is returned again, and nothing changes. Refused while a round of the account is
 * open, and with seed_unused before the first play under the seed in use.
 */
export async function rotateFairSeeds(
  db: Database,
  rotation: Rotation,
): Promise<Outcome<{ revealed: RevealedServerSeed; state: FairState }>> {
  const { accountID } = await startFairSeeds(db, rotation);
  const outcome = await putNextSeed(db, rotation, newServerSeed(db.secretKeys, accountID));
  if (outcome !== 'revealed') return refused(outcome);
  const { serverSeedSha256 } = rotation;
  const [revealed] = await readRevealed(db, { accountID, serverSeedSha256, limit: 1 });
  if (revealed === undefined) throw new Error('a server seed that was just revealed is missing');
  return { ok: true, revealed, state: await startFairSeeds(db, rotation) };
}

function newServerSeed(keys: SecretKeys, accountID: bigint): NewServerSeed {
  const seed = randomBytes(SERVER_SEED_BYTES);
  return {
    sha256: createHash('sha256').update(seed).digest(),
    sealed: keys.seal(seed.toString('hex'), serverSeedOwner(accountID)),
  };
}
