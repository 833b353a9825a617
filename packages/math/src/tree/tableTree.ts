import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { nodeBytes, type TreeNode } from '@roundhouse/fair';
import { type ModeRows, readAll } from '../read/storeFiles.ts';
import type { ProofPart } from '../types.ts';
import { HASH_BYTES, hashAt, type Level, levelsOf, rootOf, rowBytes, sha256, weightOf } from './shape.ts';

/** Opening a tree checks its levels from the first one that is so short, in less than 1 ms. */
const CHECKED_NODES = 256;
/**
 * The number of hashes that are read at once: the next ones of a long proof are often among them.
 */
const HASHES_AT_ONCE = 128;

/** The tree of a mode stays on the disk; a proof reads the nodes that it needs. */
export class TableTree {
  readonly root: string;
  readonly #rows: ModeRows;
  readonly #levels: readonly Level[];
  readonly #file: FileHandle;

  private constructor(rows: ModeRows, file: FileHandle, root: Buffer) {
    this.root = root.toString('hex');
    this.#rows = rows;
    this.#levels = levelsOf(rows.ids.length);
    this.#file = file;
  }

  /** Returns undefined when there is no file, or it is not the tree of these rows. */
  static async open(path: string, rows: ModeRows): Promise<TableTree | undefined> {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    const root = await file?.stat().then(({ size }) => readRoot(file, size, rows));
    if (file !== undefined && root !== undefined) return new TableTree(rows, file, root);
    await file?.close();
    return undefined;
  }

  /**
   * Gives the proof of the rows at `positions`, ascending and distinct, from left to right. Each
   * part is made when it is asked for. Throws RangeError for other positions, and at the end an
   * error when what was read has another root: then the file is damaged.
   */
  *proofParts(positions: readonly number[]): IterableIterator<ProofPart> {
    const rows = this.#rows;
    requireAscending(positions, rows.ids.length);
    const nodes = new NodeReader(rows, this.#levels, this.#file.fd);
    const todo: ('join' | { level: number; index: number })[] = [{ level: this.#levels.length - 1, index: 0 }];
    const done: TreeNode[] = [];
    let next = 0;
    for (let place = todo.pop(); place !== undefined; place = todo.pop()) {
      if (place === 'join') {
        const right = done.pop() as TreeNode;
        const left = done.pop() as TreeNode;
        done.push({ weight: left.weight + right.weight, hash: sha256(nodeBytes(left, right)) });
        continue;
      }
      const { level, index } = place;
      const isDrawn = (positions[next] ?? Number.POSITIVE_INFINITY) < (index + 1) * 2 ** level;
      if (isDrawn && level > 0) {
        const children = [
          { level: level - 1, index: 2 * index + 1 },
          { level: level - 1, index: 2 * index },
        ] as const;
        if (children[0].index < (this.#levels[level - 1] as Level).length) todo.push('join', ...children);
        else todo.push(children[1]);
        continue;
      }
      const node = nodes.nodeAt(level, index);
      done.push(node);
      if (isDrawn) {
        next += 1;
        yield { row: { ...rowFacts(rows, index), weight: node.weight, bookHash: nodes.bookHashAt(index) } };
      } else yield { sibling: node };
    }
    if (rootOf(rows, (done[0] as TreeNode).hash).toString('hex') !== this.root)
      throw new Error(`the tree of the table with root ${this.root} is damaged in the store`);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

function rowFacts(rows: ModeRows, position: number) {
  return {
    position,
    bookID: rows.ids[position] as number,
    payoutMultiplier: rows.distinctPayouts[rows.payoutIndexes[position] as number] as bigint,
  };
}

function requireAscending(positions: readonly number[], rows: number): void {
  for (const [place, position] of positions.entries()) {
    if (Number.isInteger(position) && position >= 0 && position < rows && !(position <= (positions[place - 1] ?? -1)))
      continue;
    throw new RangeError(`${position} is no position, or does not ascend`);
  }
}

/** Reads nodes of a tree; those of a level mostly from left to right. */
class NodeReader {
  readonly #rows: ModeRows;
  readonly #levels: readonly Level[];
  readonly #fd: number;
  readonly #read: { first: number; hashes: Buffer }[] = [];

  constructor(rows: ModeRows, levels: readonly Level[], fd: number) {
    this.#rows = rows;
    this.#levels = levels;
    this.#fd = fd;
  }

  nodeAt(level: number, index: number): { weight: bigint; hash: Buffer } {
    const weight = weightOf(this.#rows, level, index);
    const found = this.#hashAt(level, index);
    return { weight, hash: level === 0 ? sha256(rowBytes(this.#rows, index, found)) : Buffer.from(found) };
  }

  bookHashAt(position: number): Buffer {
    return Buffer.from(this.#hashAt(0, position));
  }

  #hashAt(level: number, index: number): Buffer {
    let read = this.#read[level];
    if (read === undefined || index < read.first || index >= read.first + HASHES_AT_ONCE) {
      const { start, length } = this.#levels[level] as Level;
      const first = index - (index % HASHES_AT_ONCE);
      const bytes = Math.min(HASHES_AT_ONCE, length - first) * HASH_BYTES;
      const hashes = read?.hashes ?? Buffer.allocUnsafe(HASHES_AT_ONCE * HASH_BYTES);
      const bytesRead = readSync(this.#fd, hashes, 0, bytes, (start + first) * HASH_BYTES);
      if (bytesRead !== bytes) throw new Error('the tree of a table ends early in the store');
      read = { first, hashes };
      this.#read[level] = read;
    }
    return hashAt(read.hashes, index - read.first);
  }
}

/** Reads the root, and undefined when the upper levels do not lead to it. */
async function readRoot(file: FileHandle, size: number, rows: ModeRows): Promise<Buffer | undefined> {
  const levels = levelsOf(rows.ids.length);
  const hashCount = levels.reduce((sum, { length }) => sum + length, 1);
  if (size !== hashCount * HASH_BYTES) return undefined;
  const lowest = levels.findIndex(({ length }) => length <= CHECKED_NODES);
  const { start } = levels[lowest] as Level;
  const upper = Buffer.alloc((hashCount - start) * HASH_BYTES);
  await readAll(file, upper, start * HASH_BYTES);
  const nodeAt = (level: number, index: number): TreeNode => {
    const found = hashAt(upper, (levels[level] as Level).start - start + index);
    return { weight: weightOf(rows, level, index), hash: level === 0 ? sha256(rowBytes(rows, index, found)) : found };
  };
  for (let level = lowest + 1; level < levels.length; level += 1) {
    const below = (levels[level - 1] as Level).length;
    for (let index = 0; index < (levels[level] as Level).length; index += 1) {
      const left = nodeAt(level - 1, 2 * index);
      const expected = 2 * index + 1 < below ? sha256(nodeBytes(left, nodeAt(level - 1, 2 * index + 1))) : left.hash;
      if (Buffer.compare(expected, nodeAt(level, index).hash) !== 0) return undefined;
    }
  }
  const root = rootOf(rows, nodeAt(levels.length - 1, 0).hash);
  return root.equals(hashAt(upper, hashCount - start - 1)) ? root : undefined;
}
