import type {
  AuthenticateResponse,
  Balance,
  BalanceResponse,
  BetConfig,
  ClientSeedResponse,
  EndRoundResponse,
  EventResponse,
  FairDocument,
  Fairness,
  FairnessSeedsResponse,
  Grant,
  GrantsRequest,
  GrantsResponse,
  HistoryRequest,
  HistoryResponse,
  LaunchPlay,
  LaunchReplay,
  PlayRequest,
  PlayResponse,
  ReplayResponse,
  RotateResponse,
  Round,
} from '@roundhouse/contract/light';
import type { ReplayBook, Requests } from './requests.ts';

/** This part of `Storage` keeps the key of a pending play. */
export type KeyStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Milliseconds are at most 2,147,483,647: browsers' timers take no more. */
export type ClientOptions = {
  /** The launch URL: `location.href`. */
  url: string;
  /**
   * It limits one attempt, in milliseconds, from sending to the last byte of the body: 1 or more.
   * The default is 10,000.
   */
  timeoutMs?: number;
  /**
   * The number of times that a request is repeated: 0 or more. The default is 3. 0 switches retries
   * off.
   */
  maxRetries?: number;
  /**
   * It is the longest wait before the first retry, in milliseconds, 0 or more. It doubles each
   * time, and each wait is drawn at random below it. The default is 300.
   */
  retryDelayMs?: number;
  /** No wait between two attempts is longer, in milliseconds: 0 or more. The default is 4,000. */
  maxRetryDelayMs?: number;
  /**
   * The client reads the balance again after this time without a request, in milliseconds: 0 or
   * more. The default is 30,000. 0 switches it off.
   */
  balanceRefreshMs?: number;
  /**
   * Whether only bets of `config.betLevels` are sent, when it has any. The default is false: any
   * bet within the rules is sent.
   */
  strictBetLevels?: boolean;
  /**
   * It is the front end's own version, which the server logs with the session. It has up to 100
   * characters. The default is the version in the path of the launch URL.
   */
  version?: string;
  /**
   * Takes `funMode` of `@roundhouse/sdk/fun`. Without it the client refuses a launch URL without a
   * session, also one with `demo=true`.
   */
  funMode?: FunMode;
  /**
   * Takes `fairnessPart` of `@roundhouse/sdk/fairness`. Without it a session with provably fair
   * draws is played as well, and `client.fairness` is undefined.
   */
  fairness?: FairnessPart;
  /** The default is `sessionStorage`; memory where that is blocked. */
  storage?: KeyStorage;
  /** The default is the global `fetch`. */
  fetch?: typeof fetch;
};

/** Answers the requests of a session on the page: `funMode` of `@roundhouse/sdk/fun`. */
export type FunMode = (deps: { launch: LaunchPlay; storage: KeyStorage; ask: Requests['ask'] }) => Requests['send'];

/** Makes `client.fairness`: `fairnessPart` of `@roundhouse/sdk/fairness`. */
export type FairnessPart = (deps: {
  store: { readonly state: ClientState; update(change: { fairness: Fairness }): void };
  /** Sends a request of the session. */
  ask: Requests['ask'];
  /** Makes a call that changes or tells the seeds in its turn, from a known state. */
  inTurn<Response>(call: () => Promise<Response>): Promise<Response>;
  /** Makes a call that changes nothing. */
  read<Response>(call: () => Promise<Response>): Promise<Response>;
}) => FairnessCalls;

/**
 * A base bet in micros and the name of a bet mode, in upper or lower case. With a grantID it is a
 * free round of that grant, and has its amount and mode: `@roundhouse/sdk/grants` fills them in.
 */
export type Bet = Pick<PlayRequest, 'amount' | 'mode' | 'grantID'>;

/** Names a grant whose state is wanted as well, and what the player decides about it. */
export type GrantsQuestion = Omit<GrantsRequest, 'sessionID'>;

/**
 * Asks for a page of the history. With `before`, it has only rounds with a lower betID: the `next`
 * of the page before. It has `limit` rounds at most: 1 to 50, 20 by default.
 */
export type HistoryPage = Omit<HistoryRequest, 'sessionID'>;

/** What a game needs to know, as one frozen snapshot. After a change there is a new one. */
export type ClientState = {
  readonly balance: Balance | undefined;
  readonly config: BetConfig | undefined;
  /** The active round, else the last completed one. */
  readonly round: Round | undefined;
  /** The round to resume or to finish. */
  readonly activeRound: Round | undefined;
  /** The pending call that decides about the round. */
  readonly pending: 'authenticate' | 'play' | 'endRound' | undefined;
  /**
   * Says whether a bet may be placed now. It does not count the minimum round duration: see
   * `msUntilNextPlay`.
   */
  readonly canPlay: boolean;
  /**
   * It is true before the first authenticate, after the session has ended, and after a failure
   * whose outcome is unknown: call `authenticate`. A play, end-round or event that comes first
   * authenticates automatically.
   */
  readonly needsAuthenticate: boolean;
  /** It is `Date.now()` of the first successful authenticate of this client. */
  readonly sessionStartedAtMs: number | undefined;
  /**
   * It is payouts minus debits since the client was made, in micros, exact. The debit of a round
   * counts when this client has played it, its payout when it ends while this client knows it: a
   * resumed round counts with its payout only. So does a free round.
   */
  readonly netPositionMicros: number;
  /**
   * The grants of the last authenticate or `grants` request: the open ones, oldest first, and the
   * one that the request named. It is empty when the player has none.
   */
  readonly grants: readonly Grant[];
  /**
   * The seeds of the next draw, where the session has provably fair draws; else undefined. The
   * nonce counts the plays of this client. One of another page, or one that the operator's wallet
   * has refused, counts when the client authenticates or reads the seeds.
   */
  readonly fairness: Fairness | undefined;
};

/**
 * The calls of a session with provably fair draws; in another session they reject with a
 * `BadRequestError`. While the player has an open round, both changes of seeds reject with it as
 * well.
 */
export type FairnessCalls = {
  /** Reads the seeds, and the server seeds that were revealed: the newest 50. */
  seeds(): Promise<FairnessSeedsResponse>;
  /**
   * Sets the client seed of the next play: 1 to 64 characters, no control characters. The default
   * comes from the randomness of the browser. The first authenticate has set one in the same way.
   */
  changeClientSeed(clientSeed?: string): Promise<ClientSeedResponse>;
  /**
   * Reveals the server seed, so that all rounds under it can be checked, and begins with the next
   * one and this client seed. After a rejection a repeated call reveals the same server seed.
   * Before the first play under the server seed it rejects with a `BadRequestError`.
   */
  rotate(clientSeed?: string): Promise<RotateResponse>;
  /**
   * Returns the proof of a completed round of the player; `verify` of `@roundhouse/fair` checks it.
   */
  proof(betID: number): Promise<FairDocument>;
  /**
   * Returns all rounds under a revealed server seed. The player has one export at a time; the
   * client waits five minutes for its last byte.
   */
  export(serverSeedHash: string): Promise<FairDocument>;
};

/**
 * Talks to a Roundhouse server from a browser. Each call rejects with an `RgsError`. One deciding
 * call runs at a time: a play or end-round while another is pending is refused, and any other call
 * waits for its turn.
 */
export type Client = {
  /** It holds what the launch URL says. */
  readonly launch: LaunchPlay | LaunchReplay;
  readonly state: ClientState;
  /** Calls the listener after each change until the returned function is called. */
  subscribe(listener: (state: ClientState) => void): () => void;
  /**
   * Authenticates the session. It must come first, and can be repeated at any time. Calls made
   * while one is pending share its response.
   */
  authenticate(): Promise<AuthenticateResponse>;
  /**
   * Returns the balance now. There is no need to poll: the client refreshes it, and lets an idle
   * session end.
   */
  balance(): Promise<BalanceResponse>;
  /**
   * Places a bet and resolves to its round. A bet whose response was lost is never debited twice,
   * also over a reload. After a rejection `state.activeRound` says whether there is a round to
   * resume.
   */
  play(bet: Bet): Promise<PlayResponse>;
  /** Completes the active round and collects its payout. A repeated call pays nothing twice. */
  endRound(): Promise<EndRoundResponse>;
  /**
   * Records an action in the active round, in the order of the calls: 1 to 8,192 bytes in UTF-8,
   * and 1 MiB in a round. A lost one is repeated and may then be recorded twice: let the latest one
   * hold all that resuming needs.
   */
  event(event: string): Promise<EventResponse>;
  /**
   * Returns the player's rounds in this game and currency, newest first. `next` is null on the last
   * page. It changes nothing, and lets an idle session end. A server without history rejects with a
   * `ServerError`.
   */
  history(page?: HistoryPage): Promise<HistoryResponse>;
  /**
   * Reads the player's free rounds in this game and currency, and accepts or declines a named
   * grant. `createGrants` of `@roundhouse/sdk/grants` does all of it for a game. A server without
   * free rounds rejects with a `ServerError`.
   */
  grants(about?: GrantsQuestion): Promise<GrantsResponse>;
  /** The player checks each draw with these; undefined without the option `fairness`. */
  readonly fairness: FairnessCalls | undefined;
  /**
   * Returns a published book; without an argument the one that the replay launch URL names. It
   * needs no session.
   */
  replay(book?: ReplayBook): Promise<ReplayResponse>;
  /**
   * Returns the milliseconds until `jurisdiction.minimumRoundDuration` allows the next play; 0 when
   * it does now.
   */
  msUntilNextPlay(): number;
  /** Stops the timers and the pending requests. The client cannot be used again. */
  close(): void;
};
