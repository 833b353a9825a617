export type BatchCommand = { playerID: bigint };

export type BatcherOptions<Command, Result> = {
  /** Runs the commands in one transaction and answers one result each, in their order. */
  run: (commands: readonly Command[]) => Promise<readonly Result[]>;
  maxBatchSize?: number;
  /** Batches under way at once. More than one keeps the database busy while another batch waits for its commit. */
  maxInFlight?: number;
};

type Waiting<Command, Result> = {
  command: Command;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Turns commands that arrive together into one database call (group commit). While a batch is under way the next one
 * gathers, so the batch grows with the load and a lone command never waits.
 *
 * A player is in at most one batch at a time: that is what the SQL functions ask for, and it also keeps a batch from waiting
 * for the lock of another batch of this process. Commands of one player run in the order in which they came.
 */
export class Batcher<Command extends BatchCommand, Result> {
  readonly #options: Required<BatcherOptions<Command, Result>>;
  readonly #busyPlayers = new Set<bigint>();
  #waiting: Waiting<Command, Result>[] = [];
  #inFlight = 0;
  #flushIsDue = false;

  constructor(options: BatcherOptions<Command, Result>) {
    this.#options = { maxBatchSize: 256, maxInFlight: 2, ...options };
  }

  submit(command: Command): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, resolve, reject });
      this.#flushSoon();
    });
  }

  /** After the current turn of the event loop, so that all requests read in this turn share a batch. */
  #flushSoon(): void {
    if (this.#flushIsDue || this.#inFlight >= this.#options.maxInFlight) return;
    this.#flushIsDue = true;
    setImmediate(() => {
      this.#flushIsDue = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#inFlight < this.#options.maxInFlight) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      void this.#run(batch);
    }
  }

  #takeBatch(): Waiting<Command, Result>[] {
    const batch: Waiting<Command, Result>[] = [];
    const left: Waiting<Command, Result>[] = [];
    for (const waiting of this.#waiting) {
      const { playerID } = waiting.command;
      if (batch.length === this.#options.maxBatchSize || this.#busyPlayers.has(playerID)) {
        left.push(waiting);
      } else {
        this.#busyPlayers.add(playerID);
        batch.push(waiting);
      }
    }
    this.#waiting = left;
    return batch;
  }

  async #run(batch: Waiting<Command, Result>[]): Promise<void> {
    this.#inFlight += 1;
    try {
      const results = await this.#options.run(batch.map((waiting) => waiting.command));
      if (results.length !== batch.length) throw new Error(`a batch of ${batch.length} got ${results.length} results`);
      for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as Result);
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    } finally {
      this.#inFlight -= 1;
      for (const waiting of batch) this.#busyPlayers.delete(waiting.command.playerID);
      this.#flushSoon();
    }
  }
}
