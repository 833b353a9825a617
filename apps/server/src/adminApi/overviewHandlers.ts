import type { adminContract, adminStreamContract, Overview } from '@roundhouse/contract/admin';
import { mayCall } from '@roundhouse/contract/admin-routes';
import type { Request, Response } from 'express';
import type { Handlers } from '../http/endpoints.ts';
import { ok } from '../http/responses.ts';
import type { AdminDeps } from './adminDeps.ts';
import { callerOf } from './guard.ts';
import { createLiveState, type LiveReading } from './overview/liveState.ts';
import type { StreamHandlers } from './stream.ts';

type LiveState = ReturnType<typeof createLiveState>;

/** How often a watcher's session is looked up: a session that somebody ended gets no more than this. */
const SESSION_CHECK_MS = 5_000;

/** Returns the overview at once, or follows it. Several who follow it share each reading. */
export function overviewHandlers(deps: AdminDeps) {
  const live = createLiveState(deps);
  const handlers: Pick<Handlers<typeof adminContract>, 'getOverview'> = {
    getOverview: async ({ res }) => ok((await live.now())(callerOf(res).operator?.code)),
  };
  const streams: Pick<StreamHandlers<typeof adminStreamContract>, 'watchOverview'> = {
    watchOverview: async ({ req, res }) => {
      follow({ ...deps, live }, { req, res });
      return undefined;
    },
  };
  return { handlers, streams };
}

type Follow = Pick<AdminDeps, 'access' | 'log' | 'closing'> & { live: LiveState };

/** Sends events until the client goes or the session ends. It does not keep the session alive. */
function follow({ access, log, closing, live }: Follow, { req, res }: { req: Request; res: Response }): void {
  const { userID, role, operator } = callerOf(res);
  res.status(200).setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // A proxy must not gather the events.
  res.setHeader('X-Accel-Buffering', 'no');
  res.flushHeaders();
  const send = (event: 'overview' | 'away' | 'end', data: object = {}) =>
    res.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const sent = new Map<string, string>();
  const stop = live.watch((reading: LiveReading | undefined) => {
    if (reading === undefined) return void send('away');
    // A client that does not read gets the next one.
    if (res.writableNeedDrain) return;
    send('overview', changesOf(reading(operator?.code), sent));
  });

  const isAllowed = async () => {
    const signedIn = await access.signedIn(req, { keepAlive: false });
    const now = signedIn?.caller;
    const isSame = now?.userID === userID && now.role === role && now.operator?.operatorID === operator?.operatorID;
    return isSame && mayCall('watchOverview', { role, isOperators: operator !== undefined });
  };
  const timer = setInterval(() => {
    isAllowed().then(
      (allowed) => {
        if (allowed || res.closed) return;
        leave();
        send('end');
        res.end();
      },
      // The database is away: the events say so.
      (err: unknown) => log.warn({ err }, 'the session of a watcher cannot be read'),
    );
  }, SESSION_CHECK_MS);
  timer.unref();
  const leave = () => {
    clearInterval(timer);
    stop();
  };
  const end = () => void res.end();
  closing.addEventListener('abort', end);
  res.on('close', () => {
    leave();
    closing.removeEventListener('abort', end);
  });
}

/** Returns the members that differ from what was sent before, and remembers them. */
function changesOf(overview: Overview, sent: Map<string, string>): Partial<Overview> {
  const changes = Object.entries(overview).filter(([name, value]) => {
    const text = JSON.stringify(value);
    if (sent.get(name) === text) return false;
    sent.set(name, text);
    return true;
  });
  return Object.fromEntries(changes);
}
