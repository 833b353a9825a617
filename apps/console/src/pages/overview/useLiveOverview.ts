import type { Overview } from '@roundhouse/contract/admin';
import { ADMIN_ROUTES } from '@roundhouse/contract/admin-routes';
import { useEffect, useState } from 'react';
import { away, call, isSignInOpen, reportError } from '../../api.ts';
import { AwayError } from '../../lib/errors.ts';

/** Plays per second, by time in seconds since 1970. */
export type PlaysPoint = { at: number; plays: number };

export type LiveOverview = {
  overview: Overview | undefined;
  /** The events came since then; milliseconds since 1970, undefined before the first one. */
  updatedMs: number | undefined;
  /** The page keeps the points of the last five minutes. */
  plays: readonly PlaysPoint[];
};

const MOST_POINTS = 150;
const RECONNECT_MS = 3_000;

/**
 * Follows the overview by server-sent events. It reconnects automatically, also after a session has
 * ended and the user has signed in again.
 */
export function useLiveOverview(): LiveOverview {
  const [live, setLive] = useState<LiveOverview>({ overview: undefined, updatedMs: undefined, plays: [] });
  const isSignedOut = isSignInOpen.use();

  useEffect(() => {
    if (isSignedOut) return;
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = () => {
      source = new EventSource(ADMIN_ROUTES.watchOverview.path);
      source.addEventListener('overview', ({ data }) => {
        away.set(undefined);
        setLive((before) => withChanges(before, JSON.parse(data), Date.now()));
      });
      source.addEventListener('away', () => void reportError(new AwayError(true)));
      source.addEventListener('end', reconnect);
      // The browser reconnects after a lost connection, but not after a refusal.
      source.addEventListener('error', () => source?.readyState === EventSource.CLOSED && reconnect());
    };
    const reconnect = () => {
      source?.close();
      // The response to a plain request gives the reason: it opens the sign-in or the away banner.
      // Beyond the limit of live pages, this page shows that response.
      call('getOverview', {}, { isBackground: true }).then(
        (overview) => setLive((before) => withChanges(before, overview, Date.now())),
        () => undefined,
      );
      clearTimeout(timer);
      timer = setTimeout(connect, RECONNECT_MS);
    };
    connect();
    return () => {
      source?.close();
      clearTimeout(timer);
    };
  }, [isSignedOut]);
  return live;
}

/** Returns the state after an event. An event has only the members that changed. */
function withChanges(before: LiveOverview, changes: Partial<Overview>, nowMs: number): LiveOverview {
  const overview = { ...before.overview, ...changes } as Overview;
  const { playsPerSecond: plays } = overview;
  const points = plays === null ? before.plays : [...before.plays, { at: nowMs / 1000, plays }];
  return { overview, updatedMs: nowMs, plays: points.slice(-MOST_POINTS) };
}
