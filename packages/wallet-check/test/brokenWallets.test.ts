import { expect, it } from 'vitest';
import { WALLET_RULES } from '../src/checkWallet.ts';
import type { Race } from '../src/fakeWallet/books.ts';
import {
  BREAKAGES,
  type Breakage,
  CLOSING_DEBIT_BREAKAGES,
  FREE_ROUND_BREAKAGES,
} from '../src/fakeWallet/breakages.ts';
import { idsOf, openWallet, reportOf } from './checking.ts';

const ALL_IDS = WALLET_RULES.map(({ id }) => id);

const IDS_OF_PAID_ROUNDS = ALL_IDS.filter((id) => !/^(free|lost)\./.test(id));
const CLOSINGS = ALL_IDS.filter((id) => id.startsWith('closings.'));

/** Without a balance to read nothing can be said of money. */
const NEEDS_NO_BALANCE = [
  'health.up',
  'closings.one-refused',
  'closings.at-once',
  'closings.most',
  'authenticate.shape',
  'authenticate.same-player',
  'authenticate.unknown-session',
  'authenticate.expired-session',
  'transactions.once',
  'transactions.order',
  'transactions.paged',
  'transactions.window',
  'responses.codes',
  'responses.debit-covered',
  'responses.reference',
  'responses.currency',
];

/**
 * A wallet that is broken in one place fails these rules. Where there are several, one breakage
 * breaks them all.
 */
const FAILS: Readonly<Record<Breakage, readonly string[]>> = {
  'takes unsigned calls': ['signature.missing'],
  'does not compare signatures': [
    'signature.wrong-secret',
    'signature.changed-body',
    'signature.other-body',
    'signature.raw-bytes',
    'signature.other-path',
    'signature.other-method',
    'signature.other-direction',
  ],
  'takes old signatures': ['signature.too-old'],
  'takes early signatures': ['signature.too-new'],
  'has a window of a minute': ['signature.within-window'],
  // A number beyond the range is another one when it is written again, so its signature no longer
  // fits.
  'signs the body as parsed again': ['signature.raw-bytes', 'debit.amount-too-large'],
  'takes upper-case hex': ['signature.upper-case'],
  'takes any version': ['signature.version'],
  'takes signatures of another path': ['signature.other-path'],
  'takes signatures of another method': ['signature.other-method'],
  'takes signatures of the other direction': ['signature.other-direction'],
  'is not healthy': ['health.up'],
  'tells a country in words': ['authenticate.shape', 'responses.shape'],
  'changes the currency': ['authenticate.same-player'],
  'knows every session': ['authenticate.unknown-session'],
  'lets expired sessions in': ['authenticate.expired-session'],
  'tells its balance as a text': IDS_OF_PAID_ROUNDS.filter((id) => !NEEDS_NO_BALANCE.includes(id)),
  // The server reads them as they were meant, so all else can be checked.
  'tells balances as binary fractions': ['responses.shape', 'responses.integers'],
  'tells an old balance at authenticate': ['balance.equal'],
  'takes a micro more': [
    'signature.within-window',
    'debit.exact',
    'debit.at-once',
    'debit.different-at-once',
    'debit.one-covered',
    'debit.unknown-fields',
    'credit.beside-debit',
    'rollback.exact',
    'rollback.at-once',
    'transactions.once',
  ],
  'takes a repeated debit again': ['debit.repeat', 'debit.at-once'],
  'lets debits race': ['debit.at-once'],
  'lets debits overwrite each other': ['debit.different-at-once'],
  'lets two debits spend the same money': ['debit.one-covered', 'responses.debit-covered'],
  'ignores another amount': ['debit.other-amount'],
  'ignores another roundID': ['debit.other-round'],
  'ignores another currency': ['debit.other-currency'],
  'ignores another playerID': ['debit.other-player'],
  'lends money': ['debit.one-covered', 'debit.too-much', 'responses.debit-covered'],
  'tells what a debit moved as the balance': ['debit.exact', 'responses.debit-covered'],
  'takes 0': ['debit.amount-zero'],
  'takes less than 0': ['debit.amount-negative', 'transactions.once'],
  'takes fractions': ['debit.amount-fraction', 'transactions.once'],
  'takes texts': ['debit.amount-text', 'transactions.once'],
  'takes more than the range': ['debit.amount-too-large'],
  'takes debits of no round': ['debit.missing-field'],
  'falls over broken JSON': ['debit.broken-json', 'responses.shape', 'responses.codes'],
  'hangs up on broken JSON': ['debit.broken-json', 'responses.shape'],
  'takes debits of no session': ['debit.unknown-session'],
  'refuses unknown fields': ['debit.unknown-fields'],
  'pays a micro more': [
    'credit.exact',
    'credit.at-once',
    'credit.beside-debit',
    'credit.zero',
    'closings.each',
    'closings.repeat',
    'transactions.once',
  ],
  'adds a repeated credit again': ['credit.repeat', 'credit.at-once'],
  'lets credits race': ['credit.at-once'],
  'lets a credit and a debit overwrite each other': ['credit.beside-debit'],
  'ignores other content of a credit': ['credit.other-content', 'closings.other-content'],
  'refuses a credit of 0': ['credit.zero', ...CLOSINGS.filter((id) => id !== 'closings.most')],
  'pays bets that it does not know': ['credit.unknown-debit', 'closings.one-refused', 'closings.most'],
  'refuses with 200': ['credit.unknown-debit', 'responses.shape', 'responses.codes'],
  'tells the balance after a credit as a text': ['credit.exact', 'responses.shape', 'responses.integers'],
  'charges for a group of closings': ['closings.each'],
  'says of a group only that it came': [...CLOSINGS, 'responses.shape'],
  'refuses new closings beside known ones': ['closings.repeat'],
  'takes a credit for another thing than its closing': ['closings.as-credit'],
  'takes a closing for another thing than its credit': ['closings.as-credit'],
  'refuses a whole group for one closing': ['closings.one-refused'],
  'stops at a refused closing': ['closings.one-refused', 'closings.most'],
  'lets closings race': ['closings.at-once'],
  'takes 100 closings at most': ['closings.most'],
  'ignores other content of a closing': ['closings.other-content'],
  'keeps a micro': ['rollback.exact', 'rollback.at-once', 'transactions.once'],
  'rolls back at a repeated rollback again': ['rollback.repeat', 'rollback.at-once'],
  'lets rollbacks race': ['rollback.at-once'],
  'rolls back at another rollback again': ['rollback.given-back-once', 'transactions.once'],
  'ignores other content of a rollback': ['rollback.other-content'],
  'rolls back bets that it does not know': ['rollback.unknown-debit'],
  'refuses with an unknown code': ['rollback.unknown-debit', 'responses.codes'],
  // Its rollback came before: the list shows a debit that nothing gave back.
  'takes a late debit': ['rollback.late-debit', 'transactions.once'],
  'takes a debit again that was rolled back': ['rollback.debit-again'],
  'names a transaction anew': ['responses.reference'],
  'names another currency beside a balance': ['responses.currency'],
  'repeats the balance of then': ['responses.todays-balance'],
  'lists a transaction twice': ['transactions.once'],
  'lists no losing rounds': ['transactions.once'],
  'lists newest first': ['transactions.order'],
  'lets pages overlap': ['transactions.once', 'transactions.paged'],
  'ignores the limit of a page': ['transactions.paged'],
  'loses a transaction between small pages': ['transactions.paged'],
  'lists without end': ['transactions.once', 'transactions.order', 'transactions.paged', 'transactions.window'],
  'ignores the window': ['transactions.window'],
  'takes a freeBet from the player': [
    'free.debit',
    'free.no-balance',
    'free.rollback',
    'transactions.once',
    'responses.debit-covered',
  ],
  'refuses a repeated free debit': ['free.debit-repeat'],
  'ignores another grantID': ['free.debit-other-content'],
  'ignores another freeBet': ['free.debit-other-content'],
  'takes free debits without a freeBet': ['free.debit-incomplete'],
  'takes money for a free round': ['free.debit-paid'],
  'wants a freeBet to be covered': ['free.no-balance'],
  'takes free debits of no session': ['free.unknown-session'],
  'pays no wins of free rounds': ['free.credit', 'transactions.once'],
  'pays wins of another grant': ['free.credit-other-grant'],
  'closes free rounds of another grant': ['free.closing'],
  'forgets the grant of a closing': ['free.closing'],
  'keeps a free round open at its rollback': ['free.rollback'],
  'takes a late free debit': ['free.late-debit'],
  'pays no winnings': [
    'free.winnings',
    'free.winnings-first',
    'free.winnings-repeat',
    'free.winnings-at-once',
    'free.winnings-other-content',
    'free.winnings-once',
  ],
  'pays no winnings of an open round': ['free.winnings-first'],
  'pays repeated winnings again': ['free.winnings-repeat', 'free.winnings-at-once'],
  'lets winnings race': ['free.winnings-at-once'],
  'ignores the grant of a repeated credit': ['free.winnings-other-content'],
  'pays winnings of a grant twice': ['free.winnings-once'],
  'pays winnings of any debit': ['free.winnings-not-owed'],
  'lists a freeBet as the amount': ['transactions.once'],
  'lists no winnings': ['transactions.once'],
  'pays a round that its debit has closed': ['lost.closed'],
  'ignores the roundClosed of a debit': ['lost.content'],
  'keeps a bet that has closed its round': ['lost.rollback'],
};

/**
 * While this rule is checked, calls of such a wallet look up all together before any of them
 * writes.
 */
const RACES: Partial<Record<Breakage, Race & { rule: string }>> = {
  'lets debits race': { rule: 'debit.at-once', kinds: ['debit'], alone: 0, together: 4 },
  'lets debits overwrite each other': { rule: 'debit.different-at-once', kinds: ['debit'], alone: 0, together: 4 },
  'lets two debits spend the same money': { rule: 'debit.one-covered', kinds: ['debit'], alone: 0, together: 2 },
  'lets credits race': { rule: 'credit.at-once', kinds: ['credit'], alone: 0, together: 4 },
  'lets a credit and a debit overwrite each other': {
    rule: 'credit.beside-debit',
    kinds: ['debit', 'credit'],
    alone: 1,
    together: 2,
  },
  'lets closings race': { rule: 'closings.at-once', kinds: ['group'], alone: 0, together: 4 },
  // The credit before them closes the last round of the grant.
  'lets winnings race': { rule: 'free.winnings-at-once', kinds: ['credit'], alone: 1, together: 4 },
  'lets rollbacks race': { rule: 'rollback.at-once', kinds: ['rollback'], alone: 0, together: 4 },
};

it.each(BREAKAGES)('a wallet that %s fails where it is broken and nowhere else', async (broken) => {
  const wallet = await openWallet({ broken });
  const race = RACES[broken];
  const onResult = ({ id }: { id: string }) => {
    const next = ALL_IDS[ALL_IDS.indexOf(id) + 1];
    wallet.startRace(next === race?.rule ? race : undefined);
  };
  const freeRounds = FREE_ROUND_BREAKAGES.some((each) => each === broken);
  const closingDebits = CLOSING_DEBIT_BREAKAGES.some((each) => each === broken);
  expect(idsOf(await reportOf(wallet, { freeRounds, closingDebits, onResult }), 'fail')).toEqual(FAILS[broken]);
});

it('every rule is broken by one of these wallets', () => {
  expect([...new Set(Object.values(FAILS).flat())].sort()).toEqual([...ALL_IDS].sort());
});
