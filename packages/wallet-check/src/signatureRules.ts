import { SIGNATURE_WINDOW_SECONDS, WALLET_ROUTES } from '@roundhouse/contract';
import {
  creditOf,
  expectBalanceChange,
  expectNoBalanceChange,
  expectSuccess,
  expectUnauthorized,
  newDebit,
  rollbackOf,
} from './steps.ts';
import { playerOf, type Signing, type WalletRule, type WalletUnderTest } from './walletUnderTest.ts';

/** The clocks of both sides differ a little, so the edge of the window itself says nothing. */
const CLOCK_TOLERANCE_SECONDS = 15;
const OUTSIDE_SECONDS = SIGNATURE_WINDOW_SECONDS + CLOCK_TOLERANCE_SECONDS;
const INSIDE_SECONDS = SIGNATURE_WINDOW_SECONDS - CLOCK_TOLERANCE_SECONDS;

const UNSIGNED: Signing = { words: 'not signed', unsigned: true };

/** A debit with this signature must get a 401 and take nothing. */
function refusedSignature(id: string, rule: string, signing: Signing): WalletRule {
  return {
    id: `signature.${id}`,
    rule,
    async run(wallet) {
      const debit = newDebit(wallet);
      await expectNoBalanceChange(wallet, async () => expectUnauthorized(await wallet.call('debit', debit, signing)));
    },
  };
}

/** Returns one space more than JSON.stringify writes: the same content in other bytes. */
function spaced(body: object): string {
  return JSON.stringify(body).replace('{', '{ ');
}

async function runUnsigned(wallet: WalletUnderTest): Promise<void> {
  const debit = newDebit(wallet);
  const { playerID, currency } = playerOf(wallet);
  const { sessionID, gameID } = wallet.facts;
  const calls = [
    ['authenticate', { sessionID, gameID }],
    ['balance', { sessionID, playerID, gameID, currency }],
    ['debit', debit],
    ['credit', creditOf(debit, debit.amount)],
    ['rollback', rollbackOf(debit)],
  ] as const;
  await expectNoBalanceChange(wallet, async () => {
    for (const [route, body] of calls) expectUnauthorized(await wallet.call(route, body, UNSIGNED));
  });
}

export const SIGNATURE_RULES: readonly WalletRule[] = [
  {
    id: 'signature.missing',
    rule: 'Every call without a signature is answered 401 and moves nothing.',
    run: runUnsigned,
  },
  refusedSignature('wrong-secret', 'A call signed with another secret is answered 401 and moves nothing.', {
    words: 'signed with another secret',
    otherSecret: true,
  }),
  refusedSignature('too-old', 'A signature from more than 300 s ago is answered 401 and moves nothing.', {
    words: `signed ${OUTSIDE_SECONDS} s ago`,
    offsetSeconds: -OUTSIDE_SECONDS,
  }),
  refusedSignature('too-new', 'A signature from more than 300 s ahead is answered 401 and moves nothing.', {
    words: `signed ${OUTSIDE_SECONDS} s ahead`,
    offsetSeconds: OUTSIDE_SECONDS,
  }),
  {
    id: 'signature.within-window',
    rule: 'A signature from less than 300 s ago or ahead is good.',
    async run(wallet) {
      for (const offsetSeconds of [-INSIDE_SECONDS, INSIDE_SECONDS]) {
        const words = `signed ${INSIDE_SECONDS} s ${offsetSeconds < 0 ? 'ago' : 'ahead'}`;
        const debit = newDebit(wallet);
        await expectBalanceChange(wallet, -debit.amount, async () =>
          expectSuccess(await wallet.call('debit', debit, { words, offsetSeconds })),
        );
      }
    },
  },
  {
    id: 'signature.changed-body',
    rule: 'A body that was changed after it was signed is answered 401 and moves nothing.',
    async run(wallet) {
      const debit = newDebit(wallet);
      const body = JSON.stringify({ ...debit, amount: debit.amount * 2 });
      const signing = { words: 'signed with another amount', signed: { body } };
      await expectNoBalanceChange(wallet, async () => expectUnauthorized(await wallet.call('debit', debit, signing)));
    },
  },
  {
    id: 'signature.other-body',
    rule: 'The signature of another call is answered 401 and moves nothing.',
    async run(wallet) {
      const { sessionID, gameID } = wallet.facts;
      const debit = newDebit(wallet);
      const signed = { path: WALLET_ROUTES.authenticate.path, body: JSON.stringify({ sessionID, gameID }) };
      const signing = { words: 'with the signature of an authenticate', signed };
      await expectNoBalanceChange(wallet, async () => expectUnauthorized(await wallet.call('debit', debit, signing)));
    },
  },
  {
    id: 'signature.raw-bytes',
    rule: 'What is signed is the body as it was sent, byte for byte: white space counts.',
    async run(wallet) {
      const debit = newDebit(wallet);
      const signing = { words: 'signed without the space', signed: { body: JSON.stringify(debit) } };
      await expectNoBalanceChange(wallet, async () =>
        expectUnauthorized(await wallet.callWithText('debit', spaced(debit), signing)),
      );
      expectSuccess(await wallet.callWithText('debit', spaced(debit)));
    },
  },
  refusedSignature('upper-case', 'A signature in upper-case hex is answered 401 and moves nothing.', {
    words: 'signed in upper-case hex',
    rewrite: (signature) => signature.replace(/=.*/, (hex) => hex.toUpperCase()),
  }),
  refusedSignature('version', 'A signature of another version than v2 is answered 401 and moves nothing.', {
    words: 'signed as v1',
    rewrite: (signature) => signature.replace(/^[^=]*=/, 'v1='),
  }),
  refusedSignature('other-path', 'The same body signed for another path is answered 401 and moves nothing.', {
    words: 'signed for /balance',
    signed: { path: WALLET_ROUTES.balance.path },
  }),
  refusedSignature('other-method', 'A signature for another method is answered 401 and moves nothing.', {
    words: 'signed as a GET',
    signed: { method: 'GET' },
  }),
  refusedSignature('other-direction', 'A signature for a call to the server is answered 401 and moves nothing.', {
    words: 'signed as a call to the server',
    signed: { direction: 'to-rgs' },
  }),
];
