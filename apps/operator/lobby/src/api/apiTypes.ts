import type { OperatorGame } from '@roundhouse/contract';
import type { CurrencyCode, Device, Jurisdiction, Language } from '@roundhouse/contract/light';

/** A game that can be opened. */
export type LobbyGame = OperatorGame;

/** What the page needs to know before it can show anything. */
export type LobbyFacts = {
  operator: { name: string; code: string };
  games: LobbyGame[];
  currencies: CurrencyCode[];
  languages: Language[];
  /** Whether there is a studio bench: true on a developer's machine only. */
  bench: boolean;
  /** Address of the game server. */
  rgsUrl: string;
};

/** The player with a balance, in micros, for each currency that they have used. */
export type PlayerAccount = { playerID: string; balances: { currency: CurrencyCode; balance: number }[] };

export type LaunchRequest = {
  playerID: string;
  gameID: string;
  currency: CurrencyCode;
  lang: Language;
  device: Device;
  social?: boolean;
  country?: string;
  jurisdiction?: Partial<Jurisdiction>;
};

export type LaunchedSession = { sessionID: string; url: string };

export type EntryKind = 'deposit' | 'withdrawal' | 'debit' | 'credit' | 'rollback';

/** One line of the statement. `amount` is signed, `balanceAfter` is what was left, both in micros. */
export type StatementEntry = {
  /** Digits. Later lines of an account have larger ones. */
  id: string;
  /** ISO 8601. */
  at: string;
  kind: EntryKind;
  amount: number;
  balanceAfter: number;
  transactionID: string;
  roundID: string | null;
  gameID: string | null;
};

/** Newest first. */
export type StatementPage = { currency: CurrencyCode; balance: number; entries: StatementEntry[] };

/** What the stream sends for each new line. */
export type StatementEvent = { entry: StatementEntry; balance: number };

export const RESULT_KINDS = ['loss', 'small', 'big', 'max', 'feature'] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

export type ForceRequest = { sessionID: string; mode?: string } & ({ bookID: number } | { kind: ResultKind });
export type ForcedOutcome = { bookID: number; mode: string };

/** The two wires of the house: game to server, and server to wallet. */
export const WIRES = ['game', 'wallet'] as const;
export type Wire = (typeof WIRES)[number];
