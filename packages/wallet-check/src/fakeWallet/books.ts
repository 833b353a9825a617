import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type CloseRoundsRequest,
  type CloseRoundsResponse,
  type Closing,
  type CreditRequest,
  type DebitRequest,
  type RollbackRequest,
  type TransactionListRequest,
  toMicros,
  WALLET_ERRORS,
  type WalletErrorCode,
} from '@roundhouse/contract';
import type { Breakage, Is } from './breakages.ts';
import { createGrants } from './freeRounds.ts';

export type Reply = { status: number; body: object | string };
type Transaction = {
  kind: 'debit' | 'credit' | 'rollback';
  body: Content;
  moved: number;
  at: string;
  told: number;
  /** `in a group` means: as one of the closings of `/close-rounds`. */
  came: 'alone' | 'in a group';
};
type Content = DebitRequest | CreditRequest | RollbackRequest;

/** Calls that meet in the wallet: `together` calls of these kinds, after the first `alone` ones. */
export type Race = { kinds: readonly Kind[]; alone: number; together: number };
/** `group` is one of closings. */
type Kind = Transaction['kind'] | 'group';

export const OPENING_BALANCE = 1_000_000_000;
const PLAYER = { playerID: 'player-7', currency: 'USD' } as const;
const PAGE_SIZE = 20;
const MOST_CLOSINGS_OF_A_BROKEN_WALLET = 100;

/**
 * Returns what an honest wallet keeps in its books, and what it responds from them. `is`: where it
 * is broken.
 */
export function createBooks({
  is,
  playerOf,
  expiredSessionID,
}: {
  is: Is;
  /** Returns the player of a live session. */
  playerOf: (sessionID: string) => string | undefined;
  expiredSessionID: string;
}) {
  const transactions = new Map<string, Transaction>();
  /** Debits that were rolled back, some of them before they came. */
  const rolledBack = new Set<string>();
  const grants = createGrants(is);
  /** Calls that wait for the last of their race, between looking up and writing. */
  const held: (() => void)[] = [];
  let race: Race | undefined;
  const balances = new Map<string, number>();
  let authenticated = 0;
  let said: object = { country: is('tells a country in words') ? 'Finland' : 'FI' };

  const balanceOf = (playerID: string) => balances.get(playerID) ?? OPENING_BALANCE;
  const setBalance = (playerID: string, balance: number) => void balances.set(playerID, balance);

  function authenticate(asked: string): Reply {
    if (asked === expiredSessionID && !is('lets expired sessions in')) return refusal('ERR_ATE');
    const known = playerOf(asked);
    if (known === undefined && asked !== expiredSessionID && !is('knows every session')) return refusal('ERR_IS');
    authenticated += 1;
    const playerID = known ?? PLAYER.playerID;
    const currency = is('changes the currency') && authenticated % 2 === 0 ? 'EUR' : PLAYER.currency;
    const old = is('tells an old balance at authenticate') && authenticated > 1 ? 1 : 0;
    return { status: 200, body: { playerID, currency, balance: balanceOf(playerID) + old, ...said } };
  }

  async function move(kind: Transaction['kind'], body: Content): Promise<Reply> {
    const known = transactions.get(body.transactionID);
    const wasRolledBack = 'reason' in body && rolledBack.has(body.debitTransactionID);
    const seen = balanceOf(body.playerID);
    if (await met(kind)) {
      if (is('lets debits overwrite each other') || is('lets a credit and a debit overwrite each other'))
        setBalance(body.playerID, seen);
      if (is('lets two debits spend the same money') && 'mode' in body) return record('debit', body, -body.amount);
    }
    if (known?.came === 'in a group' && is('takes a credit for another thing than its closing'))
      return refusal('ERR_DUP');
    if (known !== undefined) return repeat(known, { kind, body });
    if ('mode' in body) return debit(body);
    return 'reason' in body ? rollback(body, wasRolledBack) : credit(body);
  }

  /**
   * Returns whether the call is one of a race; if so, all of them have looked up when it goes on.
   */
  async function met(kind: Kind): Promise<boolean> {
    if (race === undefined || !race.kinds.includes(kind)) return false;
    race.alone -= 1;
    if (race.alone >= 0) return false;
    if (held.length + 1 < race.together) await new Promise<void>((resolve) => held.push(resolve));
    else {
      race = undefined;
      for (const goOn of held.splice(0)) goOn();
    }
    return true;
  }

  function repeat(known: Transaction, { kind, body }: Pick<Transaction, 'kind' | 'body'>): Reply {
    if (known.kind !== kind || !isDeepStrictEqual(compared(known.body), compared(body))) return refusal('ERR_DUP');
    if ('freeBet' in body && is('refuses a repeated free debit')) return refusal('ERR_DUP');
    if (rolledBack.has(body.transactionID) && !is('takes a debit again that was rolled back')) return refusal('ERR_GE');
    const takesAgain = rolledBack.has(body.transactionID);
    const again: Record<Transaction['kind'], Breakage> = {
      debit: 'takes a repeated debit again',
      credit: 'adds a repeated credit again',
      rollback: 'rolls back at a repeated rollback again',
    };
    const paysAgain = 'grantClosed' in body && is('pays repeated winnings again');
    if (is(again[kind]) || takesAgain || paysAgain) setBalance(body.playerID, balanceOf(body.playerID) + known.moved);
    return toldOf(body, is('repeats the balance of then') ? known.told : balanceOf(body.playerID));
  }

  /** Returns the content that is compared under one transactionID. */
  function compared(body: Content): object {
    if ('mode' in body) {
      const ignored = ['amount', 'roundID', 'currency', 'playerID', 'grantID', 'freeBet'].filter((name) =>
        is(`ignores another ${name}` as Breakage),
      );
      if (is('ignores the roundClosed of a debit')) ignored.push('roundClosed');
      return { ...body, ...Object.fromEntries(ignored.map((name) => [name, undefined])) };
    }
    if ('reason' in body) return is('ignores other content of a rollback') ? {} : body;
    const { grantID, grantClosed, ...rest } = body;
    if (is('ignores the grant of a repeated credit')) return rest;
    return is('ignores other content of a credit') ? {} : body;
  }

  function debit(body: DebitRequest): Reply {
    const playerID = playerOf(body.sessionID);
    const { grantID, freeBet = body.amount } = body;
    const isFree = grantID !== undefined;
    const takesAnySession = is(isFree ? 'takes free debits of no session' : 'takes debits of no session');
    if (playerID === undefined && !takesAnySession) return refusal('ERR_IS');
    if (body.playerID !== (playerID ?? PLAYER.playerID) || body.currency !== PLAYER.currency) return refusal('ERR_VAL');
    const takesLate = is(isFree ? 'takes a late free debit' : 'takes a late debit');
    if (rolledBack.has(body.transactionID) && !takesLate) return refusal('ERR_GE');
    const needed = is('wants a freeBet to be covered') ? freeBet : body.amount;
    if (needed > balanceOf(body.playerID) && !is('lends money')) return refusal('ERR_IPB');
    const taken = is('takes a freeBet from the player') ? freeBet : body.amount;
    const reply = record('debit', body, -taken - (is('takes a micro more') ? 1 : 0));
    return is('tells what a debit moved as the balance') ? toldOf(body, -body.amount) : reply;
  }

  function credit(body: CreditRequest, { isClosing = false } = {}): Reply {
    const isKnown = transactions.has(body.debitTransactionID) && !rolledBack.has(body.debitTransactionID);
    if (!isKnown && is('refuses with 200')) return { ...refusal('ERR_BNF'), status: 200 };
    if (!isKnown && !is('pays bets that it does not know')) return refusal('ERR_BNF');
    const debit = transactions.get(body.debitTransactionID)?.body as DebitRequest | undefined;
    const isOpen = !hasCredit(body.debitTransactionID);
    if (debit !== undefined && !grants.isOwed(body, { debit, isClosing, isOpen })) return refusal('ERR_VAL');
    if (debit?.roundClosed && !body.grantClosed && !is('pays a round that its debit has closed'))
      return refusal('ERR_VAL');
    if (body.amount === 0 && is('refuses a credit of 0')) return refusal('ERR_VAL');
    grants.keep(body);
    const isLost = body.grantID !== undefined && !body.grantClosed && is('pays no wins of free rounds');
    const reply = record('credit', body, (isLost ? 0 : body.amount) + (is('pays a micro more') ? 1 : 0));
    return is('tells the balance after a credit as a text')
      ? { status: 200, body: { balance: String(balanceOf(body.playerID)) } }
      : reply;
  }

  const hasCredit = (debitID: string) =>
    [...transactions.values()].some(
      ({ kind, body }) => kind === 'credit' && 'debitTransactionID' in body && body.debitTransactionID === debitID,
    );

  /** Each closing is the credit of 0 with its id. */
  async function closeRounds(closings: readonly Closing[]): Promise<Reply> {
    if (closings.length > MOST_CLOSINGS_OF_A_BROKEN_WALLET && is('takes 100 closings at most'))
      return refusal('ERR_VAL');
    const credits = closings.map((closing) => ({ ...closing, amount: toMicros(0), roundClosed: true }));
    const isKnown = credits.map(({ transactionID }) => transactions.has(transactionID));
    const isMixed = isKnown.includes(true) && isKnown.includes(false);
    if (isMixed && is('refuses new closings beside known ones')) return refusal('ERR_DUP');
    const hasDebit = credits.map(({ debitTransactionID }) => transactions.has(debitTransactionID));
    if (hasDebit.includes(true) && hasDebit.includes(false) && is('refuses a whole group for one closing'))
      return refusal('ERR_BNF');
    const isLate = (await met('group')) && credits.some(({ transactionID }) => transactions.has(transactionID));
    if (isLate) return refusal('ERR_DUP');
    if (!isKnown.includes(true) && is('charges for a group of closings')) charge(closings);
    const results: CloseRoundsResponse['results'] = [];
    for (const body of credits) {
      const error = closingError(body);
      const reference = error === undefined ? referenceOf(body) : undefined;
      results.push({ transactionID: body.transactionID, error, reference });
      if (error !== undefined && is('stops at a refused closing')) break;
    }
    return { status: 200, body: is('says of a group only that it came') ? {} : { results } };
  }

  function closingError(body: CreditRequest): WalletErrorCode | undefined {
    const known = transactions.get(body.transactionID);
    if (known !== undefined && is('ignores other content of a closing')) return undefined;
    if (known?.came === 'alone' && is('takes a closing for another thing than its credit')) return 'ERR_DUP';
    const reply = known === undefined ? credit(body, { isClosing: true }) : repeat(known, { kind: 'credit', body });
    const stored = transactions.get(body.transactionID);
    if (stored !== undefined && known === undefined) {
      stored.came = 'in a group';
      if (is('forgets the grant of a closing')) stored.body = withoutGrant(body);
    }
    return (reply.body as { error?: WalletErrorCode }).error;
  }

  function charge([first]: readonly Closing[]): void {
    if (first !== undefined) setBalance(first.playerID, balanceOf(first.playerID) - 1);
  }

  function rollback(body: RollbackRequest, wasRolledBack: boolean): Reply {
    const taken = transactions.get(body.debitTransactionID);
    const isFree = taken !== undefined && 'freeBet' in taken.body;
    if (isFree && is('keeps a free round open at its rollback')) return record('rollback', body, 0);
    const isClosed = taken !== undefined && 'mode' in taken.body && taken.body.roundClosed;
    if (isClosed && is('keeps a bet that has closed its round')) return refusal('ERR_VAL');
    rolledBack.add(body.debitTransactionID);
    if (taken === undefined) {
      if (is('refuses with an unknown code')) return { status: 404, body: { error: 'NO_SUCH_BET' } };
      return is('rolls back bets that it does not know') ? record('rollback', body, 0) : refusal('ERR_BNF');
    }
    if (wasRolledBack && !is('rolls back at another rollback again')) return record('rollback', body, 0);
    return record('rollback', body, -taken.moved - (is('keeps a micro') ? 1 : 0));
  }

  function record(kind: Transaction['kind'], body: Content, moved: number): Reply {
    const balance = balanceOf(body.playerID) + moved;
    setBalance(body.playerID, balance);
    transactions.set(body.transactionID, {
      kind,
      body,
      moved,
      at: new Date().toISOString(),
      told: balance,
      came: 'alone',
    });
    return toldOf(body, balance);
  }

  /** The wallet's own id of a transaction. */
  function referenceOf({ transactionID }: Content): string {
    return is('names a transaction anew') ? randomUUID() : `own ${transactionID}`;
  }

  function toldOf(body: Content, balance: number): Reply {
    const currency = is('names another currency beside a balance') ? 'EUR' : undefined;
    return { status: 200, body: { balance, currency, reference: referenceOf(body) } };
  }

  function list({ from, to, cursor, limit }: TransactionListRequest): Reply {
    const inWindow = ({ at }: Transaction) => is('ignores the window') || (at >= from && at < to);
    const isListed = ({ body }: Transaction) => !('grantClosed' in body && is('lists no winnings'));
    const chosen = [...transactions.values()]
      .filter((each) => inWindow(each) && isListed(each))
      .map((each) => listed(each, is));
    const all = is('lists no losing rounds') ? chosen.filter(({ amount }) => amount > 0) : chosen;
    if (is('lists newest first')) all.reverse();
    if (is('lists a transaction twice')) all.splice(1, 0, ...all.slice(0, 1));
    if (is('lists without end')) return { status: 200, body: { transactions: [], cursor: 'more' } };
    const begin = Number(cursor ?? 0);
    const end = begin + (is('ignores the limit of a page') ? PAGE_SIZE : Math.min(limit ?? PAGE_SIZE, PAGE_SIZE));
    const lost = is('loses a transaction between small pages') && limit !== undefined ? 1 : 0;
    const overlap = is('lets pages overlap') ? 1 : 0;
    return {
      status: 200,
      body: { transactions: all.slice(begin, end + overlap), cursor: end < all.length ? String(end + lost) : null },
    };
  }

  async function respond(path: string, body: unknown): Promise<Reply> {
    if (path === '/authenticate') return authenticate((body as { sessionID: string }).sessionID);
    if (path === '/balance') {
      const balance = balanceOf((body as { playerID: string }).playerID);
      return is('tells its balance as a text') ? { status: 200, body: { balance: String(balance) } } : told(balance);
    }
    if (path === '/transactions') return list(body as TransactionListRequest);
    if (path === '/close-rounds') return await closeRounds((body as CloseRoundsRequest).rounds);
    return await move(path.slice(1) as Transaction['kind'], body as Content);
  }

  return {
    respond,
    balanceOf,
    setBalance,
    /** Returns what authenticate says besides the balance. */
    say(more: object) {
      said = more;
    },
    /** Returns what a debit came to. Each id has moved once, by construction. */
    outcomeOf(debitID = ''): 'untouched' | 'taken' | 'paid' | 'rolled back' {
      if (rolledBack.has(debitID)) return transactions.has(debitID) ? 'rolled back' : 'untouched';
      return hasCredit(debitID) ? 'paid' : transactions.has(debitID) ? 'taken' : 'untouched';
    },
    /** The next calls are a race, which the wallet is broken for. */
    startRace(next: Race | undefined) {
      race = next && { ...next };
    },
  };
}

function withoutGrant({ grantID, ...rest }: CreditRequest): CreditRequest {
  return rest;
}

function listed({ kind, body, moved, at }: Transaction, is: Is) {
  const { transactionID, roundID, playerID, currency } = body;
  const debit = 'debitTransactionID' in body && { debitTransactionID: body.debitTransactionID };
  const freeBet = 'freeBet' in body && is('lists a freeBet as the amount') ? body.freeBet : undefined;
  return { transactionID, kind, ...debit, roundID, playerID, currency, amount: freeBet ?? Math.abs(moved), at };
}

function told(balance: number): Reply {
  return { status: 200, body: { balance } };
}

export function refusal(error: WalletErrorCode): Reply {
  return { status: WALLET_ERRORS[error].status, body: { error, message: WALLET_ERRORS[error].meaning } };
}
