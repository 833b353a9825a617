import type { BalanceOrder } from './balanceOrder.ts';
import type { NetPosition } from './netPosition.ts';
import type { PendingPlays } from './pendingPlay.ts';
import type { RoundPace } from './roundPace.ts';
import type { StateStore } from './stateStore.ts';
import type { Turns } from './turns.ts';
import type { Wire } from './wire.ts';

/** What the calls of one client share. */
export type Core = {
  readonly store: StateStore;
  readonly wire: Wire;
  readonly inTurn: Turns;
  readonly pendingPlays: PendingPlays;
  readonly balanceOrder: BalanceOrder;
  readonly pace: RoundPace;
  readonly netPosition: NetPosition;
  readonly strictBetLevels: boolean;
};
