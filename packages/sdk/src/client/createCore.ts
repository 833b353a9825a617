import type { LaunchPlay, LaunchReplay } from '@roundhouse/contract/light';
import { readBalance } from './balance.ts';
import { createBalanceOrder } from './balanceOrder.ts';
import type { ClientOptions } from './clientTypes.ts';
import type { Core } from './core.ts';
import { createIdleRefresh, type IdleRefresh } from './idleRefresh.ts';
import { createKeyStorage, storageNameOf } from './keyStorage.ts';
import { createNetPosition } from './netPosition.ts';
import { createPendingPlays } from './pendingPlay.ts';
import { createRoundPace } from './roundPace.ts';
import { createStateStore } from './stateStore.ts';
import { createTransport } from './transport.ts';
import { createTurns } from './turns.ts';
import { createWire } from './wire.ts';

/** Makes the parts of a client and joins them, with the defaults of the options. */
export function createCore(
  launch: LaunchPlay | LaunchReplay,
  options: ClientOptions,
  closed: AbortSignal,
): { core: Core; idle: IdleRefresh } {
  const {
    timeoutMs = 10_000,
    maxRetries = 3,
    retryDelayMs = 300,
    maxRetryDelayMs = 4000,
    balanceRefreshMs = 30_000,
    strictBetLevels = false,
    storage,
    // Looked up at each call: a page may replace its fetch later.
    fetch = (input, init) => globalThis.fetch(input, init),
  } = options;
  const { rgsUrl } = launch;
  const sessionID = launch.kind === 'play' ? launch.sessionID : '';
  const store = createStateStore({ needsAuthenticate: launch.kind === 'play' });
  const idle = createIdleRefresh({
    everyMs: balanceRefreshMs,
    isWanted: () => !store.state.needsAuthenticate,
    refresh: () => readBalance(core, { maxRetries: 0 }),
    visibility: typeof document === 'undefined' ? undefined : document,
  });
  const wire = createWire({
    rgsUrl,
    sessionID,
    transport: createTransport({ fetch, timeoutMs, closed }),
    maxRetries,
    retryDelayMs,
    maxRetryDelayMs,
    closed,
    random: Math.random,
    onActivity: idle,
  });
  const keys = createKeyStorage(() => storage ?? sessionStorage);
  const core: Core = {
    store,
    wire,
    inTurn: createTurns(),
    pendingPlays: createPendingPlays(keys, storageNameOf({ rgsUrl, sessionID })),
    balanceOrder: createBalanceOrder(),
    pace: createRoundPace(),
    netPosition: createNetPosition(),
    strictBetLevels,
  };
  return { core, idle };
}
