import { type Micros, toMicros } from '@roundhouse/contract';
import type { WalletResult } from '@roundhouse/dialects';
import { traceFields, traceFieldsOf } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { Outcome, Refused } from '../../../base/refusal.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { Database } from '../../../store/database/database.ts';
import { openWalletToken } from '../../../store/database/secretKeys.ts';
import { findWalletOperator, type WalletOperator } from '../../../store/operators/operators.ts';
import { updatePlayer } from '../../../store/rounds/players.ts';
import { setVerifiedStake } from '../../../store/rounds/sessions.ts';
import type { RoundTraces } from '../../../watch/tracing/roundTraces.ts';
import { openRound } from '../openRound.ts';
import type { BalanceReading, BearerSession, Bet, Wallet } from '../wallet.ts';
import { type Closings, createClosings } from './closings.ts';
import { createDebitLeases, type DebitLeases, type RecoveryOptions, startRecovery } from './recovery.ts';
import { createTransactionSender, type Failpoint, type TransactionSender } from './transactionSender.ts';
import { createFailureWarnings, createWalletClient, type WalletClient, type WalletObserver } from './walletClient.ts';
import { createWalletOperators, type WalletOperators } from './walletOperators.ts';
import { storedResult, walletRefusal } from './walletResult.ts';

export type SeamlessOptions = {
  db: Database;
  ledger: Ledger;
  log: Logger;
  /** Without it, this process settles only what it has sent itself. */
  recovery?: RecoveryOptions;
  failpoint?: (name: Failpoint) => void;
  observe?: WalletObserver;
  observeClosings?: (request: { closings: number }) => void;
  /** It is undefined where tracing is off. */
  traces?: RoundTraces | undefined;
};

export type RunningSeamlessWallet = {
  wallet: Wallet;
  /** Session verification also uses it. */
  client: WalletClient;
  /** Returns how many closings wait for their group. */
  closingsWaiting(): number;
  /** Waits for all requests that are being sent. */
  stop(): Promise<void>;
};

/** Starts the seamless wallet with its recovery. */
export function startSeamlessWallet({
  db,
  ledger,
  log,
  recovery: recoveryOptions,
  failpoint = () => {},
  observe = () => {},
  observeClosings = () => {},
  traces,
}: SeamlessOptions): RunningSeamlessWallet {
  const warn = createFailureWarnings(log);
  const client = createWalletClient({
    observe: (request) => {
      observe(request);
      warn(request);
    },
    parkAfterMs: recoveryOptions?.parkAfterMs,
  });
  const operators = createWalletOperators((operatorID) => findWalletOperator(db, { operatorID }));
  const onError = (error: unknown, transactionID: string) =>
    log.error(
      { err: error, transactionID, ...traceFieldsOf(error) },
      'could not send a wallet transaction; recovery will',
    );
  const sender = createTransactionSender({ db, ledger, client, operators, failpoint, onError, traces });
  const closings = createClosings({ ledger, client, failpoint, onError, observe: observeClosings });
  const leases = createDebitLeases({ db, log });
  const recovery = recoveryOptions && startRecovery({ ...recoveryOptions, db, sender, leases, log });
  return {
    wallet: createSeamlessWallet({ db, ledger, client, operators, sender, closings, leases, failpoint, log, traces }),
    client,
    closingsWaiting: closings.waiting,
    async stop() {
      await recovery?.stop();
      await Promise.all([sender.idle(), closings.idle(), traces?.idle()]);
      await leases.stop();
      await client.close();
    },
  };
}

type SeamlessDeps = {
  db: Database;
  ledger: Ledger;
  client: WalletClient;
  operators: WalletOperators;
  sender: TransactionSender;
  closings: Closings;
  leases: DebitLeases;
  failpoint: (name: Failpoint) => void;
  log: Logger;
  traces: RoundTraces | undefined;
};

/**
 * The operator keeps the money: each wallet transaction is stored, then sent, then settled by its
 * result.
 */
function createSeamlessWallet(deps: SeamlessDeps): Wallet {
  const { db, ledger, client, operators, sender, log } = deps;

  /** A wallet with another company's protocol gets the token of the launch with each request. */
  const tokenOf = ({ walletToken }: BearerSession, { code }: WalletOperator) =>
    walletToken === undefined ? undefined : openWalletToken(db.secretKeys, walletToken, code);

  async function authenticate(session: BearerSession) {
    const operator = await operators.find(session.operatorID);
    // A disabled operator gets no request: its wallet may be gone, and the player would wait for
    // the time-out.
    if (operator.isDisabled) return { ok: false as const, refusal: 'operator_maintenance' as const };
    const { sessionID, gameID, playerID, sessionRowID, currency, externalID, trace } = session;
    let { verified } = session;
    if (verified === undefined) {
      const context = { token: tokenOf(session, operator), playerID: externalID, currency, trace };
      const result = await client.send(operator, 'authenticate', { sessionID, gameID }, context);
      if (result.kind !== 'accepted') return walletRefusal('authenticate', result);
      verified = result.body;
    }
    if (verified.playerID !== externalID || verified.currency !== currency) {
      log.warn(
        { operator: operator.code, ...traceFields(trace) },
        'the operator names another player or currency for a known session',
      );
      return { ok: false as const, refusal: 'session_invalid' as const };
    }
    if (session.verified === undefined) {
      await updatePlayer(db, session, verified);
      if (verified.maxStake !== undefined) await setVerifiedStake(db, { sessionRowID, maxStake: verified.maxStake });
    }
    const authenticated = await ledger.authenticateSession({ playerID, sessionRowID }, trace);
    return authenticated.ok ? { ...authenticated, balance: toMicros(verified.balance) } : authenticated;
  }

  async function balance(session: BearerSession): Promise<BalanceReading> {
    const { playerID, sessionRowID, trace } = session;
    const judged = await ledger.readBalance({ playerID, sessionRowID }, trace);
    return judged.ok ? requestBalance(session) : judged;
  }

  async function requestBalance(session: BearerSession): Promise<BalanceReading> {
    const { sessionID, externalID, gameID, currency, trace } = session;
    const operator = await operators.find(session.operatorID);
    const body = { sessionID, playerID: externalID, gameID, currency };
    const result = await client.send(operator, 'balance', body, { token: tokenOf(session, operator), trace });
    if (result.kind !== 'accepted') return walletRefusal('balance', result);
    return { ok: true, balance: toMicros(result.body.balance) };
  }

  /**
   * Adds the balance of the operator's response, or else requests the current one.
   * `done` says in words what has happened in any case, whatever the balance is.
   */
  async function withBalance<Value extends object>(
    session: BearerSession,
    value: Value,
    { told, done }: { told: Micros | undefined; done?: string },
  ) {
    if (told !== undefined) return { ok: true as const, ...value, balance: told };
    const read = await requestBalance(session);
    if (read.ok) return { ok: true as const, ...value, balance: read.balance };
    if (done === undefined) return read;
    // The round was opened or completed already. So the player gets ERR_GEN, which does not say
    // that nothing happened, as a refusal for an ended session would.
    return {
      ok: false as const,
      refusal: 'balance_unknown' as const,
      detail: `${done}; the balance cannot be read now`,
    };
  }

  return {
    authenticate,
    balance,

    async openRound(session, bet) {
      const { playerID, sessionRowID, trace } = session;
      const operator = await operators.find(session.operatorID);
      const walletDown = client.isDown(operator);
      const opened = await openRound(ledger, { playerID, sessionRowID, walletDown, ...bet }, trace);
      if (!opened.ok) return opened;
      const { roundID, replayed, debitID, grantID } = opened;
      const round = { roundID, replayed, grantID };
      if (debitID === undefined) return withBalance(session, round, { told: undefined, done: 'the round is opened' });
      if (trace !== undefined) deps.traces?.keep(roundID, trace);
      const sent = { session, token: tokenOf(session, operator), bet, roundID, debitID, grantID };
      const debited = await deps.leases.hold(debitID, () => debit(deps, operator, sent));
      return debited.ok ? withBalance(session, round, { told: debited.balance, done: 'the bet is taken' }) : debited;
    },

    async refuseBet(session, bet) {
      const { playerID, sessionRowID, trace } = session;
      const refused = await ledger.refuseBet({ playerID, sessionRowID, ...bet }, trace);
      return refused.ok ? withBalance(session, { roundID: refused.roundID }, { told: undefined }) : refused;
    },

    async endRound(session) {
      const { playerID, sessionRowID, trace } = session;
      const ended = await ledger.endRound({ playerID, sessionRowID }, trace);
      if (!ended.ok) return ended;
      const done = 'the round is completed';
      if (ended.credit === undefined)
        return withBalance(session, { completedRoundID: null }, { told: undefined, done });
      const { externalID, gameID, operatorID, currency } = session;
      const credit = { ...ended.credit, playerID, externalID, gameID, operatorID, currency };
      const needsToken = session.walletToken !== undefined;
      const sent = await (needsToken ? sender.send(credit.transactionID, trace) : sender.sendCredit(credit, trace));
      if (sent.pending) {
        const unpaid = sent.isDown ? 'wallet_down' : 'wallet_uncertain';
        const refusal = sent.code === 'ERR_MAINTENANCE' ? 'operator_maintenance' : unpaid;
        return { ok: false, refusal, detail: 'the payout is not confirmed yet; the round stays active' };
      }
      const winnings = ended.grantID === undefined ? undefined : await sender.sendWinnings(sent.roundID, trace);
      return withBalance(session, { completedRoundID: sent.roundID }, { told: (winnings ?? sent).balance, done });
    },
  };
}

/** Recovery has already abandoned the debit, and rolls it back. */
const ABANDONED = { ok: false, refusal: 'wallet_uncertain' } as const;

type Debit = {
  session: BearerSession;
  token: string | undefined;
  bet: Bet;
  roundID: bigint;
  debitID: string;
  /** A free round has a grant. */
  grantID: string | undefined;
};

/** Sends the debit, and settles the round by its result. Returns the balance in the response. */
async function debit(
  deps: SeamlessDeps,
  operator: WalletOperator,
  sent: Debit,
): Promise<Outcome<{ balance: Micros | undefined }>> {
  const { ledger, client, closings, failpoint } = deps;
  const { session, token, bet, roundID, debitID, grantID } = sent;
  const { sessionID, playerID, externalID, gameID, currency, trace } = session;
  const isFree = grantID !== undefined;
  const round = { roundID: String(roundID), playerID: externalID, gameID, currency, ...(isFree && { grantID }) };
  const cost = isFree ? { amount: 0, freeBet: bet.debit } : { amount: bet.debit };
  const request = { transactionID: debitID, ...round, sessionID, ...cost, mode: bet.mode };
  failpoint('debit_stored');
  const { closesWithDebit, closedDebitsStand, groupsClosings } = client.traits(operator);
  const closed = closesWithDebit && bet.autoClose && bet.payout === 0;
  const result = await client.send(operator, 'debit', request, { token, closesRound: closed, trace });
  failpoint('debit_responded');
  if (result.kind === 'uncertain' && closed && closedDebitsStand) {
    // The round is void when the wallet has rolled the debit back, and lost when it has not.
    deps.sender.sendInBackground(debitID, trace);
    return walletRefusal('debit', result);
  }
  if (result.kind !== 'accepted') return settleFailedDebit(deps, sent, result);
  const told = result.body.balance;
  const balance = told === undefined ? undefined : toMicros(told);
  const accepted = {
    transactionID: debitID,
    httpStatus: result.httpStatus,
    autoClose: bet.autoClose,
    walletTimeoutMs: operator.timeoutMs,
    reportedBalance: balance,
    closed,
    reference: result.body.reference,
  };
  const { late, closingID } = await (isFree
    ? ledger.acceptFreeDebit({ playerID, ...accepted }, trace)
    : ledger.acceptDebit(accepted, trace));
  failpoint('debit_settled');
  if (late) return ABANDONED;
  if (closingID !== undefined && groupsClosings)
    closings.add(operator, { transactionID: closingID, debitTransactionID: debitID, ...round }, trace);
  else if (closingID !== undefined) deps.sender.sendInBackground(closingID, trace);
  const winnings =
    isFree && (closed || closingID !== undefined) ? await deps.sender.sendWinnings(roundID, trace) : undefined;
  return { ok: true, balance: winnings === undefined ? balance : winnings.balance };
}

async function settleFailedDebit(
  { ledger, failpoint }: SeamlessDeps,
  { session: { playerID, trace }, debitID }: Debit,
  result: Exclude<WalletResult<'debit'>, { kind: 'accepted' }>,
): Promise<Refused> {
  const { late } = await ledger.settleWalletTransaction(
    {
      playerID,
      transactionID: debitID,
      // A request that was not sent has certainly moved nothing.
      result: result.kind === 'uncertain' ? 'uncertain' : 'refused',
      settledBy: 'operator',
      ...storedResult(result),
      settlementNote: undefined,
      reportedBalance: undefined,
      rollbackID: undefined,
    },
    trace,
  );
  failpoint('debit_settled');
  return late ? ABANDONED : walletRefusal('debit', result);
}
