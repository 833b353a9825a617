import type { BookGroup } from './statistics/bookGroups.ts';
import type { ModeStatistics } from './statistics/statistics.ts';

/**
 * An issue is one thing wrong with published math. `line` counts from 1; it is absent when the file
 * as a whole is meant.
 */
export type MathIssue = { file: string; line?: number; message: string };

/** `issues` holds the first 20 of `issueCount`. */
export type MathOutcome<T> = { ok: true; value: T } | { ok: false; issues: MathIssue[]; issueCount: number };

/** `bytesRead` and `bytesTotal` count compressed bytes of the mode's book file. */
export type LoadProgress = { mode: string; bytesRead: number; bytesTotal: number; books: number };

/** `name` is the path below the published folder, as index.json gives it. */
export type PublishedFile = { name: string; sha256: string; bytes: number };

/**
 * `payoutMultiplier` is in hundredths of the base bet: 150n pays 1.5 × the bet. `position` counts
 * from 0.
 */
export type DrawnBook = { position: number; bookID: number; payoutMultiplier: bigint };

/**
 * This is known of a book without reading it. `eventBytes` is the size of its events as published;
 * `weight` is 0 for a book that is never drawn.
 */
export type BookFacts = DrawnBook & { weight: bigint; eventBytes: number };

/**
 * Commits to the published table of a mode and to its books: `sha256` is the hash of the table's
 * file, `root` that of the Merkle tree over its rows, both in hex.
 */
export type TableCommitment = { rows: number; totalWeight: bigint; sha256: string; root: string };

/** `bookHash` is the SHA-256 of the book's events as published. */
export type ProofRow = DrawnBook & { weight: bigint; bookHash: Buffer };

/** A largest part of the tree without a proven row. */
export type ProofSibling = { weight: bigint; hash: Buffer };

export type ProofPart = { row: ProofRow; sibling?: never } | { sibling: ProofSibling; row?: never };

/** Both lists go from left to right in the table. */
export type TableProof = { drawn: ProofRow[]; siblings: ProofSibling[] };

/**
 * Puts 64 uniform random bits into `into`: high half into[0], low half into[1]. It is not a bigint,
 * because allocating one for each draw costs more than the draw itself.
 */
export type Random64 = (into: Uint32Array) => void;

export type MathPackage = {
  /** The hash in hex over the SHA-256 of index.json and of each file that it names. */
  readonly sha256: string;
  /** The keys are upper-case names, in the order of index.json. */
  readonly modes: ReadonlyMap<string, MathMode>;
  /**
   * It is false when this call read and verified the books, true when the store already had them.
   */
  readonly reopened: boolean;
  /** Closes the files. Afterwards `readEvents` throws. */
  close(): Promise<void>;
};

export type MathMode = {
  /** The name as published. */
  readonly name: string;
  /** The name in upper case, unique in the package. */
  readonly key: string;
  /** The exact decimal text of the price in base bets, such as "1.25". */
  readonly cost: string;
  readonly bookCount: number;
  /** It is 1 to 2^64−1. */
  readonly totalWeight: bigint;
  /** They are hundredths, ascending, and include those of zero-weight books. */
  readonly distinctPayouts: readonly bigint[];
  readonly files: { readonly table: PublishedFile; readonly books: PublishedFile };
  /** Draws a book with exactly its weight's probability. */
  draw(random: Random64): DrawnBook;
  /**
   * Returns the first book whose cumulative weight is above `ticket`, as {@link draw} does. Throws
   * RangeError for a ticket that is not 0 to totalWeight − 1.
   */
  at(ticket: bigint): DrawnBook;
  readonly commitment: TableCommitment;
  /**
   * Proves that the rows at `positions`, ascending and distinct, are in the committed table, and
   * which tickets they have. Throws RangeError for other positions.
   */
  proof(positions: readonly number[]): TableProof;
  /**
   * Gives the same proof in parts, from left to right, each made when it is asked for. So a long
   * proof holds nothing up. The last step throws when the tree is damaged in the store.
   */
  proofParts(positions: readonly number[]): IterableIterator<ProofPart>;
  find(bookID: number): DrawnBook | undefined;
  /**
   * Gives every book in the order of its position, made as it is read: 1,000,000 take a fraction of
   * a second and no memory.
   */
  books(): IterableIterator<BookFacts>;
  /**
   * Reads the bytes of the book's `events` array exactly as published, in one positioned read.
   * Throws RangeError for a position outside 0 to bookCount−1, and the I/O error otherwise. It is
   * synchronous, because the books that are played lie in the system's page cache: there a read
   * takes 3 µs of processor time, and 16 µs when another thread does it. A read from the disk holds
   * up the process: about 50 µs on a local disk, milliseconds on a slow one or across a network.
   */
  readEvents(position: number): Buffer;
  /**
   * Gives at most `most` groups of consecutive books, each with a probability of at least 1/most.
   */
  groups(most: number): BookGroup[];
  /** The first call computes them, and later ones find them. */
  statistics(): ModeStatistics;
};

/** Tuning needs this of a mode. */
export type TunableMode = Pick<
  MathMode,
  'cost' | 'bookCount' | 'totalWeight' | 'distinctPayouts' | 'books' | 'statistics'
>;
