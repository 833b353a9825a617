import { FAIRNESS_ROUTES, type Fairness, type RevealedSeed } from '@roundhouse/contract';
import { type FairDocument, type FairRound, verify } from '@roundhouse/fair';

const { clientSeed: CLIENT_SEED, rotate: ROTATE, proof: PROOF, export: EXPORT } = FAIRNESS_ROUTES;
const PATHS: ReadonlySet<string> = new Set(Object.values(FAIRNESS_ROUTES).map(({ path }) => path));
const MOST_REVEALED = 50;

/** A round was drawn in this seed period, from 0, with this nonce. */
export type FairPlace = { period: number; nonce: number };
/** Holds what the bodies of all fairness routes have. */
export type FairSent = { clientSeed: string; serverSeedHash: string; betID: number };
/** A round as a proof shows it. The server numbers the tables. */
type ProvenRound = Omit<FairRound, 'table'> & { place: FairPlace; isOpen: boolean };

export const isFairnessPath = (path: string): boolean => PATHS.has(path);

/**
 * Predicts the seeds of one account. The server chooses the server seeds, so their hashes are
 * learned from its responses.
 */
export function createFairModel() {
  let [clientSeed, nonce]: [string | null, number] = [null, 0];
  let hash: string | undefined;
  let proven = 0;
  const revealed: { serverSeedHash: string; nonces: number }[] = [];
  const periodOf = (serverSeedHash: string) => revealed.findIndex((each) => each.serverSeedHash === serverSeedHash);

  /** Returns the seeds as a response must show them, and learns the hash. */
  function seedsOnWire(shown: Fairness | undefined): Fairness {
    if (shown === undefined) throw new Error('a session with fair draws is shown no seeds');
    hash ??= shown.serverSeedHash;
    return { ...shown, serverSeedHash: hash, clientSeed, nonce };
  }

  /** Returns what is in the document, once the verifier has found nothing wrong in it. */
  function verified(document: FairDocument, rounds: readonly ProvenRound[]): Partial<FairDocument> {
    const { issues } = verify(document);
    if (issues[0] !== undefined) throw new Error(`the proof is wrong: ${issues[0].kind}: ${issues[0].message}`);
    const shown = document.rounds;
    proven += rounds.length;
    return {
      rounds: rounds.map(({ place, isOpen: _, ...round }, index) => {
        return { ...round, nonce: place.nonce, table: shown[index]?.table } as FairRound;
      }),
    };
  }

  return {
    seedsOnWire,
    provenRounds: () => proven,
    hasClientSeed: () => clientSeed !== null,
    /** They stand for `{serverSeedHash}` and `{revealedHash}` in a request. */
    currentHash: () => hash,
    revealedHash: () => revealed.at(-1)?.serverSeedHash,

    /** A round that is stored takes the next nonce. */
    take(): FairPlace {
      nonce += 1;
      return { period: revealed.length, nonce: nonce - 1 };
    },

    /** Returns whether the request succeeds. */
    isTaken(path: string, sent: FairSent, rounds: readonly ProvenRound[]): boolean {
      const isResting = rounds.every(({ isOpen }) => !isOpen);
      const isRevealed = periodOf(sent.serverSeedHash) >= 0;
      if (path === CLIENT_SEED.path) return isResting || sent.clientSeed === clientSeed;
      if (path === ROTATE.path) return isRevealed || (isResting && nonce > 0 && sent.serverSeedHash === hash);
      if (path === PROOF.path) return rounds.some(({ betID, isOpen }) => betID === sent.betID && !isOpen);
      return path !== EXPORT.path || isRevealed;
    },

    /** Applies a request that succeeded; returns the members that its response may have. */
    succeed(path: string, sent: FairSent, shown: any, rounds: readonly ProvenRound[]): Record<string, unknown> {
      if (path === PROOF.path)
        return verified(
          shown,
          rounds.filter(({ betID }) => betID === sent.betID),
        );
      if (path === EXPORT.path) {
        const period = periodOf(sent.serverSeedHash);
        const { nonces } = revealed[period] as { nonces: number };
        return {
          ...verified(
            shown,
            rounds.filter(({ place }) => place.period === period),
          ),
          nonces,
        };
      }
      if (path === CLIENT_SEED.path) clientSeed = sent.clientSeed;
      if (path === ROTATE.path && periodOf(sent.serverSeedHash) < 0) {
        revealed.push({ serverSeedHash: sent.serverSeedHash, nonces: nonce });
        [clientSeed, nonce, hash] = [sent.clientSeed, 0, undefined];
      }
      const fairness = seedsOnWire(shown.fairness);
      if (path === ROTATE.path)
        return { fairness, revealed: { ...shown.revealed, ...revealed[periodOf(sent.serverSeedHash)] } };
      const newest = revealed.slice(-MOST_REVEALED).reverse();
      const seeds: RevealedSeed[] = shown.revealed ?? [];
      return { fairness, revealed: newest.map((each, index) => ({ ...seeds[index], ...each })) };
    },
  };
}
