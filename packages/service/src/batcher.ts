import { startBatch, startWait, type TracedWait } from './batchTrace.ts';
import { errorTypeOf, type TraceSpan } from './traceSpan.ts';

/**
 * Too many commands wait, or one has waited too long. The command did not run, and will not run.
 */
export class Overload extends Error {
  override name = 'Overload';
  /** The name of the batcher that refused. */
  readonly queue: string;

  constructor(queue: string, why: string) {
    super(`${queue}: ${why}`);
    this.queue = queue;
  }
}

export type ObservedBatch = {
  size: number;
  /** The oldest command of the batch waited for it this long. */
  waitedMs: number;
  /** Time that its run took, in milliseconds. */
  ranMs: number;
  isFailed: boolean;
};

export type BatcherOptions<Command, Result> = {
  /** Logs and metrics use it as their label. */
  name: string;
  /** Runs the commands in one call, and returns one result for each, in their order. */
  run: (commands: readonly Command[]) => Promise<readonly Result[]>;
  /**
   * Commands of one key run in the order of their arrival, never in two batches at once. Without it
   * there is no order.
   */
  keyOf?: (command: Command) => unknown;
  maxBatchSize?: number;
  /**
   * This many batches are in progress at once. With two, one runs while the other waits for its
   * commit.
   */
  maxInFlight?: number;
  /** At most this many commands wait for their batch; one more is an Overload. */
  maxWaiting?: number;
  /** A command that waits longer for its batch is an Overload, in milliseconds. */
  maxWaitMs?: number;
  /**
   * A new command is an Overload while another one has waited longer than this, in milliseconds.
   */
  maxDelayMs?: number;
  /** Called once for each batch, after its run. */
  observe?: (batch: ObservedBatch) => void;
};

type Waiting<Command, Result> = {
  command: Command;
  sinceMs: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  wait: TracedWait | undefined;
};

/** A batch gathers for at most this long while commands keep coming. */
const GATHER_MS = 1;

/**
 * Turns commands that arrive together into one database call (group commit). While a batch is in
 * progress the next one fills, so the batch grows with the load, and a command that arrives alone
 * does not wait for others.
 *
 * With players as keys a player is in at most one batch of this batcher at a time. The SQL
 * functions require that, and two batches of one command never wait for each other's locks
 * (decision 002).
 */
export class Batcher<Command, Result> {
  readonly #options: Required<Omit<BatcherOptions<Command, Result>, 'keyOf'>>;
  readonly #keyOf: ((command: Command) => unknown) | undefined;
  readonly #busyKeys = new Set<unknown>();
  /** They are in the order in which they began. */
  readonly #inFlight = new Set<{ sinceMs: number }>();
  #waiting: Waiting<Command, Result>[] = [];
  #flushIsDue = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor({ keyOf, ...options }: BatcherOptions<Command, Result>) {
    const limits = { maxWaiting: Infinity, maxWaitMs: Infinity, maxDelayMs: Infinity, observe: () => {} };
    this.#options = { maxBatchSize: 256, maxInFlight: 2, ...limits, ...options };
    this.#keyOf = keyOf;
  }

  /**
   * `trace` is the span of the request when that is traced.
   * @throws Overload when the command was not run, because too many wait or it has waited too long.
   */
  submit(command: Command, trace?: TraceSpan): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { name, maxBatchSize, maxWaiting, maxDelayMs } = this.#options;
      if (this.#waiting.length >= maxWaiting) {
        reject(new Overload(name, `${maxWaiting} commands wait already`));
        return;
      }
      if (this.#waitedMs() > maxDelayMs) {
        reject(new Overload(name, `another command has waited for ${maxDelayMs} ms`));
        return;
      }
      const wait = trace && startWait(name, trace);
      this.#waiting.push({ command, sinceMs: performance.now(), resolve, reject, wait });
      this.#expireInTime();
      if (this.#waiting.length % maxBatchSize === 0) this.#flush();
      else this.#flushSoon();
    });
  }

  /** Returns the age of the oldest batch or waiting command, in milliseconds. */
  oldestMs(): number {
    const [batch] = this.#inFlight;
    return Math.max(this.#waitedMs(), batch === undefined ? 0 : performance.now() - batch.sinceMs);
  }

  /** Returns how long the oldest waiting command has waited. */
  #waitedMs(): number {
    const [waiting] = this.#waiting;
    return waiting === undefined ? 0 : performance.now() - waiting.sinceMs;
  }

  /**
   * Flushes when a turn of the event loop has brought no other command, so that requests that come
   * close together share a batch (decision 002). A lone command waits for one turn. A full batch
   * waits for none: a turn lasts as long as clients send.
   */
  #flushSoon(): void {
    if (this.#flushIsDue || this.#inFlight.size >= this.#options.maxInFlight) return;
    this.#flushIsDue = true;
    this.#gather(this.#waiting.length, performance.now() + GATHER_MS);
  }

  #gather(before: number, untilMs: number): void {
    setImmediate(() => {
      const { length } = this.#waiting;
      if (length > before && performance.now() < untilMs) return this.#gather(length, untilMs);
      this.#flushIsDue = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#inFlight.size < this.#options.maxInFlight) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      void this.#run(batch);
    }
  }

  #takeBatch(): Waiting<Command, Result>[] {
    const batch: Waiting<Command, Result>[] = [];
    const left: Waiting<Command, Result>[] = [];
    for (const waiting of this.#waiting) {
      if (batch.length === this.#options.maxBatchSize || !this.#reserve(waiting.command)) left.push(waiting);
      else batch.push(waiting);
    }
    this.#waiting = left;
    return batch;
  }

  #reserve(command: Command): boolean {
    if (this.#keyOf === undefined) return true;
    const key = this.#keyOf(command);
    if (this.#busyKeys.has(key)) return false;
    this.#busyKeys.add(key);
    return true;
  }

  async #run(batch: Waiting<Command, Result>[]): Promise<void> {
    const flight = { sinceMs: performance.now() };
    this.#inFlight.add(flight);
    const span = startBatch(this.#options.name, batch);
    let isFailed = false;
    try {
      const results = await this.#options.run(batch.map((waiting) => waiting.command));
      if (results.length !== batch.length) throw new Error(`a batch of ${batch.length} got ${results.length} results`);
      span?.end();
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result);
    } catch (error) {
      isFailed = true;
      span?.end(errorTypeOf(error));
      for (const waiting of batch) waiting.reject(error);
    } finally {
      this.#observe(batch, flight.sinceMs, isFailed);
      this.#inFlight.delete(flight);
      if (this.#keyOf !== undefined) for (const { command } of batch) this.#busyKeys.delete(this.#keyOf(command));
      if (this.#waiting.length >= this.#options.maxBatchSize) this.#flush();
      else this.#flushSoon();
    }
  }

  #observe(batch: readonly Waiting<Command, Result>[], startedMs: number, isFailed: boolean): void {
    const [oldest] = batch;
    const waitedMs = startedMs - (oldest?.sinceMs ?? startedMs);
    this.#options.observe({ size: batch.length, waitedMs, ranMs: performance.now() - startedMs, isFailed });
  }

  /** All waiting commands share one timer: one for each would cost more than the command. */
  #expireInTime(): void {
    const { maxWaitMs } = this.#options;
    if (this.#expiry !== undefined || maxWaitMs === Infinity) return;
    const [oldest] = this.#waiting;
    if (oldest === undefined) return;
    this.#expiry = setTimeout(
      () => {
        this.#expiry = undefined;
        this.#expire();
        this.#expireInTime();
      },
      Math.max(1, oldest.sinceMs + maxWaitMs - performance.now()),
    ).unref();
  }

  #expire(): void {
    const { name, maxWaitMs } = this.#options;
    const beforeMs = performance.now() - maxWaitMs;
    const firstInTime = this.#waiting.findIndex(({ sinceMs }) => sinceMs > beforeMs);
    const late = this.#waiting.splice(0, firstInTime === -1 ? Infinity : firstInTime);
    for (const { reject, wait } of late) {
      wait?.span.end('Overload');
      reject(new Overload(name, `a command has waited for ${maxWaitMs} ms`));
    }
  }
}
