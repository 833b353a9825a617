import { EventEmitter } from 'node:events';

/** Tells whoever follows an account that its journal has grown. It says no more: the follower reads the journal itself, in its order. */
export type MovementFeed = {
  tell(accountId: bigint): void;
  /** Answers what ends the following. */
  follow(accountId: bigint, grown: () => void): () => void;
};

/** Within this process, which is the only one that writes to these books. */
export function createMovementFeed(): MovementFeed {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    tell: (accountId) => void emitter.emit(String(accountId)),
    follow(accountId, grown) {
      emitter.on(String(accountId), grown);
      return () => void emitter.off(String(accountId), grown);
    },
  };
}
