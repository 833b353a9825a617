/** Time comes in from outside, so that tests need not wait for it. Milliseconds. */
export type Clock = {
  nowMs(): number;
  /** Runs once, that much later. Calling the answer calls it off. */
  after(delayMs: number, run: () => void): () => void;
};
