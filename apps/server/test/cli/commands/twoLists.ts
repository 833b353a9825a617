import type { ListedTransaction } from '@roundhouse/contract';
import { toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import type { ResultCode, Settlement, WalletTransaction } from '../../../src/store/rounds/walletTransaction.ts';

/** Holds our wallet transactions, and the operator's list of the same time. */
export type World = { ours: WalletTransaction[]; theirs: ListedTransaction[] };

export const FROM = new Date('2026-01-01T00:00:00Z');
export const TO = new Date('2026-01-02T00:00:00Z');
export const AS_OF = new Date('2026-01-02T00:01:00Z');

type Plan = { debitedAt: Date; settledAt: Date; amount: number; payout: number; player: string };
type Transactions = ReturnType<typeof transactionsOf>;

const PENDING: Settlement = { state: 'pending', resultCode: 'timeout', settledBy: null, settledAt: null };

/** Each fate is how a round's money may have ended, or not yet; both sides agree on it. */
const FATES: Readonly<Record<string, (round: Transactions) => World>> = {
  credited: ({ taken, credit, last }) => bothHave([taken, credit(settled(last))]),
  lost: ({ taken, credit, last }) => bothHave([taken, credit(settled(last), 0)]),
  'winnings of a grant': ({ taken, credit, winnings, last }) =>
    bothHave([taken, credit(settled(last), 0), winnings(settled(last))]),
  'lost, closed by its debit': ({ taken, credit, first }) => ({
    ours: [taken, { ...credit(settled(first), 0), attempts: 0 }],
    theirs: [listed(taken)],
  }),
  refused: ({ debit, first }) => onlyOurs([debit(settled(first, 'refused', 'ERR_IPB'))]),
  'abandoned, never taken': ({ withRollback, abandoned, unknown }) => onlyOurs(withRollback(abandoned, unknown)),
  'abandoned, never taken, listed as nothing': ({ withRollback, abandoned, unknown }) =>
    listedAsNothing(withRollback(abandoned, unknown)),
  'abandoned, rolled back': ({ withRollback, abandoned, last }) => bothHave(withRollback(abandoned, settled(last))),
  'void, rolled back': ({ withRollback, first, last }) => bothHave(withRollback(settled(first), settled(last))),
  'debit pending': ({ debit }) => onlyOurs([debit(PENDING)]),
  'credit pending': ({ taken, credit }) => ({ ours: [taken, credit(PENDING)], theirs: [listed(taken)] }),
  'credit pending, taken': ({ taken, credit }) => bothHave([taken, credit({ ...PENDING, state: 'parked' })]),
  'rollback pending': ({ withRollback, abandoned }) => onlyOurs(withRollback(abandoned, PENDING)),
  'rollback pending, debit taken': ({ withRollback, abandoned, debit }) => ({
    ours: withRollback(abandoned, PENDING),
    theirs: [listed(debit(abandoned))],
  }),
  'rollback pending, rolled back': ({ withRollback, abandoned }) => bothHave(withRollback(abandoned, PENDING)),
  'rollback pending, listed as nothing': ({ withRollback, abandoned }) =>
    listedAsNothing(withRollback(abandoned, PENDING)),
  'credit accepted after all was read': ({ taken, credit }) => ({
    ours: [taken, credit(settled(new Date(AS_OF.getTime() + 1)))],
    theirs: [listed(taken)],
  }),
  'rollback settled by hand': ({ withRollback, abandoned, last }) =>
    bothHave(withRollback(abandoned, { ...settled(last, 'accepted', 'timeout'), settledBy: 'person' })),
};

const bothHave = (ours: WalletTransaction[]): World => ({ ours, theirs: ours.map(listed) });
const onlyOurs = (ours: WalletTransaction[]): World => ({ ours, theirs: [] });
const listedAsNothing = (ours: WalletTransaction[]): World => ({
  ours,
  theirs: ours.slice(1).map((each) => ({ ...listed(each), amount: 0 })),
});

/** Makes moments of the compared time, also the first of it, and of the time before and after. */
const moment = fc.integer({ min: FROM.getTime() - 600_000, max: TO.getTime() + 50_000 }).map((ms) => new Date(ms));
const micros = fc.integer({ min: 1, max: 10 ** 9 });
const plan: fc.Arbitrary<Plan> = fc.record({
  debitedAt: moment,
  settledAt: moment,
  amount: micros,
  payout: micros,
  player: fc.constantFrom('anna', 'bert'),
});
const round = fc.tuple(fc.constantFrom(...Object.values(FATES)), plan);

export const world: fc.Arbitrary<World> = fc.array(round, { minLength: 1, maxLength: 30 }).map((rounds) => {
  const worlds = rounds.map(([fate, each], index) => fate(transactionsOf(each, BigInt(index * 700 + 1))));
  return { ours: worlds.flatMap(({ ours }) => ours), theirs: worlds.flatMap(({ theirs }) => theirs) };
});

/** A comparison reads none of these but the attempts. */
const CONTEXT = {
  ...{ playerID: 1n, gameID: 'a-game', operatorID: 1, operatorCode: 'acme', currency: 'USD', attempts: 1 },
  ...{ grantID: null, reason: null, resultDetail: null, settlementNote: null, reference: null, rollback: undefined },
} as const;

const settled = (settledAt: Date, state: Settlement['state'] = 'accepted', resultCode: ResultCode = 'accepted') =>
  ({ state, resultCode, settledBy: 'operator', settledAt }) as const;

/** Returns the wallet transactions that a round may have. */
function transactionsOf({ debitedAt, settledAt, amount, payout, player }: Plan, roundID: bigint) {
  const [first, last] = debitedAt < settledAt ? [debitedAt, settledAt] : [settledAt, debitedAt];
  const common = { ...CONTEXT, debitTransactionID: uuidOf(roundID, 1), roundID, externalID: player };
  const make =
    (kind: WalletTransaction['kind'], id: number, createdAt: Date, usual: number) =>
    (settlement: Settlement, micros = usual): WalletTransaction => {
      const own = { transactionID: uuidOf(roundID, id), kind, amount: toMicros(micros), createdAt };
      return { ...common, ...settlement, ...own };
    };
  const debit = make('debit', 1, first, amount);
  return {
    first,
    last,
    debit,
    taken: debit(settled(first)),
    credit: make('credit', 2, last, payout),
    winnings: make('winnings', 4, last, payout),
    withRollback: (settlement: Settlement, rollback: Settlement): WalletTransaction[] => [
      { ...debit(settlement), rollback },
      { ...make('rollback', 3, last, amount)(rollback), rollback },
    ],
    abandoned: settled(first, 'abandoned', 'timeout'),
    unknown: settled(last, 'accepted', 'ERR_BNF'),
  };
}

/** Is an accepted debit of the first moment of the compared time. */
export const SMALL: World = bothHave([
  transactionsOf({ debitedAt: FROM, settledAt: FROM, amount: 5, payout: 5, player: 'anna' }, 5n).taken,
]);

/** Lists it as an operator does, by a clock that is some seconds ahead. */
export function listed(ours: WalletTransaction): ListedTransaction {
  const { transactionID, currency, amount } = ours;
  const kind = ours.kind === 'winnings' ? 'credit' : ours.kind;
  return {
    ...{ transactionID, kind, currency, amount, roundID: String(ours.roundID), playerID: ours.externalID },
    ...(kind !== 'debit' && { debitTransactionID: ours.debitTransactionID }),
    at: new Date(ours.createdAt.getTime() + 2_500).toISOString(),
  };
}

export function uuidOf(round: bigint, kind: number): string {
  return `${round.toString(16).padStart(8, '0')}-0000-4000-8000-00000000000${kind}`;
}
