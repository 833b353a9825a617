import { type Micros, toMicros, type WalletErrorCode } from '@roundhouse/contract';
import type { Database } from '../../ledger/database.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { findWalletCall, type WalletCallRecord } from '../../ledger/queries/findWalletCall.ts';
import type { Reached } from './failpoints.ts';
import type { OperatorDirectory } from './operatorDirectory.ts';
import { describeAnswer, type WalletAnswer, type WalletClient } from './walletClient.ts';

/** What sending a written call has come to: it is done (also when it was before), or it will be repeated. */
type SendResult =
  | { done: true; call: WalletCallRecord; balance: Micros | undefined }
  | { done: false; call: WalletCallRecord; code: WalletErrorCode | undefined };

/** Sends calls that are written down, from whatever node: all that they say is in their rows. */
export type CallSender = {
  send(callID: string): Promise<SendResult>;
  /** The same without waiting for it; a failure is left to recovery. */
  sendInBackground(callID: string): void;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
};

type SenderParts = {
  db: Database;
  ledger: Ledger;
  client: WalletClient;
  operators: OperatorDirectory;
  reached: Reached;
  onError: (error: unknown, callID: string) => void;
};

export function createCallSender(parts: SenderParts): CallSender {
  const underWay = new Set<Promise<unknown>>();
  const send = (callID: string) => {
    const sending = sendCall(parts, callID).finally(() => underWay.delete(sending));
    underWay.add(sending);
    return sending;
  };
  return {
    send,
    sendInBackground: (callID) => void send(callID).catch((error: unknown) => parts.onError(error, callID)),
    async idle() {
      while (underWay.size > 0) await Promise.allSettled([...underWay]);
    },
  };
}

async function sendCall(parts: SenderParts, callID: string): Promise<SendResult> {
  const call = await findWalletCall(parts.db, callID);
  if (call === undefined) throw new Error(`wallet call ${callID} is not there`);
  if (!call.isOpen) return { done: true, call, balance: undefined };
  if (call.kind === 'debit') return giveUpDebit(parts, call);

  const { kind } = call;
  parts.reached(`${kind}_written`);
  const answer = await ask(parts, call, kind);
  parts.reached(`${kind}_answered`);
  const isDone = answer.kind === 'accepted' || (kind === 'rollback' && isUnknownDebit(answer));
  await parts.ledger.settleWalletCall({
    playerID: call.playerID,
    callID,
    verdict: isDone ? 'accepted' : 'failed',
    answer: describeAnswer(answer),
    autoClose: false,
  });
  parts.reached(`${kind}_settled`);
  if (!isDone) return { done: false, call, code: answer.kind === 'refused' ? answer.code : undefined };
  return { done: true, call, balance: answer.kind === 'accepted' ? toMicros(answer.body.balance) : undefined };
}

/**
 * A debit whose node did not renew its lease: what it came to is not known, and it is never asked again. Its rollback, due at once, is for
 * whoever repeats calls.
 */
async function giveUpDebit(parts: SenderParts, call: WalletCallRecord): Promise<SendResult> {
  await parts.ledger.settleWalletCall({
    playerID: call.playerID,
    callID: call.callID,
    verdict: 'uncertain',
    answer: 'the node that asked for it did not finish',
    autoClose: false,
  });
  return { done: true, call, balance: undefined };
}

async function ask(
  { client, operators }: SenderParts,
  { callID, debitID, roundID, externalID, gameID, currency, amount, reason, operatorID }: WalletCallRecord,
  kind: 'credit' | 'rollback',
): Promise<WalletAnswer<'credit' | 'rollback'>> {
  const operator = await operators.find(operatorID);
  const body = {
    transactionID: callID,
    debitTransactionID: debitID,
    roundID: String(roundID),
    playerID: externalID,
    gameID,
    currency,
  };
  return kind === 'credit'
    ? client.call(operator, 'credit', { ...body, amount, roundClosed: true })
    : client.call(operator, 'rollback', { ...body, reason: reason ?? 'the bet is given back' });
}

/** "Not found" is a certain answer: there was nothing to give back, and the wallet refuses that debit from now on. */
function isUnknownDebit(answer: WalletAnswer): boolean {
  return answer.kind === 'refused' && answer.code === 'ERR_BNF';
}
