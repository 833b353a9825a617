import type { adminContract, adminStreamContract } from '@roundhouse/contract/admin';
import type { Response } from 'express';
import type { Handlers } from '../../base/http/endpoints.ts';
import { ok } from '../../base/http/responses.ts';
import type { SignedIn } from '../access/caller.ts';
import type { AdminDeps } from './adminDeps.ts';
import { callerOf, hasRight } from './guard.ts';
import { scopeOf } from './operatorScope.ts';
import { createLiveState, type LiveReading } from './overview/liveState.ts';
import { watchSessions } from './overview/watchSessions.ts';
import type { StreamHandlers } from './stream.ts';
import { createPlaces, LIVE_PLACES } from './turns.ts';

type Shared = {
  live: ReturnType<typeof createLiveState>;
  sessions: ReturnType<typeof watchSessions>;
  closing: AbortSignal;
};

/** Returns the overview at once, or follows it. Several who follow it share each reading. */
export function overviewHandlers(deps: AdminDeps) {
  const live = createLiveState(deps);
  const shared = { live, sessions: watchSessions(deps), closing: deps.closing };
  const places = createPlaces(LIVE_PLACES);
  const handlers: Pick<Handlers<typeof adminContract>, 'getOverview'> = {
    getOverview: async ({ res }) => ok((await live.now()).of(scopeOf(res).operatorCode)),
  };
  const streams: Pick<StreamHandlers<typeof adminStreamContract>, 'watchOverview'> = {
    watchOverview: async ({ res }) => {
      const place = places.take(callerOf(res).userID);
      if (typeof place !== 'function') return place;
      res.on('close', place);
      follow(shared, res);
      return undefined;
    },
  };
  return { handlers, streams };
}

/** Sends events until the client goes or the session ends. It does not keep the session alive. */
function follow({ live, sessions, closing }: Shared, res: Response): void {
  const { caller, sessionID, endsAt } = res.locals.signedIn as SignedIn;
  const { operatorID = null, operatorCode } = scopeOf(res);
  const { userID, role } = caller;
  res.status(200).setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // A proxy must not gather the events.
  res.setHeader('X-Accel-Buffering', 'no');
  res.flushHeaders();
  const send = (event: 'overview' | 'away' | 'end', json = '{}') => res.write(`event: ${event}\ndata: ${json}\n\n`);
  const sent = new Map<string, string>();
  const stop = live.watch((reading: LiveReading | undefined) => {
    if (reading === undefined) return void send('away');
    // A client that does not read gets the next one.
    if (res.writableNeedDrain) return;
    send('overview', changesOf(reading.textsOf(operatorCode), sent));
  });
  const unwatch = sessions.watch(sessionID, (now) => {
    const isSame = now?.userID === userID && now.role === role && now.operatorID === operatorID;
    const isAllowed = isSame && endsAt > new Date() && hasRight(caller, 'watchOverview');
    if (isAllowed || res.closed) return;
    leave();
    send('end');
    res.end();
  });
  const leave = () => {
    unwatch();
    stop();
  };
  const end = () => void res.end();
  closing.addEventListener('abort', end);
  res.on('close', () => {
    leave();
    closing.removeEventListener('abort', end);
  });
}

/**
 * Returns the members that differ from what was sent before as one JSON object, and remembers them.
 */
function changesOf(texts: ReadonlyMap<string, string>, sent: Map<string, string>): string {
  const changes: string[] = [];
  for (const [name, text] of texts) {
    if (sent.get(name) === text) continue;
    sent.set(name, text);
    changes.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${changes.join(',')}}`;
}
