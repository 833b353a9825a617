import { isSessionOver } from './session.ts';

/** The part of a document that tells whether anybody is looking. */
type Visibility = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

export type IdleRefresh = {
  /** A call starts, or ends: the time without a call begins anew. */
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
  /** Undefined where there is no document: then it is never paused. */
  visibility: Visibility | undefined;
};

/**
 * Refreshes after some time without a call. A hidden page asks nothing, and when it is shown again it asks at once for what has
 * become due. What goes wrong is silent: the next call of the game meets the same trouble, and there somebody is listening. A session
 * that is over stays so, and ends the refreshing: otherwise an open page would keep it alive for ever.
 */
export function createIdleRefresh({ everyMs, isWanted, refresh, visibility }: IdleRefreshOptions): IdleRefresh {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay = 0;
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
      underWay += 1;
      rest();
    },
    end() {
      underWay -= 1;
      if (underWay === 0 && everyMs > 0 && !isStopped) timer = setTimeout(run, everyMs);
    },
    stop() {
      isStopped = true;
      rest();
      visibility?.removeEventListener('visibilitychange', onVisibility);
    },
  };
}
