import { Worker } from 'node:worker_threads';
import { HASH_BYTES } from './shape.ts';

/** A thread hashes the books of a mode while a load writes them: it takes as long as the load. */
export class BookHasher {
  readonly #shared: SharedArrayBuffer;
  readonly #thread: Worker;
  readonly #isDone: Promise<boolean>;

  /** `path` is the file that the events are written to. */
  constructor(path: string, books: number) {
    this.#shared = new SharedArrayBuffer(books * HASH_BYTES);
    const workerData = { path, shared: this.#shared };
    this.#thread = new Worker(new URL('./hashWorker.js', import.meta.url), { workerData });
    this.#isDone = new Promise((resolve) => {
      this.#thread.once('error', () => resolve(false));
      this.#thread.once('exit', (code) => resolve(code === 0));
    });
  }

  /** Hashes the books between these offsets, which are in the file. */
  add(offsets: Float64Array): void {
    this.#thread.postMessage(offsets);
  }

  /** Returns the hashes of all books; undefined when the thread failed. */
  async finish(): Promise<Buffer | undefined> {
    this.#thread.postMessage(undefined);
    return (await this.#isDone) ? Buffer.from(this.#shared) : undefined;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
