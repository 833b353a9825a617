import { Worker } from 'node:worker_threads';
import { UnreadableFile } from './issues.ts';
import { zstdPieces } from './zstdFrames.ts';

export type ZstdSource = {
  chunks: AsyncIterable<Buffer>;
  file: string;
  /** It has `DECODED_BYTES` of shared memory for the content. */
  memory: Buffer;
  signal?: AbortSignal | undefined;
};

/**
 * The number of pieces that are read and decoded while the sink has another. With it, neither side
 * waits for the other.
 */
const PIECES_AHEAD = 6;
/** There is a place for those ahead, the one that the sink has, and the one before. */
const PLACES = PIECES_AHEAD + 2;
/** A piece decodes to half of it. */
const CONTENT_BYTES = 2 ** 21;
/**
 * The sink owns this many bytes before each piece, so that what it keeps of one piece lies together
 * with the next.
 */
export const FREE_BYTES = 2 ** 18;
export const DECODED_BYTES = PLACES * (FREE_BYTES + CONTENT_BYTES);

/**
 * Decodes a .zst file beside this thread and awaits `sink` for one piece of its content after the
 * other, each about 1 MB at most. A piece stays where it is until the sink has had the next one.
 * Where a frame has a checksum it is verified. Throws UnreadableFile, the sink's own error, or the
 * signal's reason.
 */
export async function decodeZstd(source: ZstdSource, sink: (content: Buffer) => Promise<void>): Promise<void> {
  const { chunks, file, memory, signal } = source;
  signal?.throwIfAborted();
  const pieces = zstdPieces(chunks, file);
  const decoder = new ZstdDecoder(file);
  let started = 0;
  const nextPlace = (): Buffer => {
    const start = (started++ % PLACES) * (FREE_BYTES + CONTENT_BYTES) + FREE_BYTES;
    return memory.subarray(start, start + CONTENT_BYTES);
  };
  const decodeNext = async (): Promise<Buffer | undefined> => {
    const into = nextPlace();
    const { done, value } = await pieces.next();
    return done === true ? undefined : decoder.decode(value, into);
  };
  const ahead: Promise<Buffer | undefined>[] = [];
  const startNext = (): void => {
    const content = decodeNext();
    // A failure counts when it is this piece's turn; until then it only must not count as
    // unhandled.
    content.catch(() => undefined);
    ahead.push(content);
  };
  const take = async (content: Buffer): Promise<void> => {
    signal?.throwIfAborted();
    if (content.length > 0) await sink(content);
    signal?.throwIfAborted();
  };
  try {
    for (let count = 0; count < PIECES_AHEAD; count += 1) startNext();
    for (;;) {
      const content = await ahead.shift();
      if (content === undefined) break;
      startNext();
      await take(content);
    }
    await take(await decoder.end(nextPlace()));
  } finally {
    await decoder.close();
    await Promise.allSettled(ahead);
  }
}

type Output = { bytes: number } | { damage: string } | { missing: true };
type Waiting = { into: Buffer; resolve: (content: Buffer) => void; reject: (error: unknown) => void };

type DecoderThread = { readonly worker: Worker; readonly ended: Promise<void> };

/**
 * These threads wait for a file. Starting a thread takes 50 ms of a core, more than decoding a
 * small file.
 */
const idleThreads = new Set<DecoderThread>();
const IDLE_MS = 500;

/** Decodes zstd in a separate thread. Its errors are UnreadableFile. */
class ZstdDecoder {
  readonly #file: string;
  readonly #thread: DecoderThread;
  readonly #waiting: Waiting[] = [];
  readonly #onMessage = (output: Output): void => this.#take(output);
  readonly #onError = (error: Error): void => this.#fail(error);
  #failure: Error | undefined;
  #hasEnded = false;

  constructor(file: string) {
    this.#file = file;
    this.#thread = takeThread();
    this.#thread.worker.on('message', this.#onMessage).on('error', this.#onError);
  }

  /**
   * Writes what comes out of `piece` to the start of `into`, and returns that part. It may be
   * called again before the promise is fulfilled.
   */
  decode(piece: Uint8Array, into: Buffer): Promise<Buffer> {
    return this.#request({ piece, into });
  }

  /** Returns what comes out at the end. */
  async end(into: Buffer): Promise<Buffer> {
    const content = await this.#request({ into });
    this.#hasEnded = true;
    return content;
  }

  /**
   * Gives the thread back when it has decoded the whole file. Otherwise the waiting caller gets an
   * error.
   */
  async close(): Promise<void> {
    const { worker, ended } = this.#thread;
    const isReusable = this.#hasEnded && this.#failure === undefined;
    this.#fail(new Error('the decoder was closed'));
    if (isReusable) {
      worker.off('message', this.#onMessage).off('error', this.#onError);
      keepThread(this.#thread);
    } else {
      endThread(this.#thread);
      await ended;
    }
  }

  #request(request: { piece?: Uint8Array; into: Buffer }): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#waiting.push({ into: request.into, resolve, reject });
      this.#thread.worker.postMessage(request);
    });
  }

  #take(output: Output): void {
    if ('bytes' in output) {
      const waiting = this.#waiting.shift();
      waiting?.resolve(waiting.into.subarray(0, output.bytes));
    } else this.#fail(new UnreadableFile({ file: this.#file, message: messageOf(output) }));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

/** Starts the thread that the next file is decoded in, while its caller does something else. */
export function prepareDecoder(): void {
  if (idleThreads.size === 0) keepThread(takeThread());
}

function takeThread(): DecoderThread {
  for (const idle of idleThreads) {
    idleThreads.delete(idle);
    idle.worker.ref();
    return idle;
  }
  // A worker that is a file refuses some options of this process, so it gets none.
  const worker = new Worker(new URL('./zstdWorker.js', import.meta.url), { execArgv: [] });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const thread = { worker, ended };
  worker.on('error', () => idleThreads.delete(thread));
  return thread;
}

/** An idle thread keeps no process running. */
function keepThread(thread: DecoderThread): void {
  thread.worker.unref();
  idleThreads.add(thread);
  setTimeout(() => idleThreads.delete(thread) && endThread(thread), IDLE_MS).unref();
}

/**
 * The thread ends on its own, after the piece that it has: a native decoder that is stopped in the
 * middle of one aborts the whole process.
 */
function endThread({ worker }: DecoderThread): void {
  worker.postMessage({ close: true });
}

function messageOf(output: { damage: string } | { missing: true }): string {
  return 'damage' in output
    ? `is damaged: its zstd data cannot be decoded (${output.damage})`
    : `cannot be decoded: on ${process.platform} ${process.arch} this needs Node 22.15 or later`;
}
