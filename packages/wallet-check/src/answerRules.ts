import { walletContract, walletErrorSchema } from '@roundhouse/contract';
import type * as z from 'zod';
import { CheckFailure, type Exchange, issuesOf, NotTestable, parseJson, parseObject } from './exchange.ts';
import { creditOf, expectSuccess, expectTodaysBalance, openRound, rollbackOf } from './steps.ts';
import type { WalletRule, WalletUnderTest } from './walletUnderTest.ts';

const MAX_SHOWN = 3;

/**
 * A rule that holds for each answer of the run. `issueOf`: what is wrong with one, undefined when
 * nothing is.
 */
function eachAnswer(
  id: string,
  { rule, issueOf }: { rule: string; issueOf: (exchange: Exchange) => string | undefined },
): WalletRule {
  return {
    id: `answers.${id}`,
    rule,
    async run(wallet) {
      const answers = wallet.history().filter(isOfTheProtocol);
      if (answers.length === 0) throw new NotTestable('every call was answered 401');
      const wrong = answers.filter((exchange) => issueOf(exchange) !== undefined);
      const [first] = wrong;
      if (first === undefined) return;
      const more = wrong.length > 1 ? `, and ${wrong.length - 1} more like it` : '';
      throw new CheckFailure(`${first.call.path}: ${issueOf(first)}${more}`, wrong.slice(0, MAX_SHOWN));
    },
  };
}

/**
 * A 401 is said by its status alone, and so is that a wallet does not offer the list of
 * transactions.
 */
function isOfTheProtocol({ call, answer }: Exchange): boolean {
  if (!answer.came) return true;
  return answer.status !== 401 && !(call.route === 'transactions' && answer.status === 404);
}

function shapeIssue({ call, answer }: Exchange): string | undefined {
  if (!answer.came) return `no answer (${answer.why})`;
  if (parseObject(answer.body) === undefined) return `the answer (${answer.status}) is not a JSON object`;
  if (answer.status !== 200) return undefined;
  return issuesOf(walletContract[call.route].responses[200] as z.ZodType, parseJson(answer.body));
}

function codeIssue({ answer }: Exchange): string | undefined {
  if (!answer.came) return undefined;
  const members = parseObject(answer.body);
  if (answer.status < 400) {
    return members !== undefined && 'error' in members ? `a refusal with status ${answer.status}` : undefined;
  }
  const issues = issuesOf(walletErrorSchema, members);
  return issues === undefined ? undefined : `a refusal (${answer.status}) without a code of the contract`;
}

/** Every amount of an answer, wherever it stands. */
function amountIssue({ answer }: Exchange): string | undefined {
  if (!answer.came) return undefined;
  const members = parseObject(answer.body) ?? {};
  const listed = Array.isArray(members.transactions) ? members.transactions.map((each) => each?.amount) : [];
  const wrong = [members.balance, ...listed].find((value) => value !== undefined && !Number.isSafeInteger(value));
  return wrong === undefined ? undefined : `the amount ${JSON.stringify(wrong)} is not a whole number`;
}

/** Between a call and its repetition the balance moves by another bet. */
async function runTodaysBalance(wallet: WalletUnderTest): Promise<void> {
  const debit = await openRound(wallet);
  const given = await openRound(wallet);
  await expectTodaysBalance(wallet, await wallet.call('debit', debit));
  const credit = creditOf(debit, debit.amount);
  expectSuccess(await wallet.call('credit', credit));
  const rollback = rollbackOf(given);
  expectSuccess(await wallet.call('rollback', rollback));
  await openRound(wallet);
  await expectTodaysBalance(wallet, await wallet.call('credit', credit));
  await expectTodaysBalance(wallet, await wallet.call('rollback', rollback));
}

/** These look back on the whole run, so they come after every other rule. */
export const ANSWER_RULES: readonly WalletRule[] = [
  {
    id: 'answers.todays-balance',
    rule: 'What is asked again is answered with the balance of now, not of then.',
    run: runTodaysBalance,
  },
  eachAnswer('shape', {
    rule: "Every call is answered, with a JSON object of the contract's shape.",
    issueOf: shapeIssue,
  }),
  eachAnswer('codes', {
    rule: 'Every refusal has a status of 400 or above and carries one of the codes.',
    issueOf: codeIssue,
  }),
  eachAnswer('integers', { rule: 'Amounts are whole numbers of micros.', issueOf: amountIssue }),
];
