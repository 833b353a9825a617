import { ZstdDecoder } from './zstdDecoder.ts';
import { zstdPieces } from './zstdFrames.ts';

export type ZstdSource = { chunks: AsyncIterable<Buffer>; file: string; signal?: AbortSignal | undefined };

/** So many pieces are read and decoded while the sink has another: enough for neither side to wait for the other. */
const piecesAhead = 3;

/**
 * Decodes a .zst file beside this thread and awaits `sink` for one piece of its content after the other, each about 1 MB
 * at most. Where a frame has a checksum it is verified. Throws UnreadableFile, the sink's own error, or the signal's reason.
 */
export async function decodeZstd(source: ZstdSource, sink: (content: Buffer) => Promise<void>): Promise<void> {
  const { chunks, file, signal } = source;
  signal?.throwIfAborted();
  const pieces = zstdPieces(chunks, file);
  const decoder = new ZstdDecoder(file);
  const decodeNext = async (): Promise<Buffer | undefined> => {
    const { done, value } = await pieces.next();
    return done === true ? undefined : decoder.decode(value);
  };
  const ahead: Promise<Buffer | undefined>[] = [];
  const startNext = (): void => {
    const content = decodeNext();
    // A failure counts when it is this piece's turn; until then it only must not count as unhandled.
    content.catch(() => undefined);
    ahead.push(content);
  };
  const take = async (content: Buffer): Promise<void> => {
    signal?.throwIfAborted();
    if (content.length > 0) await sink(content);
    signal?.throwIfAborted();
  };
  try {
    for (let count = 0; count < piecesAhead; count += 1) startNext();
    for (;;) {
      const content = await ahead.shift();
      if (content === undefined) break;
      startNext();
      await take(content);
    }
    await take(await decoder.end());
  } finally {
    await decoder.close();
    await Promise.allSettled(ahead);
  }
}
