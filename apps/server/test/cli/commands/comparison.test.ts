import type { ListedTransaction } from '@roundhouse/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Comparison, expectationOf, transactionIDOf } from '../../../src/operators/reconcile/comparison.ts';
import type { Settlement, WalletTransaction } from '../../../src/store/rounds/walletTransaction.ts';
import { AS_OF, FROM, listed, SMALL, TO, uuidOf, type World, world } from './twoLists.ts';

const NOBODY = uuidOf(0xffffffffn, 1);
const isCompared = ({ createdAt }: { createdAt: Date }) => createdAt >= FROM && createdAt < TO;

/** Lists differences of two lists read in pages: kind, transactionID and fields, each once. */
function differences({ ours, theirs }: World, { pageSize = 7, isExport = false } = {}): string[] {
  const comparison = new Comparison({ from: FROM, to: TO, asOf: AS_OF }, { isExport });
  const known = new Map(ours.map((each) => [each.transactionID, each]));
  const found = [
    ...pagesOf(theirs, pageSize).flatMap((page) => comparison.theirs(page, known)),
    ...pagesOf(ours.filter(isCompared), pageSize).flatMap((page) => comparison.ours(page).differences),
  ];
  const texts = found.map((each) =>
    [each.kind, transactionIDOf(each), ...(each.kind === 'unlike' ? each.fields : [])].join(' '),
  );
  return [...new Set(texts)].sort();
}

function pagesOf<Row>(rows: readonly Row[], size: number): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, page) => rows.slice(page * size, (page + 1) * size));
}

/** Returns ours of the compared time that must be in the list, and are. */
const compared = ({ ours, theirs }: World) =>
  ours
    .filter((each) => isCompared(each) && theirs.some((other) => other.transactionID === each.transactionID))
    .filter((each) => !expectationOf(each, AS_OF).unsettled);
/** Follows the rules of the protocol, and not the code under test. */
const isAccepted = ({ state, resultCode, settledAt }: Settlement) =>
  state === 'accepted' && resultCode !== 'ERR_BNF' && settledAt !== null && settledAt <= AS_OF;
const mustBeListed = (each: WalletTransaction) =>
  (isAccepted(each) && each.attempts > 0) || (each.rollback?.settledBy === 'operator' && isAccepted(each.rollback));
const mustNotBeListed = ({ kind, state, attempts, rollback }: WalletTransaction) =>
  state === 'refused' || attempts === 0 || (kind === 'debit' && rollback?.resultCode === 'ERR_BNF');
const rolledBack = (both: World) =>
  compared(both).filter((each) => each.kind === 'debit' && expectationOf(each, AS_OF).rolledBack);

const assertProperty = (check: (both: World, pick: number) => void) =>
  fc.assert(fc.property(world, fc.nat(1_000), check), { numRuns: 300 });
type Choice = (both: World) => readonly WalletTransaction[];
/** Checks any two lists that agree, and any one of these transactions of them, if there is one. */
const assertForOne = (choice: Choice, check: (both: World, one: WalletTransaction) => void) =>
  assertProperty((both, pick) => {
    const all = choice(both);
    const one = all[pick % all.length];
    if (one !== undefined) check(both, one);
  });

const without = ({ ours, theirs }: World, id: string): World => ({
  ours,
  theirs: theirs.filter(({ transactionID }) => transactionID !== id),
});
const also = ({ ours, theirs }: World, ...more: ListedTransaction[]) => ({ ours, theirs: [...theirs, ...more] });
const inTheirs = ({ ours, theirs }: World, id: string, change: (listed: ListedTransaction) => ListedTransaction) => ({
  ours,
  theirs: theirs.map((each) => (each.transactionID === id ? change(each) : each)),
});
const inOurs = ({ ours, theirs }: World, id: string, change: Partial<WalletTransaction>): World => ({
  ours: ours.map((each) => (each.transactionID === id ? { ...each, ...change } : each)),
  theirs,
});

describe('two lists that agree', () => {
  it('have no difference, in any order and in pages of any size', () => {
    const inAnyOrder = world.chain(({ ours, theirs }) =>
      fc.shuffledSubarray(theirs, { minLength: theirs.length }).map((shuffled) => ({ ours, theirs: shuffled })),
    );
    fc.assert(
      fc.property(inAnyOrder, fc.integer({ min: 1, max: 40 }), (both, pageSize) => {
        expect(differences(both, { pageSize })).toEqual([]);
      }),
    );
  });

  it('also when the operator writes ids in upper case, and a debit names itself', () => {
    assertProperty(({ ours, theirs }) => {
      const upperCase = theirs.map((each) => ({
        ...each,
        transactionID: each.transactionID.toUpperCase(),
        debitTransactionID: (each.debitTransactionID ?? each.transactionID).toUpperCase(),
      }));
      expect(differences({ ours, theirs: upperCase })).toEqual([]);
    });
  });

  it('what is not settled is reported apart', () => {
    assertProperty(({ ours }) => {
      const comparison = new Comparison({ from: FROM, to: TO, asOf: AS_OF }, { isExport: false });
      const expected = ours.filter(({ settledAt }) => settledAt === null || settledAt > AS_OF);
      expect(comparison.ours(ours).unsettled).toEqual(expected);
    });
  });
});

type Change = [what: string, choice: Choice, change: (both: World, one: WalletTransaction) => World, kind: string];

const theirFields: [field: string, change: (theirs: ListedTransaction) => Partial<ListedTransaction>][] = [
  ['kind', ({ kind }) => ({ kind: kind === 'credit' ? 'rollback' : 'credit' })],
  ['roundID', ({ roundID }) => ({ roundID: `${roundID}0` })],
  ['playerID', () => ({ playerID: 'somebody' })],
  ['currency', () => ({ currency: 'EUR' })],
  ['amount', ({ amount }) => ({ amount: amount + 1 })],
  ['debitTransactionID', () => ({ debitTransactionID: NOBODY })],
];

describe('any single change is found and named:', () => {
  it.each<Change>([
    ...theirFields.map(
      ([field, change]): Change => [
        `their ${field}`,
        compared,
        (both, { transactionID }) => inTheirs(both, transactionID, (each) => ({ ...each, ...change(each) })),
        `unlike % ${field}`,
      ],
    ),
    [
      'a transaction that they list twice',
      compared,
      (both, one) => also(both, ...both.theirs.filter((each) => each.transactionID === one.transactionID)),
      'listed_twice %',
    ],
    [
      'their credit or rollback that names no debit',
      (both) => compared(both).filter(({ kind }) => kind !== 'debit'),
      (both, one) => inTheirs(both, one.transactionID, ({ debitTransactionID: _, ...each }) => each),
      'unlike % debitTransactionID',
    ],
    [
      'a debit of theirs that was refused, or never taken by their own response',
      ({ ours }) => ours.filter((each) => isCompared(each) && mustNotBeListed(each)),
      (both, one) => also(both, listed(one)),
      'never_taken %',
    ],
    ...(['accepted', 'abandoned'] as const).map(
      (state): Change => [
        `our rollback of an ${state} debit, not found although they have taken the debit`,
        (both) => rolledBack(both).filter((each) => each.state === state),
        (both, one) =>
          inOurs(both, one.transactionID, {
            rollback: one.rollback && { ...one.rollback, resultCode: 'ERR_BNF', settledBy: 'operator' },
          }),
        state === 'accepted' ? 'not_rolled_back %' : 'never_taken %',
      ],
    ),
  ])('%s', (_, choice, change, kind) => {
    assertForOne(choice, (both, one) => {
      expect(differences(change(both, one))).toEqual([kind.replace('%', one.transactionID)]);
    });
  });

  it('a transaction that is missing in their list', () => {
    const must: Choice = ({ ours }) => ours.filter((each) => isCompared(each) && mustBeListed(each));
    assertForOne(must, (both, { transactionID, kind, roundID }) => {
      const all = differences(without(both, transactionID));
      expect(all).toContain(`missing ${transactionID}`);
      // Without its rollback a debit is not rolled back, which is a separate difference.
      const debitToo = kind === 'rollback' ? [`not_rolled_back ${uuidOf(roundID, 1)}`] : [];
      expect([`missing ${transactionID}`, ...debitToo]).toEqual(expect.arrayContaining(all));
    });
  });

  it('a rollback that is missing in their list, whenever it was', () => {
    const byResponse: Choice = (both) => rolledBack(both).filter(({ rollback }) => rollback?.resultCode === 'accepted');
    assertForOne(byResponse, (both, { transactionID, roundID }) => {
      expect(differences(without(both, uuidOf(roundID, 3)))).toContain(`not_rolled_back ${transactionID}`);
    });
  });

  it('a transaction of that time that is not one of ours', () => {
    const ms = fc.integer({ min: FROM.getTime() - 9, max: TO.getTime() + 9 });
    const edges = [FROM.getTime() - 1, FROM.getTime(), TO.getTime() - 1, TO.getTime()];
    fc.assert(
      fc.property(world, ms, ({ ours, theirs }, atMs) => {
        const createdAt = new Date(atMs);
        const transactionID = uuidOf(0xffffffffn, 9);
        const stranger = { ...listed(ours[0] as WalletTransaction), transactionID, at: createdAt.toISOString() };
        const expected = isCompared({ createdAt }) ? [`not_ours ${transactionID}`] : [];
        expect(differences(also({ ours, theirs }, stranger))).toEqual(expected);
      }),
      { examples: edges.map((atMs) => [SMALL, atMs]) },
    );
  });
});

it('a rollback settled by hand does not show whether its debit was taken, and is missing until it is listed', () => {
  const byHand: Choice = (both) => compared(both).filter(({ rollback }) => rollback?.settledBy === 'person');
  assertForOne(byHand, (both, { roundID }) => {
    const [debitID, rollbackID] = [uuidOf(roundID, 1), uuidOf(roundID, 3)];
    expect(differences(without(both, debitID))).toEqual([]);
    const rollback = both.ours.find(({ transactionID }) => transactionID === rollbackID);
    const expected = rollback && isCompared(rollback) ? [`missing ${rollbackID}`] : [];
    expect(differences(without(both, rollbackID))).toEqual(expected);
  });
});

describe('an export', () => {
  /** The list of a wallet in another protocol: only what moved money, and no debits of others. */
  const exported = ({ ours, theirs }: World): World => ({
    ours,
    theirs: theirs.filter(({ amount }) => amount > 0).map(({ debitTransactionID: _, ...each }) => each),
  });
  const inExport = (both: World) => differences(exported(both), { isExport: true });

  it('that leaves out what moved nothing, and names no debits, has no difference', () => {
    assertProperty((both) => {
      expect(inExport(both)).toEqual([]);
    });
  });

  it('need not have a debit and its accepted rollback, when it has neither, or a rollback of 0', () => {
    const neverSeen: Choice = (both) => rolledBack(both).filter(({ state }) => state === 'abandoned');
    assertForOne(neverSeen, (both, { transactionID, roundID }) => {
      const withoutDebit = without(both, transactionID);
      expect(inExport(without(withoutDebit, uuidOf(roundID, 3)))).toEqual([]);
      const ofZero = inTheirs(withoutDebit, uuidOf(roundID, 3), (each) => ({ ...each, amount: 0 }));
      expect(differences(ofZero, { isExport: true })).toEqual([]);
    });
  });

  it('that lacks one movement has a difference', () => {
    const moved: Choice = (both) => compared(both).filter((each) => each.amount > 0 && mustBeListed(each));
    assertForOne(moved, (both, { transactionID, kind, roundID }) => {
      const debitToo = kind === 'rollback' ? [`not_rolled_back ${uuidOf(roundID, 1)}`] : [];
      const all = inExport(without(both, transactionID));
      expect(all).toContain(`missing ${transactionID}`);
      expect([`missing ${transactionID}`, ...debitToo]).toEqual(expect.arrayContaining(all));
    });
  });

  it('that has rolled back 0 of a debit that it has taken has a difference', () => {
    assertForOne(rolledBack, (both, { transactionID, roundID, rollback }) => {
      if (rollback?.settledBy !== 'operator') return;
      const ofZero = inTheirs(both, uuidOf(roundID, 3), (each) => ({ ...each, amount: 0 }));
      expect(differences(ofZero, { isExport: true })).toContain(`not_rolled_back ${transactionID}`);
    });
  });

  it.each(theirFields)('that shows another %s has a difference', (field, change) => {
    assertForOne(compared, (both, { transactionID }) => {
      const changed = inTheirs(both, transactionID, (each) => ({ ...each, ...change(each) }));
      expect(differences(changed, { isExport: true })).toEqual([`unlike ${transactionID} ${field}`]);
    });
  });
});

it('the texts for people decide nothing', () => {
  const texts = ['', 'ERR_BNF', 'settled by hand: seen', 'status 404 without a code', 'any other words', 'accepted'];
  fc.assert(
    fc.property(world, fc.nat(1_000), fc.constantFrom(...texts), (both, pick, text) => {
      const theirs = both.theirs.filter((_, index) => index !== pick % Math.max(1, both.theirs.length));
      const ours = both.ours.map((each) => ({ ...each, resultDetail: text, settlementNote: text, reason: text }));
      expect(differences({ ours, theirs })).toEqual(differences({ ...both, theirs }));
    }),
  );
});
