import { isSessionOver } from './session.ts';

type Visibility = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

export type IdleRefresh = {
  /** A request starts, or ends: the idle time begins anew. */
  begin(): void;
  end(): void;
  stop(): void;
};

export type IdleRefreshOptions = {
  /** 0 switches it off. */
  everyMs: number;
  /** Whether there is anything to refresh. */
  isWanted: () => boolean;
  refresh: () => Promise<unknown>;
  /** Undefined where there is no document: then it never pauses. */
  visibility: Visibility | undefined;
};

/**
 * Refreshes after some time without a request. A hidden page sends nothing, and when it is shown
 * again a due refresh starts at once. Errors are silent: the next call of the game meets the same
 * one. An ended session ends the refreshing: otherwise an open page would keep it alive for ever.
 */
export function createIdleRefresh({ everyMs, isWanted, refresh, visibility }: IdleRefreshOptions): IdleRefresh {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let openRequests = 0;
  let isDue = false;
  let isStopped = false;

  const rest = () => {
    isDue = false;
    clearTimeout(timer);
    timer = undefined;
  };
  const run = () => {
    isDue = visibility?.hidden === true;
    if (!isDue && isWanted()) refresh().catch((error) => isSessionOver(error) && rest());
  };
  const onVisibility = () => {
    if (isDue) run();
  };
  visibility?.addEventListener('visibilitychange', onVisibility);

  return {
    begin() {
      openRequests += 1;
      rest();
    },
    end() {
      openRequests -= 1;
      if (openRequests === 0 && everyMs > 0 && !isStopped) timer = setTimeout(run, everyMs);
    },
    stop() {
      isStopped = true;
      rest();
      visibility?.removeEventListener('visibilitychange', onVisibility);
    },
  };
}
