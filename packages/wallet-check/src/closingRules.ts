import {
  type CloseRoundsRequest,
  type Closing,
  type DebitRequest,
  MAX_CLOSINGS,
  type WalletErrorCode,
} from '@roundhouse/contract';
import { CheckFailure, closingOutcome, closingResult, type Exchange, NotTestable } from './exchange.ts';
import {
  BETS_AT_ONCE,
  callAtOnce,
  closingOf,
  creditOf,
  expectNoBalanceChange,
  expectSuccess,
  newDebit,
  openRound,
  unlike,
} from './steps.ts';
import type { WalletRule, WalletUnderTest } from './walletUnderTest.ts';

/** The server sends at most such a body to `/close-rounds`. */
const MAX_BODY_BYTES = 128 * 1024;

export async function sendGroup(wallet: WalletUnderTest, body: CloseRoundsRequest): Promise<Exchange> {
  const exchange = await wallet.call('closeRounds', body);
  if (isMissing(exchange)) throw notOffered();
  return exchange;
}

function isMissing({ call, response }: Exchange): boolean {
  return call.route === 'closeRounds' && response.came && response.status === 404;
}

function notOffered(): NotTestable {
  return new NotTestable('the wallet has no /close-rounds (404), which is optional');
}

/** Sends a group. Each of its rounds must be closed. */
export async function closeAll(wallet: WalletUnderTest, rounds: Closing[]): Promise<void> {
  const exchange = await sendGroup(wallet, { rounds });
  for (const closing of rounds) expectClosed(exchange, closing);
}

function expectClosed(exchange: Exchange, { transactionID }: Closing): void {
  const result = closingResult(exchange, transactionID);
  if (result === undefined || result.error !== undefined) {
    throw unlike(exchange, `one result without an error for ${transactionID}`);
  }
}

export function expectRefused(exchange: Exchange, { transactionID }: Closing, codes: readonly WalletErrorCode[]): void {
  const code = closingResult(exchange, transactionID)?.error;
  if (code === undefined || !codes.includes(code)) {
    throw unlike(exchange, `one result with the error ${codes.join(' or ')} for ${transactionID}`);
  }
}

async function openRounds(wallet: WalletUnderTest, count: number): Promise<DebitRequest[]> {
  const debits: DebitRequest[] = [];
  for (let round = 0; round < count; round += 1) debits.push(await openRound(wallet));
  return debits;
}

/** Plays a round that returns to the player what `lost` completed rounds took. */
async function winBack(wallet: WalletUnderTest, lost: number): Promise<void> {
  const debit = await openRound(wallet);
  expectSuccess(await wallet.call('credit', creditOf(debit, debit.amount * (lost + 1))));
}

type ClosingCheck = {
  rule: string;
  /** The number of rounds that it opens and closes. */
  loses: number;
  run: (wallet: WalletUnderTest, debits: readonly DebitRequest[]) => Promise<void>;
};

/** Makes a rule of the optional `/close-rounds`. The bets of its rounds are won back. */
function closings(id: string, { rule, loses, run }: ClosingCheck): WalletRule {
  return {
    id: `closings.${id}`,
    rule,
    async run(wallet) {
      if (wallet.history().some(isMissing)) throw notOffered();
      await run(wallet, await openRounds(wallet, loses));
      if (loses > 0) await winBack(wallet, loses);
    },
  };
}

/** Returns the body padded to the largest size with a field that wallets ignore. */
function withPadding(body: CloseRoundsRequest): CloseRoundsRequest {
  const bytes = Buffer.byteLength(JSON.stringify({ ...body, padding: '' }));
  return { ...body, padding: 'x'.repeat(Math.max(0, MAX_BODY_BYTES - bytes)) } as CloseRoundsRequest;
}

export const CLOSING_RULES: readonly WalletRule[] = [
  closings('each', {
    rule: 'A group of closings closes each round, each has one result, and no money moves.',
    loses: BETS_AT_ONCE - 1,
    run: (wallet, debits) => expectNoBalanceChange(wallet, () => closeAll(wallet, debits.map(closingOf))),
  }),
  closings('repeat', {
    rule: 'Closings that come again, also beside new ones, are the same success and move nothing.',
    loses: 2,
    async run(wallet, debits) {
      const [first, second] = debits.map(closingOf) as [Closing, Closing];
      await closeAll(wallet, [first]);
      await expectNoBalanceChange(wallet, async () => {
        await closeAll(wallet, [first]);
        await closeAll(wallet, [first, second]);
      });
    },
  }),
  closings('as-credit', {
    rule: 'A closing that comes again as a credit of 0 is the same success, and so is a credit of 0 as a closing.',
    loses: 2,
    async run(wallet, debits) {
      const [first, second] = debits as [DebitRequest, DebitRequest];
      const [closing, credit] = [closingOf(first), creditOf(second, 0)];
      await closeAll(wallet, [closing]);
      expectSuccess(await wallet.call('credit', credit));
      await expectNoBalanceChange(wallet, async () => {
        expectSuccess(await wallet.call('credit', { ...closing, amount: 0, roundClosed: true }));
        const { amount, roundClosed, ...asClosing } = credit;
        await closeAll(wallet, [asClosing]);
      });
    },
  }),
  closings('one-refused', {
    rule: 'A closing of an unknown debit is ERR_BNF, and the other rounds of its group are closed.',
    loses: 2,
    async run(wallet, debits) {
      const [first, last] = debits.map(closingOf) as [Closing, Closing];
      const unknown = closingOf(newDebit(wallet));
      const exchange = await sendGroup(wallet, { rounds: [first, unknown, last] });
      for (const closing of [first, last]) expectClosed(exchange, closing);
      expectRefused(exchange, unknown, ['ERR_BNF']);
    },
  }),
  closings('at-once', {
    rule: 'The same group several times at the same moment closes each round once.',
    loses: 2,
    async run(wallet, debits) {
      const rounds = debits.map(closingOf);
      const copies = Array.from({ length: BETS_AT_ONCE }, () => ({ route: 'closeRounds', body: { rounds } }) as const);
      const exchanges = await callAtOnce(wallet, copies);
      if (exchanges.some(isMissing)) throw notOffered();
      for (const { transactionID } of rounds) {
        const outcomes = exchanges.map((exchange) => closingOutcome(exchange, transactionID));
        const refused = exchanges[outcomes.indexOf('refused')];
        if (refused !== undefined) throw unlike(refused, 'the same success for each copy');
        if (!outcomes.includes('accepted')) throw new CheckFailure(`none of the copies closed ${transactionID}`);
      }
    },
  }),
  closings('most', {
    rule: `A group of ${MAX_CLOSINGS} closings in a body of 128 KiB is read, and each has its result.`,
    loses: 0,
    async run(wallet) {
      const rounds = Array.from({ length: MAX_CLOSINGS }, () => closingOf(newDebit(wallet)));
      const exchange = await sendGroup(wallet, withPadding({ rounds }));
      for (const closing of rounds) expectRefused(exchange, closing, ['ERR_BNF']);
    },
  }),
  closings('other-content', {
    rule: 'The transactionID of a closing with another round or debit is ERR_DUP, and so is that of a credit that paid.',
    loses: 1,
    async run(wallet, debits) {
      const [closing] = debits.map(closingOf) as [Closing];
      await closeAll(wallet, [closing]);
      const [another, paid] = [await openRound(wallet), await openRound(wallet)];
      const { amount, roundClosed, ...ofCredit } = creditOf(paid, paid.amount);
      expectSuccess(await wallet.call('credit', { ...ofCredit, amount, roundClosed }));
      const changed: Closing[] = [
        { ...closing, roundID: `${closing.roundID}0` },
        { ...closing, debitTransactionID: another.transactionID },
        ofCredit,
      ];
      await expectNoBalanceChange(wallet, async () => {
        for (const each of changed) expectRefused(await sendGroup(wallet, { rounds: [each] }), each, ['ERR_DUP']);
      });
    },
  }),
];
