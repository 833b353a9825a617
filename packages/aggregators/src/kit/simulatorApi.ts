import type { Micros } from '@roundhouse/contract';
import type { FaultSwitch } from '@roundhouse/fault-injection';
import type { Aggregator, Grant, LaunchRequest, WalletApiRequest, WalletApiResponse, World } from './aggregator.ts';
import type { ListedMove } from './listTransactions.ts';
import type { Quirk } from './quirks.ts';

export type FreeRoundsRequest = Omit<Grant, 'bet'> & {
  bet: Micros;
  /**
   * The game's bet levels in this currency. An aggregator that numbers them needs those of the real
   * game.
   */
  betLevels?: readonly Micros[] | undefined;
};

/** Numbers count from 1. */
export type WalletApiExchange = { number: number; at: Date; request: WalletApiRequest; response: WalletApiResponse };

export type Simulator = {
  aggregator: Aggregator;
  /** The lobby is here. */
  origin: string;
  /** The base of its wallet API, for --wallet-url. */
  url: string;
  /** The value for --dialect-settings. */
  settings: object;
  world: World;
  /** Its wallet API has these. None at first. */
  quirks: Set<Quirk>;
  /** It is mounted before the wallet API. */
  faults: FaultSwitch;
  /** Opens the account of a player with the opening amount, once. */
  openAccount(account: { player: string; currency: string }): void;
  /** Opens the account of the player, launches, and returns the URL of the game. */
  launch(request: LaunchRequest): Promise<string>;
  giveFreeRounds(request: FreeRoundsRequest): Promise<void>;
  balance(player: string, currency: string): Micros;
  /** What its wallet moved, as a wallet of the server's own protocol lists it. */
  transactions(): ListedMove[];
  /** The last requests to its wallet API, the newest first. */
  exchanges(): readonly WalletApiExchange[];
  /** @throws Error when the books are wrong, or the wallet API threw an error. */
  prove(): void;
  setSupplier(url: string): void;
  close(): Promise<void>;
};
