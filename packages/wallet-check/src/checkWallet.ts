import { CLOSING_DEBIT_RULES } from './closingDebitRules.ts';
import { CLOSING_RULES } from './closingRules.ts';
import { CREDIT_RULES, ROLLBACK_RULES } from './creditAndRollbackRules.ts';
import { DEBIT_INPUT_RULES, DEBIT_RULES } from './debitRules.ts';
import { CheckFailure, NotTestable, openDebits, type ShownExchange } from './exchange.ts';
import { FREE_ROUND_RULES } from './freeRoundRules.ts';
import { RESPONSE_RULES } from './responseRules.ts';
import { AUTHENTICATE_RULES, BALANCE_RULES, HEALTH_RULES } from './sessionRules.ts';
import { SIGNATURE_RULES } from './signatureRules.ts';
import { readBalance, rollBack } from './steps.ts';
import { TRANSACTION_RULES } from './transactionRules.ts';
import {
  type CheckFacts,
  createCheckClient,
  createWalletUnderTest,
  type Player,
  type WalletRule,
  type WalletUnderTest,
} from './walletUnderTest.ts';

export type RuleResult = { id: string; rule: string } & (
  | { outcome: 'pass' }
  /**
   * `exchanges`: the calls that show it. Secrets and sessions in them are replaced by their names.
   */
  | { outcome: 'fail'; why: string; exchanges: ShownExchange[] }
  | { outcome: 'not testable'; why: string }
);

export type WalletReport = {
  player: Player | undefined;
  results: RuleResult[];
  /**
   * It is the balance in micros after the last check; undefined when the wallet does not tell.
   * Before the first one it is `player.balance`.
   */
  balanceAtEnd: number | undefined;
};

/**
 * It is not ok when the wallet does not respond, from the start or after a rule; `why` is one line.
 */
export type CheckOutcome = { ok: true; report: WalletReport } | { ok: false; why: string };

export type CheckOptions = CheckFacts & {
  /** `/debit` follows it. */
  baseUrl: string;
  secret: string;
  /** Time limit for a request, in milliseconds; 5,000 by default, as for an operator. */
  timeoutMs?: number | undefined;
  /** Called with each result at once. */
  onResult?: (result: RuleResult) => void;
  /** Ends the run after the rule under way, whose bets are rolled back. */
  signal?: AbortSignal;
};

/** Checks a wallet rule by rule. Rejects only with the reason of `signal`. */
export async function checkWallet({
  baseUrl,
  secret,
  timeoutMs,
  onResult,
  signal,
  ...facts
}: CheckOptions): Promise<CheckOutcome> {
  const client = createCheckClient({ baseUrl, secret, timeoutMs });
  const wallet = createWalletUnderTest(client, facts);
  const redact = redactor({ secret, sessionID: facts.sessionID, 'expired sessionID': facts.expiredSessionID });
  try {
    const first = await wallet.authenticate();
    if (!first.response.came) return silent(redact(first.response.why));
    const results: RuleResult[] = [];
    for (const rule of rulesFor(facts)) {
      signal?.throwIfAborted();
      const result = await resultOf(rule, { wallet, redact });
      results.push(result);
      onResult?.(result);
      const why = result.outcome === 'fail' ? await silence(wallet) : undefined;
      if (why !== undefined) return silent(`${redact(why)} since ${rule.id}`);
    }
    return { ok: true, report: { player: wallet.player(), results, balanceAtEnd: await balanceNow(wallet) } };
  } finally {
    await client.close();
  }
}

/** A wallet need not know free rounds, nor debits that close their round. */
function rulesFor({ freeRounds = false, closingDebits = false }: CheckFacts): readonly WalletRule[] {
  const left = [...(freeRounds ? [] : FREE_ROUND_RULES), ...(closingDebits ? [] : CLOSING_DEBIT_RULES)];
  return WALLET_RULES.filter((rule) => !left.includes(rule));
}

function silent(why: string): CheckOutcome {
  return { ok: false, why };
}

async function resultOf(
  rule: WalletRule,
  { wallet, redact }: { wallet: WalletUnderTest; redact: Redact },
): Promise<RuleResult> {
  const begin = wallet.history().length;
  const ownExchanges = () => wallet.history().slice(begin);
  const judged = await judge(rule, wallet);
  const exchanges = judged.outcome === 'fail' ? (judged.exchanges ?? ownExchanges()) : [];
  for (const debit of openDebits(ownExchanges())) await rollBack(wallet, debit);
  const named = { id: rule.id, rule: rule.rule };
  if (judged.outcome === 'pass') return { ...named, ...judged };
  const why = redact(judged.why);
  if (judged.outcome === 'not testable') return { ...named, ...judged, why };
  return { ...named, outcome: 'fail', why, exchanges: exchanges.map((each) => redacted(each, redact)) };
}

type Judged =
  | { outcome: 'pass' }
  | { outcome: 'fail'; why: string; exchanges: readonly ShownExchange[] | undefined }
  | { outcome: 'not testable'; why: string };

async function judge(rule: WalletRule, wallet: WalletUnderTest): Promise<Judged> {
  try {
    await rule.run(wallet);
    return { outcome: 'pass' };
  } catch (error) {
    if (error instanceof CheckFailure) return { outcome: 'fail', why: error.message, exchanges: error.exchanges };
    if (error instanceof NotTestable) return { outcome: 'not testable', why: error.message };
    throw error;
  }
}

function redacted({ call, response }: ShownExchange, redact: Redact): ShownExchange {
  return {
    call: { ...call, body: redact(call.body) },
    response: response.came ? { ...response, body: redact(response.body) } : { ...response, why: redact(response.why) },
  };
}

/**
 * Asks the wallet once again, and returns why it gives no response any more; undefined while it
 * does.
 */
async function silence(wallet: WalletUnderTest): Promise<string | undefined> {
  if (wallet.history().at(-1)?.response.came) return undefined;
  const { response } = await wallet.authenticate();
  return response.came ? undefined : response.why;
}

async function balanceNow(wallet: WalletUnderTest): Promise<number | undefined> {
  try {
    return await readBalance(wallet);
  } catch (error) {
    if (error instanceof CheckFailure || error instanceof NotTestable) return undefined;
    throw error;
  }
}

/**
 * The groups are checked and reported in this order. The last two look back on what the others have
 * done.
 */
export const WALLET_RULES: readonly WalletRule[] = [
  ...SIGNATURE_RULES,
  ...HEALTH_RULES,
  ...AUTHENTICATE_RULES,
  ...BALANCE_RULES,
  ...DEBIT_RULES,
  ...DEBIT_INPUT_RULES,
  ...CREDIT_RULES,
  ...CLOSING_RULES,
  ...ROLLBACK_RULES,
  ...CLOSING_DEBIT_RULES,
  ...FREE_ROUND_RULES,
  ...TRANSACTION_RULES,
  ...RESPONSE_RULES,
];

export type Redact = (text: string) => string;

/** Replaces every secret by its name, also inside JSON. The names are keys, the secrets values. */
export function redactor(secrets: Readonly<Record<string, string | undefined>>): Redact {
  const pairs = Object.entries(secrets)
    .flatMap(([name, secret]) =>
      secret ? [secret, JSON.stringify(secret).slice(1, -1)].map((each) => [each, name] as const) : [],
    )
    // A secret that holds another one goes first, whole.
    .sort(([one], [other]) => other.length - one.length);
  return (text) => pairs.reduce((rest, [secret, name]) => rest.replaceAll(secret, `<${name}>`), text);
}
