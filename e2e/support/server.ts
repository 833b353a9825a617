import { expect } from '@playwright/test';

/** What `/session/start` takes: see /docs/api. */
type SessionWish = {
  currency?: string;
  language?: string;
  device?: 'mobile' | 'desktop';
  social?: boolean;
  jurisdiction?: Readonly<Record<string, boolean | number>>;
  draws?: 'certified' | 'provablyFair';
  /** Names the player; without it the player is new. */
  token?: string;
  /** Micros. */
  setBalance?: number;
};
type Session = { url: string; sessionID: string };

/** Is a round as the wire has it; amounts are micros. */
export type Round = {
  betID: number;
  amount: number;
  payout: number;
  costMultiplier: number;
  active: boolean;
  mode: string;
  event: string | null;
  state: BookEvent[];
};
type BookEvent = { index: number; type: string } & Readonly<Record<string, unknown>>;
type Authenticated = {
  balance: { amount: number; currency: string };
  config: { betLevels: number[]; defaultBetLevel: number };
  /** It is empty for a player who has never played. */
  round: Partial<Round>;
  /** It has the seeds of a session with provably fair draws. */
  meta: { fairness?: { serverSeedHash: string } } | null;
};
export type PublishedBook = { payoutMultiplier: number; costMultiplier: number; state: BookEvent[] };

/** Asks the server over HTTP, beside the page. */
export class RgsServer {
  readonly origin: string;
  readonly #gameID: string;

  constructor(origin: string, gameID: string) {
    this.origin = origin;
    this.#gameID = gameID;
  }

  /** Starts a new session of a new test player, with 1,000 units unless told otherwise. */
  startSession(wish: SessionWish = {}): Promise<Session> {
    return this.#call('/session/start', { gameID: this.#gameID, ...wish });
  }

  authenticate(sessionID: string): Promise<Authenticated> {
    return this.#call('/wallet/authenticate', { sessionID });
  }

  /** Micros. */
  async balanceOf(sessionID: string): Promise<number> {
    const { balance } = await this.#call<{ balance: { amount: number } }>('/wallet/balance', { sessionID });
    return balance.amount;
  }

  /** Plays beside the page, in another session of the player. */
  play(bet: { sessionID: string; mode: string; amount: number }): Promise<{ round: Round }> {
    return this.#call('/wallet/play', bet);
  }

  /** Plays, and ends the round when it stays open. */
  async playToEnd(bet: { sessionID: string; mode: string; amount: number }): Promise<Round> {
    const { round } = await this.play(bet);
    if (round.active) await this.#call('/wallet/end-round', { sessionID: bet.sessionID });
    return round;
  }

  /** The next play of the session in this mode takes this book. */
  forceNext(book: { sessionID: string; mode: string; bookID: number }): Promise<unknown> {
    return this.#call('/game/force', book);
  }

  /** The next play of the session in the mode has a result of this kind. */
  force(wish: { sessionID: string; mode: string; kind: 'loss' | 'big' }): Promise<unknown> {
    return this.#call('/game/force', wish);
  }

  /** Sets the client seed of a session with provably fair draws. */
  setClientSeed({ sessionID, clientSeed }: { sessionID: string; clientSeed: string }): Promise<unknown> {
    return this.#call('/fairness/client-seed', { sessionID, clientSeed });
  }

  /** Reveals the server seed in use. The next one takes over, with this client seed. */
  async revealSeed({ sessionID, clientSeed }: { sessionID: string; clientSeed: string }): Promise<void> {
    type Seeds = { fairness: { serverSeedHash: string } };
    const { fairness } = await this.#call<Seeds>('/fairness/seeds', { sessionID });
    await this.#call('/fairness/rotate', { sessionID, clientSeed, serverSeedHash: fairness.serverSeedHash });
  }

  book(path: string): Promise<PublishedBook> {
    return this.#call(`/bet/replay/${path}`);
  }

  async get(path: string): Promise<Response> {
    const response = await fetch(`${this.origin}${path}`);
    expect(response.status, `GET ${path}`).toBe(200);
    return response;
  }

  async #call<Body>(path: string, body?: object): Promise<Body> {
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${this.origin}${path}`, request);
    const text = await response.text();
    expect(response.status, `${path} answered ${text}`).toBe(200);
    return JSON.parse(text) as Body;
  }
}
