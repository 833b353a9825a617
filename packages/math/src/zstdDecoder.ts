import { Worker } from 'node:worker_threads';
import { UnreadableFile } from './problems.ts';

type Answer = { content: Uint8Array } | { damage: string } | { missing: true };
type Waiting = { resolve: (content: Buffer) => void; reject: (error: unknown) => void };

/** A zstd decoder in a thread of its own. Its errors are UnreadableFile. */
export class ZstdDecoder {
  readonly #file: string;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #waiting: Waiting[] = [];
  #failure: Error | undefined;

  constructor(file: string) {
    this.#file = file;
    // Without the options of this process, some of which a worker that is a file refuses.
    this.#worker = new Worker(new URL('./zstdWorker.js', import.meta.url), { execArgv: [] });
    this.#worker.on('message', (answer: Answer) => this.#take(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
  }

  /** What comes out once `piece` is in. May be called again before the promise is fulfilled. */
  decode(piece: Uint8Array): Promise<Buffer> {
    return this.#ask({ piece });
  }

  /** What comes out at the end. */
  end(): Promise<Buffer> {
    return this.#ask({});
  }

  /**
   * Ends the thread; whoever still waits for an answer gets an error. It ends by itself, after the piece that it has: a native
   * decoder that is stopped in the middle of one aborts the whole process.
   */
  async close(): Promise<void> {
    this.#fail(new Error('the decoder was closed'));
    this.#worker.postMessage({ close: true });
    await this.#ended;
  }

  #ask(question: { piece?: Uint8Array }): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(question);
    });
  }

  #take(answer: Answer): void {
    if ('content' in answer) {
      const { buffer, byteOffset, length } = answer.content;
      this.#waiting.shift()?.resolve(Buffer.from(buffer, byteOffset, length));
    } else this.#fail(new UnreadableFile({ file: this.#file, message: messageOf(answer) }));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

function messageOf(answer: { damage: string } | { missing: true }): string {
  return 'damage' in answer
    ? `is damaged: its zstd data cannot be decoded (${answer.damage})`
    : `cannot be decoded: on ${process.platform} ${process.arch} this needs Node 22.15 or later`;
}
