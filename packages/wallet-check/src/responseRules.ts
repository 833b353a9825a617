import {
  MAX_REFERENCE_CHARACTERS,
  type WalletRouteName,
  walletContract,
  walletErrorSchema,
} from '@roundhouse/contract';
import type * as z from 'zod';
import {
  CheckFailure,
  type Exchange,
  issuesOf,
  NotTestable,
  parseJson,
  parseObject,
  referencesOf,
  sentTransactions,
  successOf,
} from './exchange.ts';
import { creditOf, expectSuccess, expectTodaysBalance, openRound, rollbackOf } from './steps.ts';
import type { WalletRule, WalletUnderTest } from './walletUnderTest.ts';

const MAX_SHOWN = 3;

/**
 * Makes a rule that holds for each response of the run. `issueOf`: what is wrong with one,
 * undefined when nothing is.
 */
function eachResponse(
  id: string,
  { rule, issueOf }: { rule: string; issueOf: (exchange: Exchange) => string | undefined },
): WalletRule {
  return {
    id: `responses.${id}`,
    rule,
    async run(wallet) {
      const responses = wallet.history().filter(isOfTheProtocol);
      if (responses.length === 0) throw new NotTestable('every call was answered 401');
      const wrong = responses.filter((exchange) => issueOf(exchange) !== undefined);
      const [first] = wrong;
      if (first === undefined) return;
      const more = wrong.length > 1 ? `, and ${wrong.length - 1} more like it` : '';
      throw new CheckFailure(`${first.call.path}: ${issueOf(first)}${more}`, wrong.slice(0, MAX_SHOWN));
    },
  };
}

const OPTIONAL: readonly WalletRouteName[] = ['closeRounds', 'transactions'];

/**
 * The status alone says that the signature is wrong (401), or that a wallet does not offer an
 * optional request.
 */
function isOfTheProtocol({ call, response }: Exchange): boolean {
  if (!response.came) return true;
  return response.status !== 401 && !(OPTIONAL.includes(call.route) && response.status === 404);
}

function shapeIssue({ call, response }: Exchange): string | undefined {
  if (!response.came) return `no response (${response.why})`;
  if (parseObject(response.body) === undefined) return `the response (${response.status}) is not a JSON object`;
  if (response.status !== 200) return undefined;
  return issuesOf(walletContract[call.route].responses[200] as z.ZodType, parseJson(response.body));
}

function codeIssue({ response }: Exchange): string | undefined {
  if (!response.came) return undefined;
  const members = parseObject(response.body);
  if (response.status < 400) {
    return members !== undefined && 'error' in members ? `a refusal with status ${response.status}` : undefined;
  }
  const issues = issuesOf(walletErrorSchema, members);
  return issues === undefined ? undefined : `a refusal (${response.status}) without a code of the contract`;
}

/** Checks every amount of a response, wherever it is. */
function amountIssue({ response }: Exchange): string | undefined {
  if (!response.came) return undefined;
  const members = parseObject(response.body) ?? {};
  const listed = Array.isArray(members.transactions) ? members.transactions.map((each) => each?.amount) : [];
  const wrong = [members.balance, ...listed].find((value) => value !== undefined && !Number.isSafeInteger(value));
  return wrong === undefined ? undefined : `the amount ${JSON.stringify(wrong)} is not a whole number`;
}

/** A wallet may leave it out. */
function currencyIssue(exchange: Exchange): string | undefined {
  const wanted = parseObject(exchange.call.body)?.currency;
  const named = successOf(exchange)?.currency;
  if (wanted === undefined || named === undefined || named === wanted) return undefined;
  return `the balance is in ${JSON.stringify(named)}, the request in ${wanted}`;
}

/** A debt comes from elsewhere: no debit leaves one. */
function coverIssue(exchange: Exchange): string | undefined {
  const balance = exchange.call.route === 'debit' ? successOf(exchange)?.balance : undefined;
  return typeof balance === 'number' && balance < 0 ? `the balance after a debit is ${balance}` : undefined;
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

/** A wallet may give no references. */
async function runReference(wallet: WalletUnderTest): Promise<void> {
  if (sentTransactions(wallet.history()).every(({ outcome }) => outcome !== 'accepted'))
    throw new NotTestable('no transaction was a success');
  const references = new Map<string, string>();
  const transactions = new Map<string, string>();
  for (const exchange of wallet.history()) {
    for (const { transactionID, reference } of referencesOf(exchange)) {
      const issue = `transaction ${transactionID} has the reference ${JSON.stringify(reference)}`;
      if (typeof reference !== 'string' || reference === '' || reference.length > MAX_REFERENCE_CHARACTERS)
        throw new CheckFailure(`${issue}, which is no text of 1 to ${MAX_REFERENCE_CHARACTERS} characters`, [exchange]);
      const before = references.get(transactionID) ?? reference;
      if (before !== reference) throw new CheckFailure(`${issue}, and had ${JSON.stringify(before)}`, [exchange]);
      const owner = transactions.get(reference) ?? transactionID;
      if (owner !== transactionID) throw new CheckFailure(`${issue}, as ${owner} has`, [exchange]);
      references.set(transactionID, reference);
      transactions.set(reference, transactionID);
    }
  }
}

/** These look back on the whole run, so they come after every other rule. */
export const RESPONSE_RULES: readonly WalletRule[] = [
  {
    id: 'responses.todays-balance',
    rule: 'What is asked again is answered with the balance of now, not of then.',
    run: runTodaysBalance,
  },
  eachResponse('shape', {
    rule: "Every call is answered, with a JSON object of the contract's shape.",
    issueOf: shapeIssue,
  }),
  eachResponse('codes', {
    rule: 'Every refusal has a status of 400 or above and carries one of the codes.',
    issueOf: codeIssue,
  }),
  eachResponse('integers', { rule: 'Amounts are whole numbers of micros.', issueOf: amountIssue }),
  eachResponse('currency', {
    rule: 'A currency beside a balance is that of the request.',
    issueOf: currencyIssue,
  }),
  {
    id: 'responses.reference',
    rule: 'A reference names one transaction, the same in each response.',
    run: runReference,
  },
  eachResponse('debit-covered', {
    rule: 'After a debit the balance is 0 or more: a debit that it does not cover is ERR_IPB.',
    issueOf: coverIssue,
  }),
];
