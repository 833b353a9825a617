import type { ConfiguredCurrency } from '@roundhouse/contract';
import type { Logger } from 'pino';
import type { Database } from '../../store/database/database.ts';
import type { Access } from '../access/caller.ts';

/** What the handlers of the console get. */
export type AdminDeps = {
  /** Each statement names the user of its request as the actor. */
  db: Database;
  /**
   * Reports, downloads and other long work have these connections: no other request waits for them.
   */
  reportsDb: Database;
  log: Logger;
  access: Access;
  /** Browsers reach the console at this origin. */
  consoleUrl: string;
  players: {
    /** This process reaches the server for players here, for example http://127.0.0.1:4000. */
    url: string;
    /** Browsers reach it here. */
    publicUrl: string;
  };
  /** The server's settings have these currencies beside those of ISO 4217; none when left out. */
  currencies?: readonly ConfiguredCurrency[];
  /** It is aborted when the console stops: a response without an end must end then. */
  closing: AbortSignal;
  /** Some actions wait for the approval of a second user. */
  twoPerson: boolean;
  /** Users who sign in with a password must have an authenticator app. */
  secondFactor: boolean;
};
