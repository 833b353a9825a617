import { randomUUID } from 'node:crypto';
import type { RoundTransactionKind, TransactionState } from '@roundhouse/contract';
import { changeOperator } from '../../../src/operators/settings/changeOperator.ts';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { startSeamlessSession } from '../../../src/rounds/sessions/startSession.ts';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import type { ResultCode, Settler } from '../../../src/store/rounds/walletTransaction.ts';
import { createTestDatabase } from '../../support/database.ts';
import { verifiedSession } from '../../support/ledgerPlay.ts';
import { expectOneLine, runRoundhouse, SECRETS_KEY, succeed } from '../../support/roundhouse.ts';
import { useStarted } from '../../support/useStarted.ts';

const UNIT = 1_000_000n;
export const SECRET = 'a-secret-of-more-than-thirty-two-characters';

/** Is a wallet transaction as a row: the amount in micros, times as Dates. */
export type TransactionRow = {
  kind: RoundTransactionKind;
  state?: TransactionState;
  amount?: bigint;
  /** The last attempt had this result; the default is the one that the state needs. */
  resultCode?: ResultCode;
  resultDetail?: string;
  settledBy?: Settler;
  /** The operator's response has this balance. */
  reportedBalance?: bigint;
  createdAt?: Date;
  settledAt?: Date;
};
type Books = Awaited<ReturnType<typeof openBooks>>;
export type BooksPlayer = Awaited<ReturnType<Database['session']['findUniqueOrThrow']>>;

/** Opens the one database of a test file, with a game; it stores rows as the server does. */
export const useBooks = (): Books => useStarted(openBooks);

async function openBooks() {
  const database = await createTestDatabase();
  const env = { DATABASE_URL: database.url };
  const db = openDatabase({ url: database.url, connections: 4, secretsKey: SECRETS_KEY });
  const game = await db.game.create({ data: { code: 'a-game' } });
  const version = { version: '1.0.0', title: 'A game', mathSha256: '', currencies: ['USD', 'EUR'], jurisdiction: {} };
  await db.gameVersion.create({ data: { gameId: game.id, ...version } });
  return {
    db,
    url: database.url,
    env,
    /** Runs a command on the database: its words. */
    run: (...words: string[]) => runRoundhouse(words, { env }),
    succeed: (...words: string[]) => succeed(words, { env }),
    /** Expects a refusal of the command, its words in one text, in one line. */
    expectRefused: async (words: string, line: RegExp) =>
      expectOneLine(await runRoundhouse(words.split(' '), { env }), line),
    /** Returns the secrets of an operator, in clear. */
    async secretsOf(code: string) {
      const { secrets } = await db.operator.findUniqueOrThrow({ where: { code } });
      return secrets.map((each) => db.secretKeys.open(each, code));
    },
    async seamlessOperator(code: string, walletUrl: string, secret = SECRET) {
      const change = { walletUrl, secret, walletTimeoutMs: 1_000 };
      const outcome = await changeOperator(db, { code, kind: 'add', change, makeSecret: () => SECRET });
      if (!outcome.ok) throw new Error(outcome.refusal.kind);
      return (await db.operator.findUniqueOrThrow({ where: { code } })).id;
    },
    /** Makes the session of a new player. */
    async player(operatorID: number, externalID: string) {
      const tokenSha256 = sha256Of(randomUUID());
      const session = verifiedSession({ tokenSha256, operatorID, externalID, gameID: 'a-game' });
      const started = await startSeamlessSession(db, session);
      if (!started.ok) throw new Error(started.refusal);
      return db.session.findUniqueOrThrow({ where: { tokenSha256 } });
    },
    /** Stores a round with these wallet transactions; returns their ids and the round. */
    async round(
      { playerId, accountId, gameVersionId, id }: BooksPlayer,
      transactions: readonly TransactionRow[],
      { payout = 2n * UNIT } = {},
    ) {
      const isOpen = transactions.some(({ kind, state = '' }) => kind === 'credit' && OPEN_STATES.includes(state));
      const isVoid = transactions.some(({ kind }) => kind === 'rollback');
      const walletState = isVoid ? 'void' : isOpen ? 'credit_pending' : 'credited';
      const round = await db.round.create({
        data: {
          ...{ playerId, accountId, gameId: game.id, gameVersionId, sessionId: id, bookId: 1 },
          ...{ mode: 'BASE', costMultiplier: 1, amountMicros: UNIT, debitMicros: UNIT },
          ...{ payoutMultiplier: (payout * 100n) / UNIT, payoutMicros: payout },
          ...{ endedAt: isOpen ? null : new Date(), walletState },
        },
      });
      const ids = transactions.map(() => randomUUID());
      await db.walletTransaction.createMany({
        data: transactions.map((each, index) => rowOf(each, { id: ids[index] ?? '', roundId: round.id, payout })),
      });
      return { round, ids };
    },
    async close() {
      await db.$disconnect();
      await database.drop();
    },
  };
}

const OPEN_STATES = ['pending', 'parked'];
const RESULTS: Readonly<Record<TransactionState, ResultCode>> = {
  pending: 'timeout',
  accepted: 'accepted',
  refused: 'ERR_IPB',
  abandoned: 'timeout',
  parked: 'timeout',
};

function rowOf(
  { kind, state = 'accepted', amount, createdAt = minutesAgo(10), settledAt = createdAt, ...given }: TransactionRow,
  { id, roundId, payout }: { id: string; roundId: bigint; payout: bigint },
) {
  const isSettled = !OPEN_STATES.includes(state);
  return {
    transactionId: id,
    kind,
    roundId,
    amountMicros: amount ?? (kind === 'credit' ? payout : UNIT),
    state,
    attempts: 1,
    resultCode: given.resultCode ?? RESULTS[state],
    resultDetail: given.resultDetail ?? null,
    resultAt: settledAt,
    settledBy: isSettled ? (given.settledBy ?? ('operator' as const)) : null,
    settlementNote: given.settledBy === 'person' ? 'seen' : null,
    // It is far away, so that no recovery takes it.
    dueAt: new Date(Date.now() + 3_600_000),
    retryUntil: minutesAgo(1),
    createdAt,
    settledAt: isSettled ? settledAt : null,
    reportedBalanceMicros: given.reportedBalance ?? null,
  };
}

export function minutesAgo(minutes: number): Date {
  return new Date(Date.now() - minutes * 60_000);
}
