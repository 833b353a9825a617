import type { ListedTransaction } from '@roundhouse/contract';
import { toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import type { ResultCode, Settlement, WalletTransaction } from '../../src/ledger/walletTransaction.ts';

/** Two sides that agree: our wallet transactions, and the operator's list of the same time. */
export type World = { ours: WalletTransaction[]; theirs: ListedTransaction[] };

export const FROM = new Date('2026-01-01T00:00:00Z');
export const TO = new Date('2026-01-02T00:00:00Z');
export const AS_OF = new Date('2026-01-02T00:01:00Z');

/** How a round's money may have ended, or not yet. */
const FATES = [
  'credited',
  'lost',
  'refused',
  'abandoned, never taken',
  'abandoned, never taken, listed as nothing',
  'abandoned, given back',
  'void, given back',
  'debit pending',
  'credit pending',
  'credit pending, taken',
  'rollback pending',
  'rollback pending, debit taken',
  'rollback pending, given back',
  'rollback pending, listed as nothing',
  'credit accepted after all was read',
  'rollback settled by hand',
] as const;
type Fate = (typeof FATES)[number];

/** Moments of the compared time, also the first of it, and of the time before and after. */
const moment = fc.integer({ min: FROM.getTime() - 600_000, max: TO.getTime() + 50_000 }).map((ms) => new Date(ms));

type Plan = { fate: Fate; debitedAt: Date; endedAt: Date; amount: number; payout: number; player: string };
const plan: fc.Arbitrary<Plan> = fc.record({
  fate: fc.constantFrom(...FATES),
  debitedAt: moment,
  endedAt: moment,
  amount: fc.integer({ min: 1, max: 10 ** 9 }),
  payout: fc.integer({ min: 1, max: 10 ** 9 }),
  player: fc.constantFrom('anna', 'bert'),
});

export const world: fc.Arbitrary<World> = fc.array(plan, { minLength: 1, maxLength: 30 }).map((plans) => {
  const rounds = plans.map((each, index) => roundOf(each, BigInt(index * 700 + 1)));
  return { ours: rounds.flatMap(({ ours }) => ours), theirs: rounds.flatMap(({ theirs }) => theirs) };
});

const PENDING: Settlement = { state: 'pending', resultCode: 'timeout', settledBy: null, settledAt: null };

/** What a comparison does not read. */
export const CONTEXT = {
  playerID: 1n,
  gameID: 'a-game',
  operatorID: 1,
  operatorCode: 'acme',
  currency: 'USD',
  attempts: 1,
  reason: null,
  resultDetail: null,
  settlementNote: null,
  rollback: undefined,
} as const;

function roundOf({ fate, debitedAt, endedAt, amount, payout, player }: Plan, roundID: bigint): World {
  const debitID = uuidOf(roundID, 1);
  const first = debitedAt < endedAt ? debitedAt : endedAt;
  const last = debitedAt < endedAt ? endedAt : debitedAt;
  const done = (state: Settlement['state'], at: Date, resultCode: ResultCode = 'accepted'): Settlement => ({
    state,
    resultCode,
    settledBy: 'operator',
    settledAt: at,
  });
  const common = { ...CONTEXT, debitTransactionID: debitID, roundID, externalID: player };
  const debit = (progress: Settlement): WalletTransaction => ({
    ...common,
    ...progress,
    transactionID: debitID,
    kind: 'debit',
    amount: toMicros(amount),
    createdAt: first,
  });
  const answering = (kind: 'credit' | 'rollback', progress: Settlement, micros: number): WalletTransaction => ({
    ...common,
    ...progress,
    transactionID: uuidOf(roundID, kind === 'credit' ? 2 : 3),
    kind,
    amount: toMicros(micros),
    createdAt: last,
  });
  const credit = (progress: Settlement, micros = payout) => answering('credit', progress, micros);
  const withRollback = (debitProgress: Settlement, rollback: Settlement): WalletTransaction[] => [
    { ...debit(debitProgress), rollback },
    { ...answering('rollback', rollback, amount), rollback },
  ];
  const taken = debit(done('accepted', first));
  const abandoned = done('abandoned', first, 'timeout');
  const unknown = done('accepted', last, 'ERR_BNF');

  switch (fate) {
    case 'credited':
      return bothHave([taken, credit(done('accepted', last))]);
    case 'lost':
      return bothHave([taken, credit(done('accepted', last), 0)]);
    case 'refused':
      return { ours: [debit(done('refused', first, 'ERR_IPB'))], theirs: [] };
    case 'abandoned, never taken':
      return { ours: withRollback(abandoned, unknown), theirs: [] };
    case 'abandoned, never taken, listed as nothing': {
      const ours = withRollback(abandoned, unknown);
      return { ours, theirs: ours.slice(1).map((each) => ({ ...listed(each), amount: 0 })) };
    }
    case 'abandoned, given back':
      return bothHave(withRollback(abandoned, done('accepted', last)));
    case 'void, given back':
      return bothHave(withRollback(done('accepted', first), done('accepted', last)));
    case 'debit pending':
      return { ours: [debit(PENDING)], theirs: [] };
    case 'credit pending':
      return { ours: [taken, credit(PENDING)], theirs: [listed(taken)] };
    case 'credit pending, taken':
      return bothHave([taken, credit({ ...PENDING, state: 'parked' })]);
    case 'rollback pending':
      return { ours: withRollback(abandoned, PENDING), theirs: [] };
    case 'rollback pending, debit taken':
      return { ours: withRollback(abandoned, PENDING), theirs: [listed(debit(abandoned))] };
    case 'rollback pending, given back':
      return bothHave(withRollback(abandoned, PENDING));
    case 'rollback pending, listed as nothing': {
      const ours = withRollback(abandoned, PENDING);
      return { ours, theirs: ours.slice(1).map((each) => ({ ...listed(each), amount: 0 })) };
    }
    case 'credit accepted after all was read':
      return { ours: [taken, credit(done('accepted', new Date(AS_OF.getTime() + 1)))], theirs: [listed(taken)] };
    case 'rollback settled by hand': {
      const ours = withRollback(abandoned, { ...done('accepted', last, 'timeout'), settledBy: 'person' });
      return { ours, theirs: ours.map(listed) };
    }
  }
}

function bothHave(ours: WalletTransaction[]): World {
  return { ours, theirs: ours.map(listed) };
}

/** As an honest operator lists it: some seconds later by its own clock. */
export function listed({
  transactionID,
  kind,
  debitTransactionID,
  roundID,
  externalID,
  currency,
  amount,
  createdAt,
}: WalletTransaction) {
  const at = new Date(createdAt.getTime() + 2_500).toISOString();
  const debit = kind !== 'debit' && { debitTransactionID };
  const listing: ListedTransaction = {
    transactionID,
    kind,
    ...debit,
    roundID: String(roundID),
    playerID: externalID,
    currency,
    amount,
    at,
  };
  return listing;
}

export function uuidOf(round: bigint, kind: number): string {
  return `${round.toString(16).padStart(8, '0')}-0000-4000-8000-00000000000${kind}`;
}
