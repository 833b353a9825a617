/** Time is an argument, so that tests need not wait. Milliseconds. */
export type Clock = {
  nowMs(): number;
  /** Runs once after the delay. The returned function cancels it. */
  after(delayMs: number, run: () => void): () => void;
};
