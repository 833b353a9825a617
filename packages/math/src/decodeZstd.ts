import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { UnreadableFile } from './problems.ts';
import { zstdPieces } from './zstdFrames.ts';

export type ZstdSource = { chunks: AsyncIterable<Buffer>; file: string; signal?: AbortSignal | undefined };

/** @types/node 20 does not know the decoder that Node 22.15 brought. */
type ZlibWithZstd = { createZstdDecompress?: (options: { chunkSize: number }) => Transform };

const outputChunkBytes = 2 ** 17;

/**
 * Decodes a .zst file and awaits `sink` for one piece of its content after the other, each about 1 MB at most. Where a
 * frame has a checksum it is verified. Throws UnreadableFile, the sink's own error, or the signal's reason.
 */
export async function decodeZstd(source: ZstdSource, sink: (chunk: Buffer) => Promise<void>): Promise<void> {
  source.signal?.throwIfAborted();
  const decoding = new Decoding(source, await createDecoder(source.file));
  const stop = (): void => decoding.fail(source.signal?.reason);
  source.signal?.addEventListener('abort', stop);
  await Promise.all([decoding.feed(), decoding.drain(sink)]);
  source.signal?.removeEventListener('abort', stop);
  decoding.throwFailure();
}

/**
 * Feeds a decoder one piece at a time, the next only when what the last one decoded to has been taken. A plain
 * pipeline does not wait once its input has ended: it decoded 16 KB of run-length blocks to 500 MB in memory.
 */
class Decoding {
  readonly #source: ZstdSource;
  readonly #decoder: Transform;
  #failure: { error: unknown } | undefined;

  constructor(source: ZstdSource, decoder: Transform) {
    this.#source = source;
    this.#decoder = decoder;
  }

  /** Ends both sides. What fails one makes the other fail too, with an error that says less: so the first counts. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#decoder.destroy();
  }

  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async feed(): Promise<void> {
    try {
      for await (const piece of zstdPieces(this.#source.chunks, this.#source.file)) {
        if (!(await this.#isDone((done) => this.#decoder.write(piece, done)))) return;
      }
      await this.#isDone((done) => this.#decoder.end(done));
    } catch (error) {
      this.fail(error);
    }
  }

  async drain(sink: (chunk: Buffer) => Promise<void>): Promise<void> {
    try {
      for await (const chunk of this.#decoder) await sink(chunk as Buffer).catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.#failDecoder(error as Error);
    }
  }

  /** Whether what `start` began ended well. A destroyed decoder may never call back: its "close" event ends the wait. */
  async #isDone(start: (done: (error?: Error | null) => void) => void): Promise<boolean> {
    if (this.#decoder.destroyed) return false;
    return new Promise((resolve) => {
      const onClose = (): void => resolve(false);
      this.#decoder.once('close', onClose);
      start((error) => {
        this.#decoder.off('close', onClose);
        if (error) this.#failDecoder(error);
        resolve(!error);
      });
    });
  }

  #failDecoder(error: Error): void {
    const message = `is damaged: its zstd data cannot be decoded (${error.message})`;
    this.fail(new UnreadableFile({ file: this.#source.file, message }));
  }
}

/**
 * Node's own decoder where it has one: maintained with Node, and it runs beside the main thread. Else a native one
 * from a package: 1,100 MB/s, where the decoder in plain JavaScript that we tried had 200 MB/s and ignored checksums.
 */
async function createDecoder(file: string): Promise<Transform> {
  const { createZstdDecompress } = zlib as unknown as ZlibWithZstd;
  if (createZstdDecompress !== undefined) return createZstdDecompress({ chunkSize: outputChunkBytes });
  const { Decompressor } = await import('@cloudpss/zstd/napi').catch(() => {
    const message = `cannot be decoded: on ${process.platform} ${process.arch} this needs Node 22.15 or later`;
    throw new UnreadableFile({ file, message });
  });
  return new Decompressor();
}
