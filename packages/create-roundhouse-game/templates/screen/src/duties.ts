import type { Client } from '@roundhouse/sdk';
import { createRealityCheck, formatElapsed, type RealityCheck } from '@roundhouse/sdk/duties';
import { MODES } from '../math/modes.ts';
import type { Dialogs } from './dialogs.ts';
import type { Money } from './money.ts';
import type { Texts } from './texts.ts';

/** What the jurisdiction requires on the screen. A replay needs none of it. */
export type Duties = {
  /** Returns the line above the board, which may be empty. */
  notes(): string;
  /**
   * Returns whether a check of the playing time is due. Call it between two
   * rounds.
   */
  isRealityCheckDue(): boolean;
  /** Shows how long the player has played, and waits for a confirmation. */
  checkReality(): Promise<void>;
};

type DutyParts = { client: Client; texts: Texts; money: Money; dialogs: Dialogs };

export function createDuties({ client, texts, money, dialogs }: DutyParts): Duties {
  let realityCheck: RealityCheck | undefined;

  return {
    notes() {
      const { config, sessionStartedAtMs: startedAtMs, netPositionMicros } = client.state;
      const flags = config?.jurisdiction;
      const elapsedMs = startedAtMs === undefined ? 0 : Math.max(0, Date.now() - startedAtMs);
      const shown = [
        client.launch.kind === 'play' && client.launch.sessionID === '' && texts.playMoney,
        flags?.displaySessionTimer && formatElapsed(elapsedMs),
        flags?.displayNetPosition && `${texts.net} ${money.text(netPositionMicros)}`,
        flags?.displayRTP && `RTP ${money.percent(MODES.BASE.rtp)}`,
      ];
      return shown.filter(Boolean).join(' · ');
    },
    isRealityCheckDue() {
      const { sessionStartedAtMs: startedAtMs, config } = client.state;
      if (startedAtMs === undefined || config === undefined) return false;
      realityCheck ??= createRealityCheck({ startedAtMs, intervalMs: config.jurisdiction.realityCheckInterval });
      return realityCheck.isDue();
    },
    async checkReality() {
      const { launch, state } = client;
      const played = `${texts.playedFor} ${formatElapsed(realityCheck?.elapsedMs() ?? 0)}`;
      await dialogs.tell(`${played}\n${texts.net} ${money.text(state.netPositionMicros)}`, {
        canGoOn: true,
        links: { [texts.accountHistory]: launch.historyURL, [texts.leave]: launch.returnURL },
      });
      realityCheck?.acknowledge();
    },
  };
}
