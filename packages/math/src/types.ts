import type { BookGroup } from './statistics/bookGroups.ts';
import type { ModeStatistics } from './statistics/statistics.ts';

/**
 * One thing wrong with published math. `line` counts from 1; absent when the file as a whole is
 * meant.
 */
export type MathIssue = { file: string; line?: number; message: string };

/** `issues` holds the first 20 of `issueCount`. */
export type MathOutcome<T> = { ok: true; value: T } | { ok: false; issues: MathIssue[]; issueCount: number };

/** `bytesRead` and `bytesTotal` count compressed bytes of the mode's book file. */
export type LoadProgress = { mode: string; bytesRead: number; bytesTotal: number; books: number };

/** `name` is the path below the published folder, as index.json gives it. */
export type PublishedFile = { name: string; sha256: string; bytes: number };

/**
 * `payoutMultiplier` in hundredths of the base bet: 150n pays 1.5 × the bet. `position` counts from
 * 0.
 */
export type DrawnBook = { position: number; bookID: number; payoutMultiplier: bigint };

/**
 * What is known of a book without reading it. `eventBytes` is the size of its events as published;
 * `weight` is 0 for a book that is never drawn.
 */
export type BookFacts = DrawnBook & { weight: bigint; eventBytes: number };

/**
 * Puts 64 uniform random bits into `into`: high half into[0], low half into[1]. Not a bigint,
 * because allocating one for each draw costs more than the draw itself.
 */
export type Random64 = (into: Uint32Array) => void;

export type MathPackage = {
  /** Hex; over the SHA-256 of index.json and of each file that it names. */
  readonly sha256: string;
  /** By upper-case name, in the order of index.json. */
  readonly modes: ReadonlyMap<string, MathMode>;
  /** False when this call read and verified the books, true when the store already had them. */
  readonly reopened: boolean;
  /** Afterwards `readEvents` throws. */
  close(): Promise<void>;
};

export type MathMode = {
  /** As published. */
  readonly name: string;
  /** The name in upper case, unique in the package. */
  readonly key: string;
  /** Exact decimal text of the price in base bets, such as "1.25". */
  readonly cost: string;
  readonly bookCount: number;
  /** 1 to 2^64−1. */
  readonly totalWeight: bigint;
  /** Hundredths, ascending; zero-weight books included. */
  readonly distinctPayouts: readonly bigint[];
  readonly files: { readonly table: PublishedFile; readonly books: PublishedFile };
  /** Draws a book with exactly its weight's probability. */
  draw(random: Random64): DrawnBook;
  find(bookID: number): DrawnBook | undefined;
  /**
   * Every book in the order of its position, made as it is asked for: 1,000,000 take a fraction of
   * a second and no memory.
   */
  books(): IterableIterator<BookFacts>;
  /**
   * The bytes of the book's `events` array exactly as published, in one positioned read. Throws
   * RangeError for a position outside 0 to bookCount−1, and the I/O error otherwise. Synchronous,
   * because the books that are played lie in the system's page cache: there a read takes 3 µs of
   * processor time, and 16 µs when another thread does it. One that has to go to the disk holds up
   * the process while it does: about 50 µs on a local disk, milliseconds on a slow one or across a
   * network.
   */
  readEvents(position: number): Buffer;
  /** At most `most` groups of consecutive books, each with a probability of at least 1/most. */
  groups(most: number): BookGroup[];
  /** Computed at the first call, then kept. */
  statistics(): ModeStatistics;
};

/** What of a mode its tuning needs. */
export type TunableMode = Pick<
  MathMode,
  'cost' | 'bookCount' | 'totalWeight' | 'distinctPayouts' | 'books' | 'statistics'
>;
