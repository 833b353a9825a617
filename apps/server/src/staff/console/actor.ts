import { AsyncLocalStorage } from 'node:async_hooks';

const actors = new AsyncLocalStorage<string>();

/** Everything that the database records during `work` names this actor. */
export function asActor<Value>(actor: string, work: () => Value): Value {
  return actors.run(actor, work);
}

/** Returns the actor of the request that runs, else of the console itself. */
export function currentActor(): string {
  return actors.getStore() ?? 'console';
}
