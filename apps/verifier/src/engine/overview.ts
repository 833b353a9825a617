import type { FairDocument, Report, VerifyOptions } from '@roundhouse/fair';

/** What the player noted before playing: hexadecimal digits in lower case. */
export type Expected = NonNullable<VerifyOptions['expected']>;

/** What the page says about a document as a whole. Amounts are micros. */
export type Overview = {
  report: Report;
  /** The player had noted something before, and it was compared. */
  isCompared: boolean;
  /** The proof of one round, or all rounds of a seed period. */
  isProof: boolean;
  serverSeedHash: string;
  isRevealed: boolean;
  clientSeeds: number;
  tables: { name: string; rows: number; sha256: string; root: string }[];
  rounds: number;
  bets: bigint;
  payouts: bigint;
};

/** Sums up a document whose form was found good. Void rounds have neither a bet nor a payout. */
export function overviewOf(document: FairDocument, report: Report, expected: Expected): Overview {
  let [bets, payouts] = [0n, 0n];
  for (const round of document.rounds) {
    if (round.void) continue;
    bets += BigInt(round.amount);
    payouts += BigInt(round.payout);
  }
  return {
    report,
    isCompared: Object.keys(expected).length > 0,
    isProof: document.nonces === null,
    serverSeedHash: document.serverSeedHash,
    isRevealed: document.serverSeed !== null,
    clientSeeds: document.clientSeeds.length,
    tables: document.tables.map(({ game, version, mode, rows, sha256, root }) => ({
      ...{ name: `${game} ${version}, mode ${mode}`, rows, sha256, root },
    })),
    rounds: document.rounds.length,
    bets,
    payouts,
  };
}
