import type { WalletTransaction } from '@roundhouse/contract';
import { toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WalletMovement } from '../../src/ledger/queries/walletMovements.ts';
import { Comparison } from '../../src/reconcile/comparison.ts';
import { type Difference, transactionIDOf } from '../../src/reconcile/difference.ts';
import { expectationOf } from '../../src/reconcile/expectation.ts';
import { AS_OF, FROM, listed, TO, uuidOf, type World, world } from './movementWorld.ts';

const isCompared = (moment: Date) => moment >= FROM && moment < TO;

/** Page by page, as it is read; what is known is all of ours, and what is compared the movements of the time. */
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
    .filter((each) => !expectationOf(each, AS_OF).onItsWay);

/** Changes one of those that fit, if there is one. */
function withOne<Row>(rows: readonly Row[], pick: number, check: (row: Row) => void): void {
  const row = rows[pick % rows.length];
  if (row !== undefined) check(row);
}

const replaced = (theirs: readonly WalletTransaction[], id: string, change: Partial<WalletTransaction>) =>
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

  test('what is on its way is told apart', () => {
    assertProperty(({ ours }) => {
      const comparison = new Comparison({ from: FROM, to: TO, asOf: AS_OF });
      const expected = ours.filter(({ settledAt }) => settledAt === null || settledAt > AS_OF);
      expect(comparison.ours(ours).onTheirWay).toEqual(expected);
    });
  });
});

describe('any single change on their side is found and named:', () => {
  test('a movement that is left out', () => {
    assertProperty((both, pick) => {
      const must = comparedPairs(both).filter((each) => expectationOf(each, AS_OF).presence === 'must');
      withOne(must, pick, ({ transactionID, kind, roundID }) => {
        const theirs = both.theirs.filter((each) => each.transactionID !== transactionID);
        const all = found(compare({ ...both, theirs }));
        expect(all).toContain(`missing ${transactionID}`);
        // A rollback that is gone leaves its debit not given back, which is told of both.
        const debitToo = kind === 'rollback' ? [`not_given_back ${uuidOf(roundID, 1)}`] : [];
        expect([`missing ${transactionID}`, ...debitToo]).toEqual(expect.arrayContaining(all));
      });
    });
  });

  test('a rollback that is left out, whenever it was', () => {
    assertProperty((both, pick) => {
      const voided = comparedPairs(both).filter(
        (each) => each.kind === 'debit' && expectationOf(each, AS_OF).givenBack,
      );
      const byAnswer = voided.filter(({ rollback }) => rollback?.answer === null);
      withOne(byAnswer, pick, ({ transactionID, roundID }) => {
        const theirs = both.theirs.filter((each) => each.transactionID !== uuidOf(roundID, 3));
        expect(found(compare({ ...both, theirs }))).toContain(`not_given_back ${transactionID}`);
      });
    });
  });

  test('a movement that is listed twice', () => {
    assertProperty((both, pick) => {
      withOne(comparedPairs(both), pick, ({ transactionID }) => {
        const again = both.theirs.filter((each) => each.transactionID === transactionID);
        expect(found(compare({ ...both, theirs: [...both.theirs, ...again] }))).toEqual([
          `listed_twice ${transactionID}`,
        ]);
      });
    });
  });

  test('a movement that nobody asked for, of that time', () => {
    fc.assert(
      fc.property(world, fc.integer({ min: FROM.getTime() - 9, max: TO.getTime() + 9 }), (both, ms) => {
        const [first] = both.ours;
        if (first === undefined) return;
        const at = new Date(ms);
        const stranger = { ...listed(first), transactionID: uuidOf(0xffffffffn, 9), at: at.toISOString() };
        const expected = isCompared(at) ? [`not_asked ${stranger.transactionID}`] : [];
        expect(found(compare({ ...both, theirs: [...both.theirs, stranger] }))).toEqual(expected);
      }),
      { examples: [FROM.getTime() - 1, FROM.getTime(), TO.getTime() - 1, TO.getTime()].map((ms) => [SMALL, ms]) },
    );
  });

  test.each<[string, (theirs: WalletTransaction) => Partial<WalletTransaction>]>([
    ['kind', ({ kind }) => ({ kind: kind === 'credit' ? 'rollback' : 'credit' })],
    ['roundID', ({ roundID }) => ({ roundID: `${roundID}0` })],
    ['playerID', () => ({ playerID: 'somebody' })],
    ['currency', () => ({ currency: 'EUR' })],
    ['amount', ({ amount }) => ({ amount: amount + 1 })],
    ['debitTransactionID', () => ({ debitTransactionID: uuidOf(0xffffffffn, 1) })],
  ])('another %s', (field, change) => {
    assertProperty((both, pick) => {
      withOne(comparedPairs(both), pick, ({ transactionID }) => {
        const theirs = both.theirs.find((each) => each.transactionID === transactionID) as WalletTransaction;
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
    const byHand = comparedPairs(both).filter(({ rollback }) => rollback?.answer?.startsWith('settled by hand'));
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

describe('any single change on our side is found and named:', () => {
  const replacedOurs = (ours: readonly WalletMovement[], id: string, change: Partial<WalletMovement>) =>
    ours.map((each) => (each.transactionID === id ? { ...each, ...change } : each));

  test('a movement that is lost', () => {
    assertProperty((both, pick) => {
      const inTime = comparedPairs(both).filter(({ createdAt }) => isCompared(new Date(createdAt.getTime() + 2_500)));
      withOne(inTime, pick, ({ transactionID }) => {
        const ours = both.ours.filter((each) => each.transactionID !== transactionID);
        expect(found(compare({ ...both, ours }))).toContain(`not_asked ${transactionID}`);
      });
    });
  });

  test('a movement that is written down and not listed', () => {
    assertProperty((both, pick) => {
      const inTime = both.ours.filter(({ createdAt }) => isCompared(createdAt));
      withOne(inTime, pick, (like) => {
        const debitID = uuidOf(0xfffffffn, 1);
        const settled = { state: 'accepted', answer: null, settledAt: FROM } as const;
        const added = {
          ...like,
          ...settled,
          kind: 'debit',
          transactionID: debitID,
          debitID,
          roundID: 0xfffffffn,
        } as const;
        const expected = [`missing ${debitID}`];
        if (like.rollback !== undefined) Object.assign(added, { rollback: undefined });
        expect(found(compare({ ...both, ours: [...both.ours, added] }))).toEqual(expected);
      });
    });
  });

  test.each<[string, (ours: WalletMovement) => Partial<WalletMovement>]>([
    ['amount', ({ amount }) => ({ amount: toMicros(amount + 1) })],
    ['playerID', () => ({ playerID: 'somebody' })],
    ['currency', () => ({ currency: 'EUR' })],
    ['debitTransactionID', () => ({ debitID: uuidOf(0xffffffffn, 1) })],
  ])('another %s', (field, change) => {
    assertProperty((both, pick) => {
      const told = comparedPairs(both).filter(
        ({ kind, answer }) =>
          (field !== 'debitTransactionID' || kind !== 'debit') && (field !== 'amount' || answer !== 'ERR_BNF'),
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
        const ours = replacedOurs(both.ours, transactionID, { state: 'refused', answer: 'ERR_IPB' });
        expect(found(compare({ ...both, ours }))).toEqual([`never_taken ${transactionID}`]);
      });
    });
  });

  test('a debit that we have as accepted and they have refused', () => {
    assertProperty((both, pick) => {
      const refused = both.ours.filter((each) => each.state === 'refused' && isCompared(each.createdAt));
      withOne(refused, pick, ({ transactionID }) => {
        const ours = replacedOurs(both.ours, transactionID, { state: 'accepted', answer: null });
        expect(found(compare({ ...both, ours }))).toEqual([`missing ${transactionID}`]);
      });
    });
  });

  test('a rollback that we have as not found although the bet was taken', () => {
    assertProperty((both, pick) => {
      const voided = comparedPairs(both).filter(
        (each) => each.kind === 'debit' && expectationOf(each, AS_OF).givenBack,
      );
      withOne(voided, pick, ({ transactionID, rollback, state }) => {
        if (rollback === undefined) return;
        const ours = replacedOurs(both.ours, transactionID, { rollback: { ...rollback, answer: 'ERR_BNF' } });
        const kind = state === 'accepted' ? 'not_given_back' : 'never_taken';
        expect(found(compare({ ...both, ours }))).toEqual([`${kind} ${transactionID}`]);
      });
    });
  });
});

const SMALL: World = (() => {
  const debitID = uuidOf(5n, 1);
  const ours: WalletMovement = {
    transactionID: debitID,
    kind: 'debit',
    state: 'accepted',
    answer: null,
    settledAt: FROM,
    debitID,
    roundID: 5n,
    playerID: 'anna',
    currency: 'USD',
    amount: toMicros(5),
    createdAt: FROM,
    rollback: undefined,
  };
  return { ours: [ours], theirs: [listed(ours)] };
})();
