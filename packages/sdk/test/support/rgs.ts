import { type AuthenticateResponse, type Balance, GAME_ROUTES, isRound, type Round } from '@roundhouse/contract/light';
import { inject } from 'vitest';
import { GAMES } from './testGames.ts';

export type Session = { sessionID: string; gameID: string };
export type Truth = { balance: Balance; round: Round | undefined; activeRound: Round | undefined };

/** Sends requests to the real server directly, without the client. */
export const rgs = {
  get url(): string {
    return inject('rgsUrl');
  },

  /** Starts a new session, of a new player unless a token names one. */
  async startSession(
    wish: { gameID?: string; token?: string; setBalance?: number; draws?: 'provablyFair' } = {},
  ): Promise<Session> {
    const gameID = wish.gameID ?? GAMES.open.id;
    const { sessionID } = await call<{ sessionID: string }>('/session/start', { ...wish, gameID });
    return { sessionID, gameID };
  },

  /** The next play of the session in this mode takes this book. */
  force(session: Session, mode: string, bookID: number): Promise<unknown> {
    return call('/game/force', { sessionID: session.sessionID, mode, bookID });
  },

  async truth({ sessionID }: Session): Promise<Truth> {
    const { balance, round } = await call<AuthenticateResponse>(GAME_ROUTES.authenticate.path, { sessionID });
    const newest = isRound(round) ? round : undefined;
    return { balance, round: newest, activeRound: newest?.active ? newest : undefined };
  },

  play: ({ sessionID }: Session, bet: { amount: number; mode: string }) =>
    call(GAME_ROUTES.play.path, { sessionID, ...bet }),

  endRound: ({ sessionID }: Session) => call(GAME_ROUTES.endRound.path, { sessionID }),
};

async function call<Body>(path: string, body: object): Promise<Body> {
  const response = await fetch(`${inject('rgsUrl')}${path}`, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} has the status ${response.status} ${text}`);
  return JSON.parse(text);
}
