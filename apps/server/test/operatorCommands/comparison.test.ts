import { type ListedTransaction, toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WalletTransaction } from '../../src/ledger/walletTransaction.ts';
import { Comparison, type Difference, expectationOf, transactionIDOf } from '../../src/reconcile/comparison.ts';
import { AS_OF, CONTEXT, FROM, listed, TO, uuidOf, type World, world } from './twoLists.ts';

const isCompared = (moment: Date) => moment >= FROM && moment < TO;

/**
 * Page by page, as it is read; what is known is all of ours, and what is compared the movements of
 * the time.
 */
function compare({ ours, theirs }: World, pageSize = 7): Difference[] {
  const comparison = new Comparison({ from: FROM, to: TO, asOf: AS_OF });
  const known = new Map(ours.map((each) => [each.transactionID, each]));
  const compared = ours.filter(({ createdAt }) => isCompared(createdAt));
  return [
    ...pagesOf(theirs, pageSize).flatMap((page) => comparison.theirs(page, known)),
    ...pagesOf(compared, pageSize).flatMap((page) => comparison.ours(page).differences),
  ];
}

function pagesOf<Row>(rows: readonly Row[], size: number): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, page) => rows.slice(page * size, (page + 1) * size));
}

/** The transactionIDs and what is wrong with them, each once. */
const found = (differences: Difference[]) =>
  [...new Set(differences.map((each) => `${each.kind} ${transactionIDOf(each)}`))].sort();

/** Ours of the compared time that must be in the list, and are. */
const comparedPairs = ({ ours, theirs }: World) =>
  ours
    .filter((each) => isCompared(each.createdAt) && theirs.some((other) => other.transactionID === each.transactionID))
    .filter((each) => !expectationOf(each, AS_OF).unsettled);

/** Changes one of those that fit, if there is one. */
function withOne<Row>(rows: readonly Row[], pick: number, check: (row: Row) => void): void {
  const row = rows[pick % rows.length];
  if (row !== undefined) check(row);
}

const replaced = (theirs: readonly ListedTransaction[], id: string, change: Partial<ListedTransaction>) =>
  theirs.map((each) => (each.transactionID === id ? { ...each, ...change } : each));

const assertProperty = (check: (world: World, pick: number) => void) =>
  fc.assert(fc.property(world, fc.nat(1_000), check), { numRuns: 300 });

describe('two lists that agree', () => {
  test('have no difference, in any order and in pages of any size', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: 1, max: 40 }), fc.infiniteStream(fc.nat()), (both, pageSize, order) => {
        const shuffled = both.theirs
          .map((each) => ({ each, key: order.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        expect(found(compare({ ...both, theirs: shuffled }, pageSize))).toEqual([]);
      }),
    );
  });

  test('also when the operator writes ids in upper case, and a debit names itself', () => {
    assertProperty(({ ours, theirs }) => {
      const loud = theirs.map((each) => ({
        ...each,
        transactionID: each.transactionID.toUpperCase(),
        debitTransactionID: (each.debitTransactionID ?? each.transactionID).toUpperCase(),
      }));
      expect(found(compare({ ours, theirs: loud }))).toEqual([]);
    });
  });

  test('what is not settled is reported apart', () => {
    assertProperty(({ ours }) => {
      const comparison = new Comparison({ from: FROM, to: TO, asOf: AS_OF });
      const expected = ours.filter(({ settledAt }) => settledAt === null || settledAt > AS_OF);
      expect(comparison.ours(ours).unsettled).toEqual(expected);
    });
  });
});

describe('any single change on their side is found and named:', () => {
  test('a transaction that is left out', () => {
    assertProperty((both, pick) => {
      const must = comparedPairs(both).filter((each) => expectationOf(each, AS_OF).presence === 'must');
      withOne(must, pick, ({ transactionID, kind, roundID }) => {
        const theirs = both.theirs.filter((each) => each.transactionID !== transactionID);
        const all = found(compare({ ...both, theirs }));
        expect(all).toContain(`missing ${transactionID}`);
        // A rollback that is gone leaves its debit not given back, which is told of both.
        const debitToo = kind === 'rollback' ? [`not_rolled_back ${uuidOf(roundID, 1)}`] : [];
        expect([`missing ${transactionID}`, ...debitToo]).toEqual(expect.arrayContaining(all));
      });
    });
  });

  test('a rollback that is left out, whenever it was', () => {
    assertProperty((both, pick) => {
      const voided = comparedPairs(both).filter(
        (each) => each.kind === 'debit' && expectationOf(each, AS_OF).rolledBack,
      );
      const byAnswer = voided.filter(({ rollback }) => rollback?.resultCode === 'accepted');
      withOne(byAnswer, pick, ({ transactionID, roundID }) => {
        const theirs = both.theirs.filter((each) => each.transactionID !== uuidOf(roundID, 3));
        expect(found(compare({ ...both, theirs }))).toContain(`not_rolled_back ${transactionID}`);
      });
    });
  });

  test('a transaction that is listed twice', () => {
    assertProperty((both, pick) => {
      withOne(comparedPairs(both), pick, ({ transactionID }) => {
        const again = both.theirs.filter((each) => each.transactionID === transactionID);
        expect(found(compare({ ...both, theirs: [...both.theirs, ...again] }))).toEqual([
          `listed_twice ${transactionID}`,
        ]);
      });
    });
  });

  test('a transaction that is not one of ours, of that time', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: FROM.getTime() - 9, max: TO.getTime() + 9 }), (both, ms) => {
        const [first] = both.ours;
        if (first === undefined) return;
        const at = new Date(ms);
        const stranger = { ...listed(first), transactionID: uuidOf(0xffffffffn, 9), at: at.toISOString() };
        const expected = isCompared(at) ? [`not_ours ${stranger.transactionID}`] : [];
        expect(found(compare({ ...both, theirs: [...both.theirs, stranger] }))).toEqual(expected);
      }),
      { examples: [FROM.getTime() - 1, FROM.getTime(), TO.getTime() - 1, TO.getTime()].map((ms) => [SMALL, ms]) },
    );
  });

  test.each<[string, (theirs: ListedTransaction) => Partial<ListedTransaction>]>([
    ['kind', ({ kind }) => ({ kind: kind === 'credit' ? 'rollback' : 'credit' })],
    ['roundID', ({ roundID }) => ({ roundID: `${roundID}0` })],
    ['playerID', () => ({ playerID: 'somebody' })],
    ['currency', () => ({ currency: 'EUR' })],
    ['amount', ({ amount }) => ({ amount: amount + 1 })],
    ['debitTransactionID', () => ({ debitTransactionID: uuidOf(0xffffffffn, 1) })],
  ])('another %s', (field, change) => {
    assertProperty((both, pick) => {
      withOne(comparedPairs(both), pick, ({ transactionID }) => {
        const theirs = both.theirs.find((each) => each.transactionID === transactionID) as ListedTransaction;
        const changed = replaced(both.theirs, transactionID, change(theirs));
        expect(compare({ ...both, theirs: changed })).toMatchObject([
          { kind: 'unlike', ours: { transactionID }, fields: [field] },
        ]);
      });
    });
  });

  test('a credit or rollback that names no debit', () => {
    assertProperty((both, pick) => {
      const answers = comparedPairs(both).filter(({ kind }) => kind !== 'debit');
      withOne(answers, pick, ({ transactionID }) => {
        const theirs = both.theirs.map(({ debitTransactionID, ...each }) =>
          each.transactionID === transactionID || debitTransactionID === undefined
            ? each
            : { ...each, debitTransactionID },
        );
        expect(found(compare({ ...both, theirs }))).toEqual([`unlike ${transactionID}`]);
      });
    });
  });

  test('a debit that was refused, or never taken by their own answer', () => {
    assertProperty((both, pick) => {
      const never = both.ours.filter(
        (each) => isCompared(each.createdAt) && expectationOf(each, AS_OF).presence === 'must_not',
      );
      withOne(never, pick, (ours) => {
        const theirs = [...both.theirs, listed(ours)];
        expect(found(compare({ ...both, theirs }))).toEqual([`never_taken ${ours.transactionID}`]);
      });
    });
  });
});

test('a rollback settled by hand says nothing of its debit, and is told as long as it is not listed', () => {
  assertProperty((both, pick) => {
    const byHand = comparedPairs(both).filter(({ rollback }) => rollback?.settledBy === 'person');
    withOne(byHand, pick, ({ roundID }) => {
      const [debitID, rollbackID] = [uuidOf(roundID, 1), uuidOf(roundID, 3)];
      const without = (id: string) => both.theirs.filter(({ transactionID }) => transactionID !== id);
      expect(found(compare({ ...both, theirs: without(debitID) }))).toEqual([]);
      const rollback = both.ours.find(({ transactionID }) => transactionID === rollbackID);
      const expected = rollback && isCompared(rollback.createdAt) ? [`missing ${rollbackID}`] : [];
      expect(found(compare({ ...both, theirs: without(rollbackID) }))).toEqual(expected);
    });
  });
});

test('the texts for people decide nothing', () => {
  fc.assert(
    fc.property(world, fc.nat(1_000), fc.constantFrom(...TEXTS), (both, pick, text) => {
      const theirs = both.theirs.filter((_, index) => index !== pick % Math.max(1, both.theirs.length));
      const ours = both.ours.map((each) => ({ ...each, resultDetail: text, settlementNote: text, reason: text }));
      expect(found(compare({ ours, theirs }))).toEqual(found(compare({ ...both, theirs })));
    }),
  );
});

describe('any single change on our side is found and named:', () => {
  const replacedOurs = (ours: readonly WalletTransaction[], id: string, change: Partial<WalletTransaction>) =>
    ours.map((each) => (each.transactionID === id ? { ...each, ...change } : each));

  test('a wallet transaction that is lost', () => {
    assertProperty((both, pick) => {
      const inTime = comparedPairs(both).filter(({ createdAt }) => isCompared(new Date(createdAt.getTime() + 2_500)));
      withOne(inTime, pick, ({ transactionID }) => {
        const ours = both.ours.filter((each) => each.transactionID !== transactionID);
        expect(found(compare({ ...both, ours }))).toContain(`not_ours ${transactionID}`);
      });
    });
  });

  test('a wallet transaction that is stored and not listed', () => {
    assertProperty((both, pick) => {
      const inTime = both.ours.filter(({ createdAt }) => isCompared(createdAt));
      withOne(inTime, pick, (like) => {
        const debitID = uuidOf(0xfffffffn, 1);
        const settled = { state: 'accepted', resultCode: 'accepted', settledBy: 'operator', settledAt: FROM } as const;
        const added = {
          ...like,
          ...settled,
          kind: 'debit',
          transactionID: debitID,
          debitTransactionID: debitID,
          roundID: 0xfffffffn,
        } as const;
        const expected = [`missing ${debitID}`];
        if (like.rollback !== undefined) Object.assign(added, { rollback: undefined });
        expect(found(compare({ ...both, ours: [...both.ours, added] }))).toEqual(expected);
      });
    });
  });

  test.each<[string, (ours: WalletTransaction) => Partial<WalletTransaction>]>([
    ['amount', ({ amount }) => ({ amount: toMicros(amount + 1) })],
    ['playerID', () => ({ externalID: 'somebody' })],
    ['currency', () => ({ currency: 'EUR' })],
    ['debitTransactionID', () => ({ debitTransactionID: uuidOf(0xffffffffn, 1) })],
  ])('another %s', (field, change) => {
    assertProperty((both, pick) => {
      const told = comparedPairs(both).filter(
        ({ kind, resultCode }) =>
          (field !== 'debitTransactionID' || kind !== 'debit') && (field !== 'amount' || resultCode !== 'ERR_BNF'),
      );
      withOne(told, pick, (ours) => {
        const changed = replacedOurs(both.ours, ours.transactionID, change(ours));
        expect(compare({ ...both, ours: changed })).toMatchObject([
          { kind: 'unlike', ours: { transactionID: ours.transactionID }, fields: [field] },
        ]);
      });
    });
  });

  test('a debit that we have as refused and they have taken', () => {
    assertProperty((both, pick) => {
      const debits = comparedPairs(both).filter(({ kind, rollback }) => kind === 'debit' && rollback === undefined);
      withOne(debits, pick, ({ transactionID }) => {
        const ours = replacedOurs(both.ours, transactionID, { state: 'refused', resultCode: 'ERR_IPB' });
        expect(found(compare({ ...both, ours }))).toEqual([`never_taken ${transactionID}`]);
      });
    });
  });

  test('a debit that we have as accepted and they have refused', () => {
    assertProperty((both, pick) => {
      const refused = both.ours.filter((each) => each.state === 'refused' && isCompared(each.createdAt));
      withOne(refused, pick, ({ transactionID }) => {
        const ours = replacedOurs(both.ours, transactionID, { state: 'accepted', resultCode: 'accepted' });
        expect(found(compare({ ...both, ours }))).toEqual([`missing ${transactionID}`]);
      });
    });
  });

  test('a rollback that we have as not found although the bet was taken', () => {
    assertProperty((both, pick) => {
      const voided = comparedPairs(both).filter(
        (each) => each.kind === 'debit' && expectationOf(each, AS_OF).rolledBack,
      );
      withOne(voided, pick, ({ transactionID, rollback, state }) => {
        if (rollback === undefined) return;
        const ours = replacedOurs(both.ours, transactionID, {
          rollback: { ...rollback, resultCode: 'ERR_BNF', settledBy: 'operator' },
        });
        const kind = state === 'accepted' ? 'not_rolled_back' : 'never_taken';
        expect(found(compare({ ...both, ours }))).toEqual([`${kind} ${transactionID}`]);
      });
    });
  });
});

const TEXTS = ['', 'ERR_BNF', 'settled by hand: seen', 'status 404 without a code', 'any other words', 'accepted'];

const SMALL: World = (() => {
  const debitID = uuidOf(5n, 1);
  const ours: WalletTransaction = {
    ...CONTEXT,
    transactionID: debitID,
    kind: 'debit',
    state: 'accepted',
    resultCode: 'accepted',
    settledBy: 'operator',
    settledAt: FROM,
    debitTransactionID: debitID,
    roundID: 5n,
    externalID: 'anna',
    amount: toMicros(5),
    createdAt: FROM,
  };
  return { ours: [ours], theirs: [listed(ours)] };
})();
