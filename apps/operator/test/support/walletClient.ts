import { randomUUID } from 'node:crypto';
import { type SignedCall, type SigningOptions, signCall, type WalletErrorCode } from '@roundhouse/contract';
import { expect } from 'vitest';
import { readResponse, type TestResponse } from './http.ts';

export type WalletClient = ReturnType<typeof walletClient>;

/** A bet with the fields that its debit, credit and rollback share. */
export type Bet = { debitID: string; facts: { roundID: string; playerID: string; gameID: string; currency: string } };

/** Sends requests to a wallet as the game server does. */
export function walletClient(url: string, secret: string) {
  const send = async (path: string, text: string, headers: Record<string, string>): Promise<TestResponse> =>
    readResponse(await fetch(`${url}/wallet${path}`, { method: 'POST', body: text, headers }));
  return {
    send,
    /** Sends a signed request. */
    async post(path: string, body: unknown): Promise<TestResponse> {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return send(path, text, signedHeaders({ path, body: text }, { secret }));
    },
  };
}

/** Returns the headers of a valid signature, with the given changes. */
export function signedHeaders(
  request: Partial<SignedCall> & Pick<SignedCall, 'path' | 'body'>,
  options: Partial<SigningOptions> & Pick<SigningOptions, 'secret'>,
): Record<string, string> {
  return signCall({ direction: 'to-operator', method: 'POST', ...request }, { nowSeconds: nowSeconds(), ...options });
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

let rounds = 0;
type Session = { playerID: string; sessionID: string; gameID: string; currency: string };

/** Returns a player in a session, with the wallet requests of their bets. */
export function playerRequests(wallet: WalletClient, { sessionID, ...player }: Session) {
  const newBet = (): Bet => {
    rounds += 1;
    return { debitID: randomUUID(), facts: { roundID: String(rounds), ...player } };
  };
  const debit = ({ debitID, facts }: Bet, amount = 1_000_000, changes: object = {}) =>
    wallet.post('/debit', { transactionID: debitID, sessionID, amount, mode: 'BASE', ...facts, ...changes });
  const ofBet = ({ debitID, facts }: Bet) => ({
    transactionID: randomUUID(),
    debitTransactionID: debitID,
    ...facts,
  });
  return {
    ...player,
    sessionID,
    newBet,
    debit,
    /** Returns a bet whose debit has succeeded. */
    async placeBet(amount = 1_000_000): Promise<Bet> {
      const bet = newBet();
      expect((await debit(bet, amount)).status).toBe(200);
      return bet;
    },
    /** Returns a free round whose debit has succeeded. */
    async placeFreeBet(grantID: string, freeBet = 1_000_000): Promise<Bet> {
      const bet = newBet();
      expect((await debit(bet, 0, { grantID, freeBet })).status).toBe(200);
      return bet;
    },
    credit: (bet: Bet, amount = 0, changes: object = {}) =>
      wallet.post('/credit', { amount, roundClosed: true, ...ofBet(bet), ...changes }),
    rollback: (bet: Bet, changes: object = {}) =>
      wallet.post('/rollback', { reason: 'a test', ...ofBet(bet), ...changes }),
    async balance(): Promise<number> {
      return (await wallet.post('/balance', { sessionID, ...player })).body.balance;
    },
  };
}

/** Returns 'done', or the code of the refusal. */
export function codeOf({ status, body }: TestResponse): string {
  return status === 200 ? 'done' : body.error;
}

const SERVER_ERRORS = new Set<WalletErrorCode>(['ERR_GE', 'ERR_UE']);

/** Expects a success with this balance, or a refusal with this code and its status. */
export function expectResult(response: TestResponse, result: number | WalletErrorCode): void {
  const expected =
    typeof result === 'number'
      ? { status: 200, body: { balance: result } }
      : { status: SERVER_ERRORS.has(result) ? 500 : 400, body: { error: result, message: expect.any(String) } };
  expect(response).toEqual(expected);
}
