import { type Micros, toMicros } from '@roundhouse/contract';
import type { Logger } from 'pino';
import type { Database } from '../../ledger/database.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { updatePlayer } from '../../ledger/queries/updatePlayer.ts';
import type { WalletOperator } from '../../ledger/queries/walletOperator.ts';
import type { BalanceReading, BearerSession, Bet, OpenedRound, Wallet } from '../wallet.ts';
import { type CallSender, createCallSender } from './callSender.ts';
import { createDebitLeases, type DebitLeases } from './debitLeases.ts';
import type { Reached } from './failpoints.ts';
import { createFailureWarnings } from './failureWarnings.ts';
import { createOperatorDirectory, type OperatorDirectory } from './operatorDirectory.ts';
import { type RecoveryOptions, startRecovery } from './recovery.ts';
import {
  type CallObserver,
  createWalletClient,
  describeAnswer,
  type WalletAnswer,
  type WalletClient,
} from './walletClient.ts';
import { walletRefusal } from './walletRefusals.ts';

export type SeamlessOptions = {
  db: Database;
  ledger: Ledger;
  log: Logger;
  /** Without it this process gives up and repeats nothing. */
  recovery?: RecoveryOptions;
  reached?: Reached;
  observe?: CallObserver;
};

export type RunningSeamlessWallet = {
  wallet: Wallet;
  /** Calls operators' wallets; whose a session is, is asked through it too. */
  client: WalletClient;
  /** Finishes what is being sent. */
  stop(): Promise<void>;
};

/** The seamless wallet with its recovery. */
export async function startSeamlessWallet({
  db,
  ledger,
  log,
  recovery: wanted,
  reached = () => {},
  observe = () => {},
}: SeamlessOptions): Promise<RunningSeamlessWallet> {
  const warn = createFailureWarnings(log);
  const client = createWalletClient({
    observe: (call) => {
      observe(call);
      warn(call);
    },
  });
  const operators = createOperatorDirectory(db);
  const onError = (error: unknown, callID: string) =>
    log.error({ err: error, callID }, 'a wallet call could not be sent; recovery will');
  const sender = createCallSender({ db, ledger, client, operators, reached, onError });
  const leases = createDebitLeases({ db, log });
  const recovery = wanted && (await startRecovery({ ...wanted, db, sender, leases, log }));
  return {
    wallet: createSeamlessWallet({ db, ledger, client, operators, sender, leases, reached, log }),
    client,
    async stop() {
      await recovery?.stop();
      await sender.idle();
      await leases.stop();
      await client.close();
    },
  };
}

type SeamlessParts = {
  db: Database;
  ledger: Ledger;
  client: WalletClient;
  operators: OperatorDirectory;
  sender: CallSender;
  leases: DebitLeases;
  reached: Reached;
  log: Logger;
};

/** The operator keeps the money: each movement is written down, then asked for, then settled by its answer (wallet.md). */
function createSeamlessWallet(parts: SeamlessParts): Wallet {
  const { db, ledger, client, operators, sender, log } = parts;

  async function authenticate(session: BearerSession) {
    const operator = await operators.find(session.operatorID);
    // The wallet of an operator that is gone would be waited for.
    if (operator.isDisabled) return { ok: false as const, refusal: 'operator_maintenance' as const };
    const { sessionID, gameID, playerID, sessionRowID, currency, externalID } = session;
    const answer = session.vouched
      ? { kind: 'accepted' as const, body: session.vouched }
      : await client.call(operator, 'authenticate', { sessionID, gameID });
    if (answer.kind !== 'accepted') return walletRefusal(answer);
    const { body } = answer;
    if (body.playerID !== externalID || body.currency !== currency) {
      log.warn(
        { operator: operator.code },
        'the operator names another player or currency for a session that it named before',
      );
      return { ok: false as const, refusal: 'session' as const };
    }
    if (!session.vouched) await updatePlayer(db, session, body);
    const authenticated = await ledger.authenticateSession({ playerID, sessionRowID });
    return authenticated.ok ? { ...authenticated, balance: toMicros(body.balance) } : authenticated;
  }

  async function balance(session: BearerSession): Promise<BalanceReading> {
    const { playerID, sessionRowID } = session;
    const judged = await ledger.readBalance({ playerID, sessionRowID });
    return judged.ok ? askBalance(session) : judged;
  }

  async function askBalance(session: BearerSession): Promise<BalanceReading> {
    const { sessionID, externalID, gameID, currency } = session;
    const operator = await operators.find(session.operatorID);
    const answer = await client.call(operator, 'balance', { sessionID, playerID: externalID, gameID, currency });
    return answer.kind === 'accepted' ? { ok: true, balance: toMicros(answer.body.balance) } : walletRefusal(answer);
  }

  /** What a movement has left, or today's balance where it is not known from there. */
  async function withBalance<Value extends object>(session: BearerSession, value: Value, left: Micros | undefined) {
    if (left !== undefined) return { ok: true as const, ...value, balance: left };
    const read = await askBalance(session);
    return read.ok ? { ok: true as const, ...value, balance: read.balance } : read;
  }

  return {
    authenticate,
    balance,

    async openRound(session, bet) {
      const { playerID, sessionRowID } = session;
      const operator = await operators.find(session.operatorID);
      const walletDown = client.isDown(operator);
      const opened = await ledger.openRound({ ...bet, playerID, sessionRowID, walletDown });
      if (!opened.ok) return opened;
      const { roundID, replayed, debitID } = opened;
      if (debitID === undefined) return withBalance(session, { roundID, replayed }, undefined);
      return parts.leases.hold(debitID, () => debit(parts, operator, { session, bet, roundID, debitID }));
    },

    async closeRound(session) {
      const { playerID, sessionRowID } = session;
      const closed = await ledger.closeRound({ playerID, sessionRowID });
      if (!closed.ok) return closed;
      if (closed.creditID === undefined) return withBalance(session, { closedRoundID: null }, undefined);
      const sent = await sender.send(closed.creditID);
      if (!sent.done) {
        const refusal = sent.code === 'ERR_MAINTENANCE' ? 'operator_maintenance' : 'wallet_uncertain';
        return { ok: false, refusal, detail: 'the payout is not confirmed yet; the round stays active' };
      }
      return withBalance(session, { closedRoundID: sent.call.roundID }, sent.balance);
    },
  };
}

type Asked = { session: BearerSession; bet: Bet; roundID: bigint; debitID: string };

/** Asks for the bet, and settles the round by the answer. */
async function debit(parts: SeamlessParts, operator: WalletOperator, asked: Asked): Promise<OpenedRound> {
  const { ledger, client, sender, reached } = parts;
  const { session, bet, roundID, debitID } = asked;
  reached('debit_written');
  const answer = await client.call(operator, 'debit', {
    transactionID: debitID,
    roundID: String(roundID),
    sessionID: session.sessionID,
    playerID: session.externalID,
    gameID: session.gameID,
    currency: session.currency,
    amount: bet.debit,
    mode: bet.mode,
  });
  reached('debit_answered');
  const settled = await ledger.settleWalletCall({
    playerID: session.playerID,
    callID: debitID,
    verdict: verdictOf(answer),
    answer: describeAnswer(answer),
    autoClose: bet.autoClose,
  });
  reached('debit_settled');
  // Recovery was quicker, and has taken the bet back.
  if (settled.late) return { ok: false, refusal: 'wallet_uncertain' };
  if (answer.kind !== 'accepted') return walletRefusal(answer);
  if (settled.nextCallID !== undefined) sender.sendInBackground(settled.nextCallID);
  return { ok: true, roundID, replayed: false, balance: toMicros(answer.body.balance) };
}

function verdictOf(answer: WalletAnswer): 'accepted' | 'refused' | 'uncertain' {
  // What was not sent has for certain moved nothing.
  return answer.kind === 'not_sent' ? 'refused' : answer.kind;
}
