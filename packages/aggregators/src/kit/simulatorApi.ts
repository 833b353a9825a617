import type { Micros } from '@roundhouse/contract';
import type { FaultSwitch } from '@roundhouse/fault-injection';
import type { Aggregator, Grant, LaunchRequest, WalletApiRequest, WalletApiResponse, World } from './aggregator.ts';
import type { ListedMove } from './listTransactions.ts';
import type { Quirk } from './quirks.ts';

export type FreeRoundsRequest = Omit<Grant, 'bet'> & {
  bet: Micros;
  /** An aggregator that numbers bet levels needs those of the real game in this currency. */
  betLevels?: readonly Micros[] | undefined;
};

/** Numbers count from 1. */
export type WalletApiExchange = { number: number; at: Date; request: WalletApiRequest; response: WalletApiResponse };

export type Simulator = {
  aggregator: Aggregator;
  /** The lobby is here. */
  origin: string;
  /** --wallet-url takes it as the base of the wallet API. */
  url: string;
  /** --dialect-settings takes it. */
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
  /** Returns the last requests to its wallet API, the newest first. */
  exchanges(): readonly WalletApiExchange[];
  /** @throws Error when the books are wrong, or the wallet API threw an error. */
  prove(): void;
  setSupplier(url: string): void;
  close(): Promise<void>;
};
