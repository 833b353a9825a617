import type { SessionUser } from '../../../store/staff/consoleSignIns.ts';
import type { AdminDeps } from '../adminDeps.ts';

/**
 * How often the sessions of watchers are looked up: one that somebody ended gets no more than this.
 */
const CHECK_MS = 5_000;

/** It gets who has the session now; undefined when it has ended. */
type Listener = (user: SessionUser | undefined) => void;

/** Looks up the sessions of all watchers at once, and not at all without one. */
export function watchSessions({ access, log }: Pick<AdminDeps, 'access' | 'log'>) {
  const listeners = new Map<Listener, string>();
  let timer: NodeJS.Timeout | undefined;

  const check = async () => {
    const users = await access.sessionUsers([...new Set(listeners.values())]);
    const bySession = new Map(users.map((user) => [user.sessionID, user]));
    for (const [listener, sessionID] of [...listeners]) listener(bySession.get(sessionID));
  };
  return {
    /** Calls the listener every 5 seconds, until the returned function is called. */
    watch(sessionID: string, listener: Listener): () => void {
      listeners.set(listener, sessionID);
      timer ??= setInterval(() => {
        // The database is away, which the events report.
        check().catch((err: unknown) => log.warn({ err }, 'the sessions of watchers cannot be read'));
      }, CHECK_MS).unref();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
