import type {
  CurrencyCode,
  Language,
  LaunchPages,
  Micros,
  OperatorGrant,
  PartialJurisdiction,
} from '@roundhouse/contract';
import type { WalletExchange } from '@roundhouse/wallet-check/http';
import type * as z from 'zod';
import type { AnyResult, WalletCall } from './walletCall.ts';

/**
 * A dialect is the protocol of a wallet: its requests, the meaning of its responses, and the
 * requests that its owner sends to this server. The server keeps the rounds and the wallet
 * transactions, and uses only this type of a dialect.
 */
export type Dialect<Settings = unknown> = {
  traits: DialectTraits;
  /** The settings file of an operator has this content. */
  settings: z.ZodType<Settings>;
  /** Called when the settings of the operator were read: it may prepare keys. */
  connect(operator: DialectOperator<Settings>): DialectConnection;
};

type DialectOperator<Settings> = {
  code: string;
  settings: Settings;
  /** The first one signs, all of them verify. Only the server's own protocol uses them. */
  secrets: readonly string[];
};

/** What the protocol demands of the server. */
export type DialectTraits = {
  /**
   * The debit of a lost round that closes at once closes it: the wallet gets one request for the
   * round. Then `debit` has closesRound.
   */
  closesWithDebit: boolean;
  /**
   * The wallet refuses to roll back a debit that has closed its round. So the server rolls back an
   * uncertain debit before it makes the round void. If that is refused with `debitStands`, the
   * round is lost.
   */
  closedDebitsStand: boolean;
  /** It takes many closings in one request, or responds that it is lacking. */
  groupsClosings: boolean;
  /**
   * A rollback of a debit that the wallet does not know: the wallet refuses that debit from then on
   * when this is 0. Otherwise a delayed debit may still come, and the server repeats the rollback
   * until it has this age, in milliseconds.
   */
  unknownDebitAfterMs: number;
  /** The wait before the first rollback, in milliseconds. */
  rollbackAfterMs: number;
  /**
   * The server retries credits and rollbacks for this time, in milliseconds and at most 72 hours,
   * before it parks them.
   */
  retryMs: number;
  /** Credit and rollback need no live token; else a refusal of the token is final. */
  settlesWithoutSession: boolean;
  /** The server may complete a round that its player has left. */
  completesRounds: boolean;
  /**
   * The wallet gets each free round with its win, or the wins of a grant in one credit and no round
   * of it, or what the grant says.
   */
  freeRounds: 'none' | 'each_round' | 'at_end' | 'either';
};

/** Each part is a function of one operator's settings. */
export type DialectConnection = {
  /**
   * The least amount that the wallet can move, in micros: every amount of the currency is a
   * multiple. undefined: the wallet does not know the currency.
   */
  unitOf(currency: CurrencyCode): number | undefined;
  /**
   * Makes the request, and reads the response. It never throws for what the wallet does. Most calls
   * are one post; a call of more is repeated as a whole.
   */
  send(call: WalletCall, post: Post): Promise<AnyResult>;
  /** Responds to the owner of the wallet. Without it the owner uses the operator API. */
  receive?(request: InboundRequest, server: DialectServer): Promise<InboundResponse>;
};

/**
 * Sends a POST. `path` follows the operator's wallet URL. Header names and values alternate.
 */
export type Post = (request: { path: string; headers: string[]; body: string }) => Promise<WalletExchange>;

export type InboundRequest = {
  method: string;
  /** It follows `/dialects/<operator code>`, with its query. */
  path: string;
  /** The names are in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The signature is over these bytes. */
  body: Buffer;
  /** The client sent the request from this IP address. */
  address?: string | undefined;
};

export type InboundResponse = {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: string;
  /**
   * The request was refused for a reason that staff should know. signature: it is not signed by the
   * owner. partner: it names a casino or partner that the settings do not have.
   */
  refused?: 'signature' | 'partner';
};

/** What the owner of a wallet can request from this server. Nothing of it moves money. */
export type DialectServer = {
  /**
   * Authenticates a player by the token of a launch that does not name them: the dialect's `send`
   * gets it without a player. Anybody on the internet may cause it, so an address has a limit.
   * @throws Overload beyond that limit; let it pass.
   */
  identify(launch: Pick<DialectLaunch, 'gameID' | 'token'>): Promise<AnyResult<'authenticate'>>;
  launch(launch: DialectLaunch): Promise<LaunchResult>;
  /**
   * A browser sends this request, without a signature of the owner. Anybody on the internet may
   * send it, so an address has a limit.
   * @throws Overload beyond that limit; let it pass.
   */
  admitStranger(): Promise<void>;
  /** Returns the URL of a game in fun mode. */
  launchDemo(launch: DialectDemo): Promise<LaunchResult>;
  /** The games that this operator may launch. */
  games(): Promise<DialectGame[]>;
  /** The page that shows a round, by its betID or the id of one of its wallet transactions. */
  roundPage(round: { roundID: bigint } | { transactionID: string }): Promise<RoundPage | undefined>;
  /** Safe to repeat with the same content. */
  giveFreeRounds(grant: DialectGrant): Promise<DialectGrantResult>;
  /** Takes what is unused. Safe to repeat. */
  cancelFreeRounds(grantID: string): Promise<{ ok: boolean }>;
  /** One grant by its id, or the newest 1,000, of one player when it names one. */
  freeRounds(wanted: { grantID?: string | undefined; playerID?: string | undefined }): Promise<OperatorGrant[]>;
  /** Marks a nonce as used, on every node. False: it was used in the last 15 minutes. */
  takeNonce(nonce: string): Promise<boolean>;
  /**
   * Lets the owner do something once in `everyMs` milliseconds, on all nodes together. Returns
   * false when less time has passed. `name` contains a space, which no nonce does.
   */
  takeTurn(name: string, everyMs: number): Promise<boolean>;
};

export type DialectLaunch = {
  /** 1 to 128 characters. The same name is the same player. */
  playerID: string;
  /** The wallet gets it back with every request of the session. 1 to 1024 characters. */
  token: string;
  gameID: string;
  currency: CurrencyCode;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
  language?: string | undefined;
  device?: 'desktop' | 'mobile' | undefined;
  jurisdiction?: PartialJurisdiction | undefined;
  /** The highest cost of one play. */
  maxStake?: Micros | undefined;
  /**
   * The interval that the player's browser requests, in milliseconds: it may only shorten the
   * interval.
   */
  browserRealityCheckMs?: number | undefined;
  /**
   * What the request is, as a text of 64 hexadecimal digits. The same one within 15 minutes, on any
   * node, is the same launch: it gets the same response.
   */
  requestKey?: string | undefined;
} & Partial<LaunchPages>;

/** A launch for fun has no player. */
export type DialectDemo = Pick<DialectLaunch, 'gameID' | 'currency' | 'language' | 'device' | 'jurisdiction'> &
  Partial<LaunchPages>;

/**
 * isFair: the player can check the draws. amounts: the wallet cannot move what some bet levels cost
 * or pay; `detail` names them. detail is for a log, in English.
 */
export type LaunchResult =
  | { ok: true; sessionID: string; url: string; isFair: boolean }
  | { ok: false; reason: LaunchRefusalReason; detail: string };
export type LaunchRefusalReason = 'game' | 'currency' | 'amounts' | 'disabled' | 'invalid';

export type DialectGame = {
  gameID: string;
  /** The version that new players get. */
  version: string;
  title: string;
  /** The RTP of the base mode: 0.965 is 96.5 %. */
  rtp: number;
  currencies: readonly CurrencyCode[];
  languages: readonly Language[];
  modes: readonly string[];
  /** Micros, by currency. */
  betLevels: Readonly<Record<string, readonly number[]>>;
  /** An absolute URL. */
  thumbnail?: string | undefined;
};

export type RoundPage = {
  url: string;
  roundID: bigint;
  playerID: string;
  gameID: string;
  currency: CurrencyCode;
  debit: Micros;
  payout: Micros;
  state: string;
  openedAt: Date;
  closedAt?: Date | undefined;
};

export type DialectGrant = {
  /** The owner's own id, 1 to 64 characters. */
  grantID: string;
  playerID: string;
  gameIDs: readonly string[];
  /** BASE when left out. */
  mode?: string | undefined;
  currency: CurrencyCode;
  /** Each round has this bet, a bet level of each game. */
  bet: Micros;
  rounds: number;
  startsAt?: Date | undefined;
  endsAt: Date;
};

/** taken: the id belongs to a grant of other content. */
export type DialectGrantResult = { ok: true } | { ok: false; reason: 'taken' | 'invalid'; detail: string };
