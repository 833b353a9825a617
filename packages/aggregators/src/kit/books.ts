/** What moves money of a player. A rollback of a win takes money, so its amount is negative. */
type MoveKind = 'bet' | 'win' | 'rollback';

export type Move = {
  /** The aggregator's own id of the transaction. The same id moves money once. */
  id: string;
  kind: MoveKind;
  player: string;
  currency: string;
  /** It counts the aggregator's smallest unit. Only that of a rollback may be below zero. */
  amount: bigint;
  round: string;
  /** The id of the bet that a win or a rollback belongs to. */
  ref?: string | undefined;
  /** Whatever the aggregator wants to keep with it. */
  note?: string | undefined;
};

/** `debit` and `credit` are accounts: the amount goes from the first to the second. */
export type Entry = Readonly<Move> & { readonly at: Date; readonly debit: string; readonly credit: string };

export type Books = {
  /** Opens the account of a player with an amount. A second call changes nothing. */
  open(player: string, currency: string, opening: bigint): void;
  isOpen(player: string, currency: string): boolean;
  /** @throws Error when the player has no such account. */
  balance(player: string, currency: string): bigint;
  /**
   * Moves money, or nothing when the player has too little. A known id with the same content is
   * moved already.
   * @throws Error when the account is not open, the amount is below zero, or the id was used with
   * other content: the aggregator must look first.
   */
  move(move: Move): 'moved' | 'insufficient';
  find(id: string): Entry | undefined;
  ofRound(round: string): readonly Entry[];
  /** Returns them in the order of the moves. */
  entries(): readonly Entry[];
  accounts(): readonly { player: string; currency: string; balance: bigint }[];
  /**
   * @throws Error when an entry has one account twice, all accounts together are not 0, or a player
   * has less than 0 or another balance than the entries say.
   */
  prove(): void;
};

type Account = { player: string; currency: string; opening: bigint; balance: bigint };

/** Opens double-entry books in memory. */
export function openBooks(now = () => new Date()): Books {
  const accounts = new Map<string, Account>();
  const entries = new Map<string, Entry>();
  const rounds = new Map<string, Entry[]>();

  const accountOf = (player: string, currency: string): Account => {
    const account = accounts.get(nameOf(player, currency));
    if (account === undefined) throw new Error(`${player} has no account in ${currency}`);
    return account;
  };

  return {
    open(player, currency, opening) {
      if (opening < 0n) throw new Error(`${player} cannot begin with ${opening}`);
      const name = nameOf(player, currency);
      if (!accounts.has(name)) accounts.set(name, { player, currency, opening, balance: opening });
    },
    isOpen: (player, currency) => accounts.has(nameOf(player, currency)),
    balance: (player, currency) => accountOf(player, currency).balance,
    move(move) {
      const account = accountOf(move.player, move.currency);
      const known = entries.get(move.id);
      if (known !== undefined) {
        if (!isSame(known, move)) throw new Error(`the id ${move.id} was used for another move`);
        return 'moved';
      }
      if (move.amount < 0n && move.kind !== 'rollback') throw new Error(`a ${move.kind} of ${move.amount}`);
      const gain = gainOf(move);
      if (account.balance + gain < 0n) return 'insufficient';
      const [player, house] = [nameOf(move.player, move.currency), `house/${move.currency}`];
      const [debit, credit] = move.kind === 'bet' ? [player, house] : [house, player];
      const entry: Entry = { ...move, at: now(), debit, credit };
      account.balance += gain;
      entries.set(move.id, entry);
      rounds.set(move.round, [...(rounds.get(move.round) ?? []), entry]);
      return 'moved';
    },
    find: (id) => entries.get(id),
    ofRound: (round) => rounds.get(round) ?? [],
    entries: () => [...entries.values()],
    accounts: () => [...accounts.values()].map(({ player, currency, balance }) => ({ player, currency, balance })),
    prove: () => prove([...accounts.values()], [...entries.values()]),
  };
}

function nameOf(player: string, currency: string): string {
  return `player/${currency}/${player}`;
}

/** What the player has more after it. */
function gainOf({ kind, amount }: Move): bigint {
  return kind === 'bet' ? -amount : amount;
}

function isSame(entry: Entry, move: Move): boolean {
  const fields = ['kind', 'player', 'currency', 'amount', 'round', 'ref'] as const;
  return fields.every((field) => entry[field] === move[field]);
}

/** The opening amounts come from a bank of each currency, so that all accounts add up to 0. */
function prove(accounts: readonly Account[], entries: readonly Entry[]): void {
  const sums = new Map<string, bigint>();
  const transfer = (debit: string, credit: string, amount: bigint) => {
    if (debit === credit) throw new Error(`an entry has ${debit} on both sides`);
    sums.set(debit, (sums.get(debit) ?? 0n) - amount);
    sums.set(credit, (sums.get(credit) ?? 0n) + amount);
  };
  for (const { player, currency, opening } of accounts) transfer(`bank/${currency}`, nameOf(player, currency), opening);
  for (const { debit, credit, amount } of entries) transfer(debit, credit, amount);
  for (const { player, currency, balance } of accounts) {
    if (balance < 0n) throw new Error(`${player} has ${balance} ${currency}`);
    const sum = sums.get(nameOf(player, currency));
    if (sum !== balance) throw new Error(`${player} has ${balance} ${currency}, and the entries say ${sum}`);
  }
  const all = [...sums.values()].reduce((total, sum) => total + sum, 0n);
  if (all !== 0n) throw new Error(`all accounts together have ${all} instead of 0`);
}
