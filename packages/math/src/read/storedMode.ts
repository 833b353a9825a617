import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { WeightedDraw } from '../draw/weightedDraw.ts';
import { type BookGroup, bookGroups } from '../statistics/bookGroups.ts';
import { type ModeStatistics, modeStatistics } from '../statistics/statistics.ts';
import { openOrMakeTree, treeNameOf } from '../tree/openTree.ts';
import type { TableTree } from '../tree/tableTree.ts';
import type {
  BookFacts,
  DrawnBook,
  MathMode,
  ProofPart,
  ProofRow,
  ProofSibling,
  Random64,
  TableCommitment,
  TableProof,
} from '../types.ts';
import { isAscending, orderByID } from './lookupTable.ts';
import type { StoredModeEntry } from './manifest.ts';
import { type ModeRows, readRows } from './storeFiles.ts';

type StoredParts = { rows: ModeRows; events: FileHandle; tree: TableTree };

/** A mode in the store has its rows in memory, and its events and the tree of its table on disk. */
export class StoredMode implements MathMode {
  readonly name: string;
  readonly key: string;
  readonly cost: string;
  readonly files: MathMode['files'];
  readonly bookCount: number;
  readonly totalWeight: bigint;
  readonly distinctPayouts: readonly bigint[];
  readonly commitment: TableCommitment;
  readonly #rows: ModeRows;
  readonly #events: FileHandle;
  readonly #tree: TableTree;
  readonly #draw: WeightedDraw;
  /**
   * These are the rows in the order of their ids; null where the ids ascend and are their own
   * order.
   */
  #order: Uint32Array | null | undefined;
  #statistics: ModeStatistics | undefined;

  private constructor(entry: StoredModeEntry, { rows, events, tree }: StoredParts) {
    this.name = entry.name;
    this.key = entry.key;
    this.cost = entry.cost;
    this.files = entry.files;
    this.bookCount = rows.ids.length;
    this.totalWeight = rows.cumulative[rows.cumulative.length - 1] as bigint;
    this.distinctPayouts = [...rows.distinctPayouts];
    this.commitment = {
      rows: this.bookCount,
      totalWeight: this.totalWeight,
      sha256: entry.files.table.sha256,
      root: tree.root,
    };
    this.#rows = rows;
    this.#events = events;
    this.#tree = tree;
    this.#draw = new WeightedDraw(rows.cumulative);
  }

  /**
   * Returns undefined when the files are not the ones that the manifest describes. A tree that is
   * missing or damaged is made.
   */
  static async open(folder: string, entry: StoredModeEntry): Promise<StoredMode | undefined> {
    const rows = await readRows(join(folder, entry.rowsName), entry.rows);
    if (rows === undefined) return undefined;
    const events = await open(join(folder, entry.eventsName));
    try {
      if ((await events.stat()).size === rows.offsets[rows.ids.length]) {
        const treePath = join(folder, treeNameOf(entry.rowsName));
        const tree = await openOrMakeTree(treePath, { rows, events });
        return new StoredMode(entry, { rows, events, tree });
      }
    } catch (error) {
      await events.close();
      throw error;
    }
    await events.close();
    return undefined;
  }

  draw(random: Random64): DrawnBook {
    return this.#bookAt(this.#draw.draw(random));
  }

  at(ticket: bigint): DrawnBook {
    return this.#bookAt(this.#draw.positionOf(ticket));
  }

  proof(positions: readonly number[]): TableProof {
    const drawn: ProofRow[] = [];
    const siblings: ProofSibling[] = [];
    for (const { row, sibling } of this.proofParts(positions)) {
      if (row !== undefined) drawn.push(row);
      else siblings.push(sibling);
    }
    return { drawn, siblings };
  }

  proofParts(positions: readonly number[]): IterableIterator<ProofPart> {
    return this.#tree.proofParts(positions);
  }

  find(bookID: number): DrawnBook | undefined {
    const { ids } = this.#rows;
    if (this.#order === undefined) this.#order = isAscending(ids) ? null : orderByID(ids);
    const order = this.#order;
    const rowAt = (place: number): number => (order === null ? place : (order[place] as number));
    let from = 0;
    let to = ids.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((ids[rowAt(middle)] as number) < bookID) from = middle + 1;
      else to = middle;
    }
    return from < ids.length && ids[rowAt(from)] === bookID ? this.#bookAt(rowAt(from)) : undefined;
  }

  *books(): IterableIterator<BookFacts> {
    const { ids, cumulative, payoutIndexes, offsets } = this.#rows;
    let before = 0n;
    for (let position = 0; position < this.bookCount; position += 1) {
      const sum = cumulative[position] as bigint;
      // The object is written out: with #bookAt spread into it, it takes twenty times as long.
      yield {
        position,
        bookID: ids[position] as number,
        payoutMultiplier: this.distinctPayouts[payoutIndexes[position] as number] as bigint,
        weight: sum - before,
        eventBytes: (offsets[position + 1] as number) - (offsets[position] as number),
      };
      before = sum;
    }
  }

  readEvents(position: number): Buffer {
    if (!Number.isInteger(position) || position < 0 || position >= this.bookCount) {
      throw new RangeError(`there is no book at position ${position}`);
    }
    const start = this.#rows.offsets[position] as number;
    const size = (this.#rows.offsets[position + 1] as number) - start;
    const events = Buffer.allocUnsafe(size);
    const bytesRead = readSync(this.#events.fd, events, 0, size, start);
    if (bytesRead !== size) throw new RangeError(`the store ends inside the book at position ${position}`);
    return events;
  }

  groups(most: number): BookGroup[] {
    return bookGroups(this.#rows.cumulative, most);
  }

  statistics(): ModeStatistics {
    this.#statistics ??= modeStatistics(this.#rows, this.cost);
    return this.#statistics;
  }

  async close(): Promise<void> {
    await Promise.all([this.#events.close(), this.#tree.close()]);
  }

  #bookAt(position: number): DrawnBook {
    return {
      position,
      bookID: this.#rows.ids[position] as number,
      payoutMultiplier: this.distinctPayouts[this.#rows.payoutIndexes[position] as number] as bigint,
    };
  }
}
