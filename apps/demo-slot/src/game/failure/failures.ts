import type { Table } from '../table.ts';
import type { Failure } from './failureOf.ts';

/** What has gone wrong, and what the player can do about it. */
export type Failures = {
  /**
   * Shows a dialog; `afterwards` is called when the player has pressed its button, if it has one
   * that lets the game go on.
   */
  show(failure: Failure, afterwards: () => void): void;
  /** The button of the dialog. */
  remedy(): void;
};

export function createFailures({ store, audio, page }: Table): Failures {
  let goOn = () => {};
  return {
    show(failure, afterwards) {
      goOn = afterwards;
      store.autoplay.value = undefined;
      store.dialog.value = failure;
      if (failure.remedy === 'none') store.phase.value = 'blocked';
      audio.play('error');
    },
    remedy() {
      const failure = store.dialog.peek();
      if (failure?.kind !== 'failure' || failure.remedy === 'none') return;
      if (failure.remedy === 'reload') return page.reload();
      store.dialog.value = undefined;
      goOn();
    },
  };
}
