/** What a play that was stopped rejects with, and every wait that was running in it. */
export class PlaybackStoppedError extends Error {
  override readonly name = 'PlaybackStoppedError';

  constructor() {
    super('the play of these events was stopped');
  }
}

/** What a play rejects with when a handler failed, or what is awaited before it. `cause` is the error itself. */
export class EventHandlerError extends Error {
  override readonly name = 'EventHandlerError';
  /** Place of the event in the book. */
  readonly index: number;

  constructor({ index, type, cause }: { index: number; type: string; cause: unknown }) {
    super(`event ${index} (${type}) could not be shown: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.index = index;
  }
}
