import {
  type CloseRoundsRequest,
  type CloseRoundsResponse,
  closeRoundsResponseSchema,
  type DebitRequest,
  isWalletErrorCode,
  WALLET_ERRORS,
  type WalletErrorCode,
  type WalletRouteName,
} from '@roundhouse/contract';
import type * as z from 'zod';
import { readDecimal } from './wire/amounts.ts';
import type { WalletExchange } from './wire/walletHttp.ts';

/** A call as a report shows it. */
type ShownCall = {
  /** The name of the call, in a protocol that names its calls. */
  route?: string;
  method: string;
  path: string;
  /**
   * How it was signed, in words: the headers themselves would be good for 300 s in the hands of
   * whoever reads a report.
   */
  signed: string;
  body: string;
  /** It was sent at the same moment as others, so nothing says which of them came first. */
  atOnce?: true;
};

/** A call of the wallet protocol, as it was sent. */
type SentCall = ShownCall & { route: WalletRouteName };

/** What came back, as it came: status and raw body, or why nothing came. */
export type WalletResponse = { came: true; status: number; body: string } | { came: false; why: string };

/** What came, as a report shows it. */
export function responseOf(exchange: WalletExchange): WalletResponse {
  if (exchange.kind === 'responded') return { came: true, status: exchange.httpStatus, body: exchange.text };
  return { came: false, why: exchange.detail };
}

export type ShownExchange = { call: ShownCall; response: WalletResponse };
export type Exchange = { call: SentCall; response: WalletResponse };

/** Reads the value of a JSON text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the members of a JSON object; undefined for every other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/**
 * Returns the members of a success: status 200 and a JSON object that names no error. It is
 * undefined when it is not one. The balance is as the server reads it.
 */
export function successOf({ response }: Exchange): Readonly<Record<string, unknown>> | undefined {
  if (!response.came || response.status !== 200) return undefined;
  const members = parseObject(response.body);
  if (members === undefined || 'error' in members) return undefined;
  const { balance } = members;
  const meant = typeof balance === 'number' ? readDecimal(String(balance), 0) : undefined;
  return meant === undefined ? members : { ...members, balance: Number(meant) };
}

/** Returns the code of a refusal: a status of 400 or above with one of the contract's codes. */
export function refusalOf({ response }: Exchange): WalletErrorCode | undefined {
  if (!response.came || response.status < 400) return undefined;
  const code = parseObject(response.body)?.error;
  return isWalletErrorCode(code) ? code : undefined;
}

/** Returns whether it is a refusal after which it is sure that no money moved. */
export function isCertainRefusal(exchange: Exchange): boolean {
  const code = refusalOf(exchange);
  return code !== undefined && WALLET_ERRORS[code].certain;
}

type TransactionKind = 'debit' | 'credit' | 'rollback';

/** Keeps a requested transaction and what became of it. */
export type SentTransaction = {
  transactionID: string;
  kind: TransactionKind;
  /**
   * accepted: at least one response was a success. refused: all were certain refusals. uncertain:
   * neither holds.
   */
  outcome: 'accepted' | 'refused' | 'uncertain';
  /** The outcome belongs to this body. */
  body: Readonly<Record<string, unknown>>;
  /** Others were under way, so its place among them is not known. */
  atOnce: boolean;
};

const KINDS: readonly string[] = ['debit', 'credit', 'rollback'] satisfies TransactionKind[];

/**
 * Returns the transactions of these exchanges, each once, in the order of the first response that
 * has this result.
 */
export function sentTransactions(exchanges: readonly Exchange[]): SentTransaction[] {
  const byID = new Map<string, SentTransaction>();
  for (const exchange of exchanges) {
    for (const transaction of transactionsOf(exchange)) {
      const known = byID.get(transaction.transactionID);
      if (known === undefined) byID.set(transaction.transactionID, transaction);
      else if (known.outcome !== 'accepted' && transaction.outcome !== 'refused') {
        // It goes to the end of the order: what was refused before happened only now.
        byID.delete(transaction.transactionID);
        byID.set(transaction.transactionID, transaction);
      }
    }
  }
  return [...byID.values()];
}

function transactionsOf(exchange: Exchange): SentTransaction[] {
  const { route, body: text, atOnce = false } = exchange.call;
  if (route === 'closeRounds') return closingsOf(exchange);
  const body = parseObject(text);
  if (!KINDS.includes(route) || typeof body?.transactionID !== 'string') return [];
  const { transactionID } = body;
  return [{ transactionID, kind: route as TransactionKind, outcome: outcomeOf(exchange), body, atOnce }];
}

/** Returns the wallet's own ids of the transactions whose success this is, as they came. */
export function referencesOf(exchange: Exchange): { transactionID: string; reference: unknown }[] {
  const { route, body } = exchange.call;
  const success = successOf(exchange);
  const { results } = { ...success };
  const listed: unknown[] =
    route === 'closeRounds' && Array.isArray(results)
      ? results.filter((result) => result?.error === undefined)
      : KINDS.includes(route) && success !== undefined
        ? [{ transactionID: parseObject(body)?.transactionID, reference: success.reference }]
        : [];
  return listed.flatMap((each) => {
    const { transactionID, reference } = { ...(each as { transactionID: unknown; reference: unknown }) };
    return typeof transactionID === 'string' && reference !== undefined ? [{ transactionID, reference }] : [];
  });
}

/** Each closing of a group is the credit of 0 with its id. */
function closingsOf(exchange: Exchange): SentTransaction[] {
  const { rounds } = parseJson(exchange.call.body) as CloseRoundsRequest;
  return rounds.map((closing) => ({
    transactionID: closing.transactionID,
    kind: 'credit',
    outcome: closingOutcome(exchange, closing.transactionID),
    body: { ...closing, amount: 0, roundClosed: true },
    // The wallet may close the rounds of a group in any order.
    atOnce: true,
  }));
}

/** A closing without a result is uncertain, unless the whole request was refused. */
export function closingOutcome(exchange: Exchange, transactionID: string): SentTransaction['outcome'] {
  const { outcome, results } = readClosings(exchange);
  if (outcome !== 'accepted') return outcome;
  const result = results.get(transactionID);
  if (result === undefined) return 'uncertain';
  if (result.error === undefined) return 'accepted';
  return WALLET_ERRORS[result.error].certain ? 'refused' : 'uncertain';
}

type ClosingResult = CloseRoundsResponse['results'][number];

/** Returns undefined when the response has no result for this closing, or several. */
export function closingResult(exchange: Exchange, transactionID: string): ClosingResult | undefined {
  return readClosings(exchange).results.get(transactionID);
}

type Closings = { outcome: SentTransaction['outcome']; results: ReadonlyMap<string, ClosingResult | undefined> };

/** A response has up to 200 results, each of which is needed several times: it is parsed once. */
const closings = new WeakMap<Exchange, Closings>();

function readClosings(exchange: Exchange): Closings {
  const known = closings.get(exchange);
  if (known !== undefined) return known;
  const results = new Map<string, ClosingResult | undefined>();
  for (const result of closeRoundsResponseSchema.safeParse(successOf(exchange)).data?.results ?? [])
    results.set(result.transactionID, results.has(result.transactionID) ? undefined : result);
  const read = { outcome: outcomeOf(exchange), results };
  closings.set(exchange, read);
  return read;
}

function outcomeOf(exchange: Exchange): SentTransaction['outcome'] {
  if (successOf(exchange) !== undefined) return 'accepted';
  const turnedAway = exchange.response.came && exchange.response.status === 401;
  return turnedAway || isCertainRefusal(exchange) ? 'refused' : 'uncertain';
}

/**
 * Debits that may have taken money and were neither paid nor rolled back; some are bodies that no
 * wallet should have taken.
 */
export function openDebits(exchanges: readonly Exchange[]): Partial<DebitRequest>[] {
  const transactions = sentTransactions(exchanges);
  const answered = new Set(
    transactions
      .filter(({ kind, outcome }) => kind !== 'debit' && outcome === 'accepted')
      .map(({ body }) => body.debitTransactionID),
  );
  return transactions
    .filter(
      ({ kind, outcome, transactionID }) => kind === 'debit' && outcome !== 'refused' && !answered.has(transactionID),
    )
    .map(({ body }) => body as Partial<DebitRequest>);
}

/**
 * Says that the wallet breaks the rule. It is thrown, as assertions are: a check is a row of steps,
 * and what follows a failed one means nothing.
 */
export class CheckFailure extends Error {
  override name = 'CheckFailure';
  /** These calls show it; undefined means all calls of the check. */
  readonly exchanges: readonly ShownExchange[] | undefined;

  constructor(why: string, exchanges?: readonly ShownExchange[]) {
    super(why);
    this.exchanges = exchanges;
  }
}

/** The rule cannot be tested with what the command was given, or what the wallet offers. */
export class NotTestable extends Error {
  override name = 'NotTestable';
}

/** Returns what is wrong with a value, in one line; undefined when it has the shape. */
export function issuesOf(schema: z.ZodType, value: unknown): string | undefined {
  const { error } = schema.safeParse(value);
  return error?.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`).join('; ');
}
