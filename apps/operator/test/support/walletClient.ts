import { randomUUID } from 'node:crypto';
import { type SignedCall, type SigningOptions, signCall } from '@roundhouse/contract';

export type Answer = { status: number; body: any; headers: Headers };

export type WalletClient = ReturnType<typeof walletClient>;

/** What a bet is about, as its debit, credit and rollback have to say alike. */
export type BetFacts = { roundID: string; playerID: string; gameID: string; currency: string };

/** Calls a wallet as the game server does. */
export function walletClient(url: string, secret: string) {
  const send = async (path: string, text: string, headers: Record<string, string>): Promise<Answer> => {
    const response = await fetch(`${url}/wallet${path}`, { method: 'POST', body: text, headers });
    return answerOf(response);
  };
  return {
    send,
    /** A signed call. */
    async post(path: string, body: unknown): Promise<Answer> {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return send(path, text, await signedHeaders({ path, body: text }, { secret }));
    },
  };
}

/** Of a call to the wallet, signed well but for what is given. */
export function signedHeaders(
  call: Partial<SignedCall> & Pick<SignedCall, 'path' | 'body'>,
  options: Partial<SigningOptions> & Pick<SigningOptions, 'secret'>,
): Promise<Record<string, string>> {
  return signCall({ direction: 'to-operator', method: 'POST', ...call }, { nowSeconds: nowSeconds(), ...options });
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = text;
  }
  return { status: response.status, body, headers: response.headers };
}

let rounds = 0;

/** A player in a session, and the calls of one bet after another. */
export function playerCalls(
  wallet: WalletClient,
  { playerID, sessionID, gameID, currency }: { playerID: string; sessionID: string; gameID: string; currency: string },
) {
  const newBet = (): { debitID: string; facts: BetFacts } => {
    rounds += 1;
    return { debitID: randomUUID(), facts: { roundID: String(rounds), playerID, gameID, currency } };
  };
  type Bet = ReturnType<typeof newBet>;
  return {
    playerID,
    sessionID,
    gameID,
    currency,
    newBet,
    debit: ({ debitID, facts }: Bet, amount = 1_000_000, changes: object = {}) =>
      wallet.post('/debit', { transactionID: debitID, sessionID, amount, mode: 'BASE', ...facts, ...changes }),
    credit: ({ debitID, facts }: Bet, amount = 0, changes: object = {}) =>
      wallet.post('/credit', {
        transactionID: randomUUID(),
        debitTransactionID: debitID,
        amount,
        roundClosed: true,
        ...facts,
        ...changes,
      }),
    rollback: ({ debitID, facts }: Bet, changes: object = {}) =>
      wallet.post('/rollback', {
        transactionID: randomUUID(),
        debitTransactionID: debitID,
        reason: 'a test',
        ...facts,
        ...changes,
      }),
    async balance(): Promise<number> {
      const { body } = await wallet.post('/balance', { sessionID, playerID, gameID, currency });
      return body.balance;
    },
  };
}

export type PlayerCalls = ReturnType<typeof playerCalls>;
