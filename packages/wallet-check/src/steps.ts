import { randomUUID } from 'node:crypto';
import type { Closing, CreditRequest, DebitRequest, RollbackRequest, WalletErrorCode } from '@roundhouse/contract';
import {
  CheckFailure,
  type Exchange,
  isCertainRefusal,
  NotTestable,
  refusalOf,
  successOf,
  type WalletResponse,
} from './exchange.ts';
import { playerOf, type WalletCall, type WalletUnderTest } from './walletUnderTest.ts';

/** No check has more than this many bets under way. */
export const BETS_AT_ONCE = 4;
/**
 * Different calls at once meet in the wallet often, not always: each such race is run this number
 * of times.
 */
export const RACES = 3;

/** Makes a debit that no wallet has seen, in a new round. */
export function newDebit(wallet: WalletUnderTest): DebitRequest {
  const { balance } = playerOf(wallet);
  const { bet } = wallet.facts;
  if (BigInt(balance) < BigInt(bet) * BigInt(BETS_AT_ONCE)) {
    throw new NotTestable(`the player's balance of ${balance} micros is less than ${BETS_AT_ONCE} bets of ${bet}`);
  }
  return anyDebit(wallet);
}

function anyDebit(wallet: WalletUnderTest): DebitRequest {
  const { playerID, currency } = playerOf(wallet);
  const { bet, sessionID, gameID } = wallet.facts;
  return {
    transactionID: randomUUID(),
    roundID: wallet.newRoundID(),
    sessionID,
    playerID,
    gameID,
    // authenticate.shape judges what the wallet said here.
    currency: currency as DebitRequest['currency'],
    amount: bet,
    mode: 'BASE',
  };
}

/** Returns the credit that closes the debit's round. `amount` is in micros, 0 or more. */
export function creditOf(debit: DebitRequest, amount: number): CreditRequest {
  return { ...closingOf(debit), amount, roundClosed: true };
}

/** Returns the closing of the debit's round, which has lost. */
export function closingOf(debit: DebitRequest): Closing {
  const { grantID } = debit;
  return { ...referenceTo(debit), ...(grantID !== undefined && { grantID }) };
}

export function rollbackOf(debit: DebitRequest): RollbackRequest {
  return { ...referenceTo(debit), reason: 'wallet-check' };
}

function referenceTo({ transactionID, roundID, playerID, gameID, currency }: DebitRequest) {
  return { transactionID: randomUUID(), debitTransactionID: transactionID, roundID, playerID, gameID, currency };
}

/** Gives back, where the wallet lets it, a debit that may lack what no debit should. */
export async function rollBack(wallet: WalletUnderTest, debit: Partial<DebitRequest>): Promise<void> {
  await wallet.call('rollback', rollbackOf({ ...anyDebit(wallet), ...debit }));
}

/** Takes a bet, which must succeed. */
export async function openRound(wallet: WalletUnderTest): Promise<DebitRequest> {
  const debit = newDebit(wallet);
  expectSuccess(await wallet.call('debit', debit));
  return debit;
}

const SHOWN_CHARACTERS = 80;
const COPIES_AT_ONCE = 4;

/** Answers the members of the success. */
export function expectSuccess(exchange: Exchange): Readonly<Record<string, unknown>> {
  const members = successOf(exchange);
  if (members === undefined) throw unlike(exchange, 'a success (200)');
  return members;
}

export function expectRefusal(exchange: Exchange, codes: readonly WalletErrorCode[]): void {
  const code = refusalOf(exchange);
  if (code === undefined || !codes.includes(code)) throw unlike(exchange, codes.join(' or '));
}

export function expectCertainRefusal(exchange: Exchange): void {
  if (!isCertainRefusal(exchange)) throw unlike(exchange, 'a refusal that is certain (a code other than ERR_UE)');
}

/** After either of them the server knows where the money is. */
export function expectCertain(exchange: Exchange): void {
  if (successOf(exchange) === undefined && !isCertainRefusal(exchange)) throw unlike(exchange, 'a certain response');
}

export function expectUnauthorized(exchange: Exchange): void {
  if (!exchange.response.came || exchange.response.status !== 401) throw unlike(exchange, '401');
}

/** Asks for the player's balance. */
export function askBalance(wallet: WalletUnderTest): Promise<Exchange> {
  const { playerID, currency } = playerOf(wallet);
  const { sessionID, gameID } = wallet.facts;
  return wallet.call('balance', { sessionID, playerID, gameID, currency });
}

/** Reads the player's balance now, in micros. */
export async function readBalance(wallet: WalletUnderTest): Promise<number> {
  const exchange = await askBalance(wallet);
  const { balance } = expectSuccess(exchange);
  if (!Number.isSafeInteger(balance)) throw unlike(exchange, 'a balance in whole micros');
  return balance as number;
}

/** Does the work and holds that it changed the balance by `micros`, no more and no less. */
export async function expectBalanceChange<Result>(
  wallet: WalletUnderTest,
  micros: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = await readBalance(wallet);
  const result = await work();
  const moved = (await readBalance(wallet)) - before;
  if (moved !== micros)
    throw new CheckFailure(`the balance moved by ${moved} micros, it should have moved by ${micros}`);
  return result;
}

export function expectNoBalanceChange<Result>(wallet: WalletUnderTest, work: () => Promise<Result>): Promise<Result> {
  return expectBalanceChange(wallet, 0, work);
}

/** The response's own balance is the one that `/balance` tells now. */
export async function expectTodaysBalance(wallet: WalletUnderTest, exchange: Exchange): Promise<void> {
  const told = expectSuccess(exchange).balance;
  const now = await readBalance(wallet);
  if (told !== now) throw new CheckFailure(`${exchange.call.path} told a balance of ${told}, /balance tells ${now}`);
}

/**
 * Sends the same call several times at once. None may be refused for certain, since the server
 * would believe that nothing moved; one that had to wait for another may respond that it does not
 * know.
 */
export async function expectOneOfCopies(wallet: WalletUnderTest, call: WalletCall): Promise<void> {
  const exchanges = await callAtOnce(wallet, Array(COPIES_AT_ONCE).fill(call));
  const refused = exchanges.find(isCertainRefusal);
  if (refused !== undefined) throw unlike(refused, 'the same success for each copy');
  const [first] = exchanges;
  if (first !== undefined && !exchanges.some(successOf))
    throw unlike(first, 'a success for at least one of the copies');
}

/** Sends different calls at once. Each must succeed. */
export async function expectAllOf(wallet: WalletUnderTest, calls: readonly WalletCall[]): Promise<void> {
  for (const exchange of await callAtOnce(wallet, calls)) expectSuccess(exchange);
}

/** Returns the responses, in the order of the calls. */
export async function callAtOnce(wallet: WalletUnderTest, calls: readonly WalletCall[]): Promise<Exchange[]> {
  // This opens one connection for each call, so a handshake does not delay a call until the others
  // are done.
  await Promise.all(calls.map(() => askBalance(wallet)));
  return await wallet.callAtOnce(calls);
}

/** `expected` says in words what was expected. */
export function unlike(exchange: Exchange, expected: string): CheckFailure {
  return new CheckFailure(`${exchange.call.path} answered ${inWords(exchange.response)}, expected ${expected}`);
}

function inWords(response: WalletResponse): string {
  if (!response.came) return `nothing (${response.why})`;
  const text =
    response.body.length > SHOWN_CHARACTERS
      ? `${response.body.slice(0, SHOWN_CHARACTERS)}…`
      : response.body || 'no body';
  return `${response.status} ${text}`;
}
