import { toMicros } from '@roundhouse/contract';
import type * as z from 'zod';
import { type DatabaseTransaction, inTransaction } from '../ledger/database.ts';
import { Prisma } from '../ledger/generated/client.ts';
import { sha256 } from '../ledger/sessions.ts';
import type { RefusalName } from '../wallet/outcome.ts';
import type { WalletDeps } from '../wallet/session.ts';
import type { balanceSchema, creditSchema, debitSchema, rollbackSchema } from './wire.ts';
import { EngineRefusal, refusalOf } from './wire.ts';

type Request<Schema extends z.ZodType> = z.output<Schema>;
type DebitRequest = Request<typeof debitSchema>;

/** The player of a token, with the balance in micros. A token is the sessionID of the casino. */
type Session = { accountId: bigint; playerID: string; currency: string; gameID: string; balance: bigint };

/** A round is a row of engine_rounds from its first debit on. */
type Round = {
  tx: DatabaseTransaction;
  session: Session;
  roundID: string;
  sessionSha256: Buffer<ArrayBuffer>;
  /** The parameters that each function of prisma/functions has. */
  facts: Prisma.Sql;
  isOpened: boolean;
  isClosed: boolean;
};

/** Reads the balance, and moves nothing. */
export async function balance({ ledger, rules }: WalletDeps, { token }: Request<typeof balanceSchema>) {
  const { refusal, ...session } = await findSession(ledger.db, token, rules);
  if (refusal !== null) throw refusalOf(refusal);
  return { balance: balanceOf(session) };
}

/** Takes a stake, and pays its win when it carries one. The stake comes first. */
export function debit(deps: WalletDeps, { token, round: roundID, mode, active, debit: stake, credit }: DebitRequest) {
  const win = credit ?? undefined;
  return inRound(deps, { token, roundID }, async (round) => {
    const { tx, session, sessionSha256, facts, isOpened, isClosed } = round;
    requireCurrency(session, stake);
    if (win !== undefined) requireCurrency(session, win);
    if (win !== undefined && (active || win.ref !== stake.id))
      throw new EngineRefusal('ERR_BAD', 'credit: settles the debit that has it, and closes the round');
    const isNew = (await tx.sql.bet.findUnique({ where: { debitId: stake.id } })) === null;
    if (isNew && isClosed) throw refusalOf('round_closed');
    if (!isNew && win !== undefined && !(await isKnown(tx, win.id))) throw refusalOf('other_content');
    const taken = Prisma.sql`
      SELECT * FROM take_bet(
        ${facts}, _transaction_id => ${stake.id}::uuid, _mode => ${mode}, _amount => ${stake.amount}::bigint,
        _grant_id => NULL, _free_bet => NULL, _round_closed => ${!active && win === undefined},
        _session_sha256 => ${sessionSha256}, _session_timeout_ms => ${deps.rules.sessionTimeoutMs}::bigint,
        _blocked_countries => ${deps.rules.blockedCountries})`;
    const debitID = await move(round, stake.id, taken);
    if (!isOpened) await tx.sql.engineRound.create({ data: { roundId: roundID, sessionSha256 } });
    const creditID = win && (await pay(round, win, { closes: true }));
    if (!active) await close(round);
    return { debit_id: debitID, ...(creditID !== undefined && { credit_id: creditID }) };
  });
}

/** Pays a win, or closes a lost round without one. */
export function credit(deps: WalletDeps, { token, round: roundID, active, credit: win }: Request<typeof creditSchema>) {
  return inRound(deps, { token, roundID }, async (round) => {
    const { tx, session, isOpened, isClosed } = round;
    if (!isOpened) throw refusalOf('debit_unknown');
    if (win) {
      requireCurrency(session, win);
      if (isClosed && !(await isKnown(tx, win.id))) throw refusalOf('round_closed');
    }
    const creditID = win ? await pay(round, win, { closes: !active }) : undefined;
    if (!active) await close(round);
    return creditID === undefined ? {} : { credit_id: creditID };
  });
}

/** Returns debits. One that never came is refused from then on. */
export function rollback(
  deps: WalletDeps,
  { token, round: roundID, active, rollbacks }: Request<typeof rollbackSchema>,
) {
  return inRound(deps, { token, roundID }, async (round) => {
    const ids: string[] = [];
    for (const reversal of rollbacks) ids.push(await reverse(round, reversal));
    if (!active) await close(round);
    return { rollback_ids: ids };
  });
}

/** A debit is returned once, whatever the rollback's id. */
async function reverse(round: Round, { id, ref }: { id: string; ref: string }): Promise<string> {
  const { tx, session, roundID, facts, isClosed } = round;
  const first = await tx.sql.transaction.findFirst({
    where: { kind: 'rollback', debitId: ref, playerAccountId: session.accountId, roundId: roundID },
    orderBy: { id: 'asc' },
  });
  if (first !== null) return String(first.id);
  if (isClosed && (await isKnown(tx, ref))) throw refusalOf('round_closed');
  const reversal = Prisma.sql`${facts}, _transaction_id => ${id}::uuid, _debit_transaction_id => ${ref}::uuid`;
  return move(round, id, Prisma.sql`SELECT * FROM return_bet(${reversal})`);
}

type Win = NonNullable<Request<typeof creditSchema>['credit']>;

function pay(round: Round, { id, ref, amount }: Win, { closes }: { closes: boolean }): Promise<string> {
  const paid = Prisma.sql`
    SELECT * FROM pay_round(
      ${round.facts}, _transaction_id => ${id}::uuid, _debit_transaction_id => ${ref}::uuid,
      _amount => ${amount}::bigint, _round_closed => ${closes}, _grant_id => NULL, _grant_closed => false)`;
  return move(round, id, paid);
}

type Moved = { refusal: RefusalName | null; moved_account_id: bigint | null };

/**
 * Calls a function of prisma/functions, which knows a repetition. Returns the wallet's own id of
 * the transaction: its row in the journal.
 */
async function move({ tx }: Round, transactionId: string, call: Prisma.Sql): Promise<string> {
  const [moved] = await tx.sql.$queryRaw<Moved[]>(call);
  const { refusal = null, moved_account_id: moves = null } = moved ?? {};
  // The rollback of a debit that never came is done in this dialect.
  if (refusal !== null && refusal !== 'debit_unknown_and_barred') throw refusalOf(refusal);
  if (moves !== null) tx.movedAccounts.add(moves);
  const { id } = await tx.sql.transaction.findUniqueOrThrow({ where: { transactionId }, select: { id: true } });
  return String(id);
}

/**
 * Runs a request in one database transaction, which holds the lock of the player's account. The
 * response has the balance after it. A refusal undoes everything.
 */
function inRound<Done extends object>(
  { ledger, rules }: WalletDeps,
  { token, roundID }: { token: string; roundID: string },
  work: (round: Round) => Promise<Done>,
) {
  return inTransaction(ledger, async (tx) => {
    const session = await findSession(tx.sql, token, { ...rules, locks: true });
    const sessionSha256 = sha256(token);
    const known = await tx.sql.engineRound.findUnique({ where: { roundId: roundID } });
    if (known !== null && !sessionSha256.equals(known.sessionSha256))
      throw new EngineRefusal('ERR_IS', 'token: another session has opened the round');
    const facts = Prisma.sql`
      _player_id => ${session.playerID}, _currency => ${session.currency}, _round_id => ${roundID},
      _game_id => ${session.gameID}`;
    const state = { isOpened: known !== null, isClosed: known?.closed === true };
    const done = await work({ tx, session, roundID, sessionSha256, facts, ...state });
    return { ...done, balance: balanceOf(await findSession(tx.sql, token, rules)) };
  });
}

/** @throws EngineRefusal for an unknown token. `refusal` says why the session takes no debit. */
async function findSession(
  sql: Prisma.TransactionClient,
  token: string,
  { blockedCountries, locks = false }: { blockedCountries: string; locks?: boolean },
) {
  const [session] = await sql.$queryRaw<(Session & { refusal: RefusalName | null })[]>`
    SELECT a.id AS "accountId", s.player_id AS "playerID", s.currency, s.game_id AS "gameID",
      a.balance_micros AS balance, session_refusal(s, ${blockedCountries}) AS refusal
    FROM live_sessions s
    JOIN accounts a ON a.id = s.account_id
    WHERE s.session_sha256 = ${sha256(token)}
    ${locks ? Prisma.sql`FOR NO KEY UPDATE OF a` : Prisma.empty}`;
  if (session === undefined) throw refusalOf('session_unknown');
  return session;
}

function balanceOf({ balance, currency }: Session) {
  return { amount: toMicros(balance), currency };
}

function requireCurrency(session: Session, { currency }: { currency: string }): void {
  if (currency !== session.currency) throw new EngineRefusal('ERR_BAD', 'currency: is not that of the session');
}

async function isKnown({ sql }: DatabaseTransaction, transactionId: string): Promise<boolean> {
  return (await sql.transaction.findUnique({ where: { transactionId }, select: { id: true } })) !== null;
}

/** A round without a debit has no row, and stays unknown. */
async function close({ tx, roundID }: Round): Promise<void> {
  await tx.sql.engineRound.updateMany({ where: { roundId: roundID }, data: { closed: true } });
}
