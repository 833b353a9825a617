import type { Table } from '../table.ts';
import type { Trouble } from './troubleOf.ts';

/** What has gone wrong, and what the player can do about it. */
export type Troubles = {
  /**
   * Shows a dialog; `afterwards` is called when the player has pressed its button, if it has one
   * that lets the game go on.
   */
  show(trouble: Trouble, afterwards: () => void): void;
  /** The button of the dialog. */
  remedy(): void;
};

export function createTroubles({ store, audio, page }: Table): Troubles {
  let goOn = () => {};
  return {
    show(trouble, afterwards) {
      goOn = afterwards;
      store.autoplay.value = undefined;
      store.dialog.value = trouble;
      if (trouble.remedy === 'none') store.phase.value = 'blocked';
      audio.play('error');
    },
    remedy() {
      const trouble = store.dialog.peek();
      if (trouble?.kind !== 'trouble' || trouble.remedy === 'none') return;
      if (trouble.remedy === 'reload') return page.reload();
      store.dialog.value = undefined;
      goOn();
    },
  };
}
