import { createCheckClient } from './checkClient.ts';
import type { Exchange } from './exchange.ts';
import { readBalance } from './expectations.ts';
import { giveBack } from './movements.ts';
import { type Redact, redactor } from './redact.ts';
import type { WalletRule } from './rule.ts';
import { WALLET_RULES } from './rules.ts';
import { openDebits } from './sentMovements.ts';
import { CheckFailure, NotTestable } from './verdicts.ts';
import { type CheckFacts, createWalletUnderTest, type Player, type WalletUnderTest } from './walletUnderTest.ts';

export type RuleResult = { id: string; rule: string } & (
  | { outcome: 'pass' }
  /** `exchanges`: the calls that show it. Secrets and sessions in them are replaced by their names. */
  | { outcome: 'fail'; why: string; exchanges: Exchange[] }
  | { outcome: 'not testable'; why: string }
);

export type WalletReport = {
  player: Player | undefined;
  results: RuleResult[];
  /** In micros, after the last check; undefined when the wallet does not tell. Before the first one: `player.balance`. */
  balanceAtEnd: number | undefined;
};

/** `wallet_silent`: it did not answer at all, from the start or any more; `why` is one line. */
export type CheckOutcome = { ok: true; report: WalletReport } | { ok: false; fault: 'wallet_silent'; why: string };

export type CheckOptions = CheckFacts & {
  /** What stands before `/debit`. */
  baseUrl: string;
  secret: string;
  /** Each result as soon as it is there. */
  onResult?: (result: RuleResult) => void;
  /** Ends the run after the rule under way, whose bets are given back. */
  signal?: AbortSignal;
};

/** Checks a wallet rule by rule. Rejects only with the reason of `signal`. */
export async function checkWallet({
  baseUrl,
  secret,
  onResult,
  signal,
  ...facts
}: CheckOptions): Promise<CheckOutcome> {
  const client = createCheckClient({ baseUrl, secret });
  const wallet = createWalletUnderTest(client, facts);
  const redact = redactor({ secret, sessionID: facts.sessionID, 'expired sessionID': facts.expiredSessionID });
  try {
    const first = await wallet.authenticate();
    if (!first.answer.came) return silent(redact(first.answer.why));
    const results: RuleResult[] = [];
    for (const rule of WALLET_RULES) {
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

function silent(why: string): CheckOutcome {
  return { ok: false, fault: 'wallet_silent', why };
}

async function resultOf(
  rule: WalletRule,
  { wallet, redact }: { wallet: WalletUnderTest; redact: Redact },
): Promise<RuleResult> {
  const begin = wallet.history().length;
  const ownExchanges = () => wallet.history().slice(begin);
  const judged = await judge(rule, wallet);
  const exchanges = judged.outcome === 'fail' ? (judged.exchanges ?? ownExchanges()) : [];
  for (const debit of openDebits(ownExchanges())) await giveBack(wallet, debit);
  const named = { id: rule.id, rule: rule.rule };
  if (judged.outcome === 'pass') return { ...named, ...judged };
  const why = redact(judged.why);
  if (judged.outcome === 'not testable') return { ...named, ...judged, why };
  return { ...named, outcome: 'fail', why, exchanges: exchanges.map((each) => redacted(each, redact)) };
}

type Judged =
  | { outcome: 'pass' }
  | { outcome: 'fail'; why: string; exchanges: readonly Exchange[] | undefined }
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

function redacted({ call, answer }: Exchange, redact: Redact): Exchange {
  return {
    call: { ...call, body: redact(call.body) },
    answer: answer.came ? { ...answer, body: redact(answer.body) } : { ...answer, why: redact(answer.why) },
  };
}

/** Why the wallet gives no answer any more, asked once again; undefined while it does. */
async function silence(wallet: WalletUnderTest): Promise<string | undefined> {
  if (wallet.history().at(-1)?.answer.came) return undefined;
  const { answer } = await wallet.authenticate();
  return answer.came ? undefined : answer.why;
}

async function balanceNow(wallet: WalletUnderTest): Promise<number | undefined> {
  try {
    return await readBalance(wallet);
  } catch (error) {
    if (error instanceof CheckFailure || error instanceof NotTestable) return undefined;
    throw error;
  }
}
