import type { Role } from '@roundhouse/contract/admin-routes';
import type { Request, RequestHandler } from 'express';
import type { SessionUser } from '../../store/staff/consoleSignIns.ts';

/** A user of the console who sends a request. */
export type Caller = {
  userID: string;
  email: string;
  name: string;
  role: Role;
  /** The user belongs to this operator; undefined for a user of the server. */
  operator: { operatorID: number; code: string } | undefined;
  /** An authenticator app counts, and a passkey. */
  hasSecondFactor: boolean;
  hasAuthenticator: boolean;
  /** A password alone signs this user in. */
  passwordAlone: boolean;
};

/** Names the user in the log of significant events. */
export function actorOf({ email }: Pick<Caller, 'email'>): string {
  return `user:${email}`;
}

/** What the session of a request says. */
export type SignedIn = { caller: Caller; sessionID: string; endsAt: Date };

/** What the guard and the server of the console need to know of signing in. */
export type Access = {
  /** Serves /api/auth. */
  router: RequestHandler;
  /** A request in the background does not keep its session alive. */
  signedIn(req: Request, options: { keepAlive: boolean }): Promise<SignedIn | undefined>;
  /** Returns the user as they are now; undefined when they are gone or disabled. */
  findCaller(userID: string): Promise<Caller | undefined>;
  /**
   * Returns who has these sessions now, at once for all of them; a session that has ended is left
   * out.
   */
  sessionUsers(sessionIDs: readonly string[]): Promise<SessionUser[]>;
};
