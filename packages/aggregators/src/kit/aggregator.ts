import type { Books, Entry } from './books.ts';
import type { Rule } from './check.ts';
import type { Keys } from './keys.ts';
import type { Meaning, Members } from './meaning.ts';
import type { Tokens } from './tokens.ts';

/** `path` follows the wallet URL, with its query. */
export type WalletApiRequest = {
  method: string;
  path: string;
  /** The names are in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The signature is over these bytes. */
  body: Buffer;
};

/** Without headers the body is JSON. */
export type WalletApiResponse = { status: number; headers?: Readonly<Record<string, string>>; body: string };

export type LaunchRequest = {
  player: string;
  gameID: string;
  currency: string;
  language?: string | undefined;
  device?: 'desktop' | 'mobile' | undefined;
};

export type Grant = {
  /** The aggregator's own id. */
  id: string;
  player: string;
  gameID: string;
  currency: string;
  /** Each round costs this bet, in the aggregator's smallest unit. */
  bet: bigint;
  rounds: number;
  endsAt: Date;
};

/** A simulator has one world: what the aggregator keeps. */
export type World = {
  books: Books;
  /** `http://server/dialects/CODE`: the aggregator's own paths follow it. */
  supplierUrl: string;
  keys: Keys;
  tokens: Tokens;
  /** One of the breakages: the rule that this simulator breaks. */
  broken: string | undefined;
  /** A bench measures the server: the wallet API checks no signatures then. */
  isInstant: boolean;
  /** The key is the grant's id. */
  grants: Map<string, Grant>;
  /**
   * What else the aggregator remembers, such as responses by the id of their request. The lobby
   * sets `bet levels of <gameID>`: whole numbers of the smallest unit, as bigint.
   */
  memory: Map<string, unknown>;
};

/** What a dialect gives the simulator. Everything is in the aggregator's own words and shapes. */
export type Aggregator = {
  /** The dialect's name. */
  name: string;
  /** The decimal places of its smallest unit. */
  scale(currency: string): number;
  /**
   * Its wallet API has these paths below the wallet URL, without a query. Faults can be put on
   * them.
   */
  paths: readonly string[];
  /** Rules that a simulator can break, each by a name. */
  breakages: readonly string[];
  /** server: for --dialect-settings. own: what the aggregator itself is configured with. */
  settings(world: World): { server: object; own: object };
  /** The wallet API. It is strict: it checks everything that the real one is known to check. */
  respond(request: WalletApiRequest, world: World): Promise<WalletApiResponse>;
  /**
   * Asks the server to launch a game, and returns the URL.
   * @throws SupplierRefusal when the server refuses.
   */
  launch(world: World, request: LaunchRequest): Promise<string>;
  /** Asks the server for its games, where the aggregator has such a request. */
  games?(world: World): Promise<{ gameID: string; title: string }[]>;
  /** @throws SupplierRefusal when the server refuses. */
  giveFreeRounds?(world: World, grant: Grant): Promise<void>;
  cancelFreeRounds?(world: World, grantID: string): Promise<void>;
  /** Returns the server's id of this transaction. */
  transactionIDOf(entry: Entry): string;
  /**
   * The server's name of the grant, of wins that are paid in one sum and have no id of the server.
   */
  grantIDOf?(entry: Entry): string | undefined;
  /** The server's name of a player, where it is another one. */
  playerIDOf?(player: string): string;
  /** The response of an injected error; see the fault switch. Without it the status is 500. */
  errorResponse?(code: string | undefined): { status: number; body: unknown };
  /**
   * Says what a request and its response mean. The lobby shows it. `name` is the last part of the
   * path, without an ending.
   */
  meaning?(asked: Members, answered: Members, name: string): Meaning;
};

/** The settings in it are those of --dialect-settings: the rules sign with them. */
export type DialectKit<Settings> = { aggregator: Aggregator; rules: readonly Rule<Settings>[] };
// biome-ignore lint/suspicious/noExplicitAny: the rules of one dialect know its settings.
export type AnyDialectKit = DialectKit<any>;
