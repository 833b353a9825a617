import { createRealityCheck, type RealityCheck } from '@roundhouse/sdk/duties';
import type { ClientContext } from './context.ts';

/** Does the reality check that the jurisdiction demands. */
export type RealityChecks = {
  /**
   * Shows it when it is due. It ends an autoplay, and replaces a dialog that was opened meanwhile.
   */
  atRoundEnd(): void;
  /** The player has seen it and plays on. */
  acknowledge(): void;
};

export function createRealityChecks({ client, store, audio }: ClientContext): RealityChecks {
  let check: RealityCheck | undefined;

  return {
    atRoundEnd() {
      const { sessionStartedAtMs: startedAtMs, netPositionMicros: netMicros, config } = client.state;
      if (startedAtMs === undefined || config === undefined) return;
      check ??= createRealityCheck({ startedAtMs, intervalMs: config.jurisdiction.realityCheckInterval });
      if (!check.isDue()) return;
      const stakedMicros = store.stakedMicros.peek();
      store.autoplay.value = undefined;
      store.dialog.value = {
        kind: 'realityCheck',
        elapsedMs: check.elapsedMs(),
        stakedMicros,
        paidMicros: netMicros + stakedMicros,
        netMicros,
      };
    },
    acknowledge() {
      if (store.dialog.peek()?.kind !== 'realityCheck') return;
      check?.acknowledge();
      audio.play('button');
      store.dialog.value = undefined;
    },
  };
}
