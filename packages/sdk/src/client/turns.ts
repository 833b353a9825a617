/** Runs one task after the other, in the order of the calls. */
export type Turns = <Result>(task: () => Promise<Result>) => Promise<Result>;

/**
 * A queue for whatever changes the round or tells where it stands. With two such calls under way an older answer could
 * overwrite a newer one, and events could arrive in another order than they happened.
 */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    last = mine.catch(() => undefined);
    return mine;
  };
}
