import type { FORMAT } from './ticket.ts';

/**
 * A row that rounds have drawn: position from 0, id, weight, payout multiplier in hundredths,
 * SHA-256 of the book. `check` is not part of the proof: it is the first 8 digits of the hash of
 * the leaf, so that a report can name the row that was changed. Without it the report names the
 * table.
 */
export type DrawnRow = [
  position: number,
  id: number,
  weight: string,
  payoutMultiplier: string,
  bookHash: string,
  check?: string,
];

/** No row of this part of the tree was drawn: it has the sum of its weights, and its hash. */
export type Sibling = [weight: string, hash: string];

/** The proof needs this of the table of a mode. Weights are decimal text. */
export type FairTable = {
  game: string;
  version: string;
  mode: string;
  rows: number;
  totalWeight: string;
  /** The published file of the lookup table has this SHA-256. */
  sha256: string;
  /** It commits to the rows and their books. */
  root: string;
  /** Each drawn row is here once, ascending by position. */
  drawn: DrawnRow[];
  /** They go from left to right. */
  siblings: Sibling[];
};

/** Amounts are micros. A void round shows no outcome. */
export type FairRound = {
  nonce: number;
  betID: number;
  /** A place in `tables`. */
  table: number;
  amount: number;
} & (
  | { payout: number; bookID: number; payoutMultiplier: string; void?: never }
  | { void: true; payout?: never; bookID?: never; payoutMultiplier?: never }
);

/** The proof of one round, or the export of all rounds under a server seed. */
export type FairDocument = {
  format: typeof FORMAT;
  /** The SHA-256 of the server seed, known before the first play under it. */
  serverSeedHash: string;
  /** 64 hexadecimal digits; null until it is revealed. */
  serverSeed: string | null;
  /** The server seed has this many nonces; null in the proof of one round. */
  nonces: number | null;
  /** A client seed holds from this nonce on, up to the next one. */
  clientSeeds: { from: number; clientSeed: string }[];
  tables: FairTable[];
  /** They ascend by nonce, and so by betID. */
  rounds: FairRound[];
  /** The proof of a completed round has the events of its book here, as they were published. */
  book?: string;
};
