import { notZstd } from './fileContent.ts';
import { UnreadableFile } from './issues.ts';

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
/**
 * This is zstd's own limit for a decoder without another one. It bounds the memory that the decoder
 * takes.
 */
const MAX_WINDOW_BYTES = 2 ** 27;
/**
 * 8 blocks decode to 1 MB at most, however well they are compressed. So no input makes a decoder
 * fill the memory.
 */
const BLOCKS_PER_PIECE = 8;

/**
 * Cuts a .zst file into pieces of whole blocks of one frame, for a decoder, and reads the frame
 * structure while it does (RFC 8878, section 3.1): decoders differ, and some are silent, where a
 * file ends inside a frame, goes on after one, or has several. Skippable frames are left out.
 * Throws UnreadableFile.
 */
export async function* zstdPieces(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  const input = new ByteQueue(chunks, file);
  let frames = 0;
  while (!(await input.isAtEnd())) {
    const first = await input.take(4);
    const magic = first.readUInt32LE();
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
      await input.skip((await input.take(4)).readUInt32LE());
    } else if (magic === FRAME_MAGIC) {
      frames += 1;
      yield* framePieces(input, file);
    } else if (frames === 0) {
      throw new UnreadableFile({ file, message: notZstd(Buffer.concat([first, input.current]), file) });
    } else {
      throw new UnreadableFile({ file, message: 'has bytes after its last zstd frame that are no frame' });
    }
  }
  if (frames === 0) throw new UnreadableFile({ file, message: 'is empty' });
}

async function* framePieces(input: ByteQueue, file: string): AsyncGenerator<Buffer> {
  const header = await readFrameHeader(input, file);
  let pending: Buffer[] = [header.bytes];
  let blocks = 0;
  for (;;) {
    const block = await input.take(3);
    const field = block.readUIntLE(0, 3);
    const type = (field >> 1) & 3;
    if (type === 3) throw new UnreadableFile({ file, message: 'is damaged: a zstd block has a reserved type' });
    // A run-length block is one byte, whatever its size field says: that is the size when decoded.
    const size = type === 1 ? 1 : field >> 3;
    if (size > 2 ** 17) throw new UnreadableFile({ file, message: 'is damaged: a zstd block is too large' });
    pending.push(block, await input.take(size));
    const isLast = (field & 1) === 1;
    if (isLast && header.hasChecksum) pending.push(await input.take(4));
    blocks += 1;
    if (!isLast && blocks % BLOCKS_PER_PIECE !== 0) continue;
    yield Buffer.concat(pending);
    if (isLast) return;
    pending = [];
  }
}

async function readFrameHeader(input: ByteQueue, file: string): Promise<{ bytes: Buffer; hasChecksum: boolean }> {
  const descriptorByte = await input.take(1);
  const descriptor = descriptorByte.readUInt8();
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] as number;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] as number;
  if ((descriptor & 8) !== 0)
    throw new UnreadableFile({ file, message: 'is damaged: a reserved zstd header bit is set' });
  const window = await input.take(isSingleSegment ? 0 : 1);
  const dictionary = await input.take(dictionaryBytes);
  const size = await input.take(sizeBytes);
  if (dictionary.some((byte) => byte !== 0)) {
    throw new UnreadableFile({ file, message: 'was compressed with a zstd dictionary; compress it without one' });
  }
  if (windowBytes(window, size) > MAX_WINDOW_BYTES) {
    throw new UnreadableFile({ file, message: 'has a zstd window above 128 MB; compress it without --long' });
  }
  const magic = Buffer.alloc(4);
  magic.writeUInt32LE(FRAME_MAGIC);
  const bytes = Buffer.concat([magic, descriptorByte, window, dictionary, size]);
  return { bytes, hasChecksum: (descriptor & 4) !== 0 };
}

function windowBytes(window: Buffer, size: Buffer): number {
  const descriptor = window[0];
  if (descriptor !== undefined) return 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);
  if (size.length === 8) return Number(size.readBigUInt64LE());
  return size.readUIntLE(0, size.length) + (size.length === 2 ? 256 : 0);
}

/** Hands out a stream of chunks in exact sizes. */
class ByteQueue {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #file: string;
  #current: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>, file: string) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#file = file;
  }

  /** It has bytes that follow those taken, as many as were read. */
  get current(): Buffer {
    return this.#current;
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#current.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return true;
      this.#current = next.value;
    }
    return false;
  }

  async take(size: number): Promise<Buffer> {
    while (this.#current.length < size) {
      const next = await this.#chunks.next();
      if (next.done === true)
        throw new UnreadableFile({ file: this.#file, message: 'is cut off: it ends inside a zstd frame' });
      this.#current = Buffer.concat([this.#current, next.value]);
    }
    const taken = this.#current.subarray(0, size);
    this.#current = this.#current.subarray(size);
    return taken;
  }

  async skip(size: number): Promise<void> {
    let left = size;
    while (left > 0) {
      const part = Math.min(left, 2 ** 16);
      await this.take(part);
      left -= part;
    }
  }
}
