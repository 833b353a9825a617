import type { Books } from '../ledger/books.ts';

/** What the wallet works with. */
export type WalletParts = {
  books: Books;
  house: HouseRules;
};

export type HouseRules = {
  /** Inactivity after which a session is over, in milliseconds. Authenticate and debit begin it anew. */
  sessionTimeoutMs: number;
  /** Upper-case ISO 3166-1 codes of places from which nobody may play here. */
  blockedCountries: ReadonlySet<string>;
};
