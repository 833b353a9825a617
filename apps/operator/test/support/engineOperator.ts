import { generateKeyPairSync, randomInt, randomUUID, sign } from 'node:crypto';
import { readResponse, type TestResponse } from './http.ts';
import { type TestOperator, useOperator } from './testOperator.ts';

/** The operator signs its requests, and the game server its own. */
export const KEYS = { operator: generateKeyPairSync('ed25519'), rgs: generateKeyPairSync('ed25519') };

/** The options of the dialect "engine". */
export const ENGINE = { secrets: [], engine: { own: KEYS.operator.privateKey, rgs: KEYS.rgs.publicKey } };

/** An operator of the dialect "engine". After the tests its ledger balances. */
export function useEngineOperator(): TestOperator {
  return useOperator(ENGINE);
}

export const OPENING = 1_000_000_000;
export const BET = 1_000_000;

type Session = { token: string; player: string; currency: string };

/** Opens a session of a player, whose balance it sets. */
export async function mint({ url }: Pick<TestOperator, 'url'>, player: string = randomUUID()): Promise<Session> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ player, currency: 'EUR', startingBalance: OPENING });
  const response = await fetch(`${url}/wallet/v1/dev/session`, { ...init, body });
  return (await response.json()) as Session;
}

/** Sends these bytes, signed by the game server. */
export async function send({ url }: Pick<TestOperator, 'url'>, name: string, body: string): Promise<TestResponse> {
  const signature = sign(null, Buffer.from(body), KEYS.rgs.privateKey).toString('base64');
  const init = { method: 'POST', body, headers: { 'x-signature': signature } };
  return readResponse(await fetch(`${url}/wallet/v1/${name}`, init));
}

/** A bet in a new round, unless it is added to one. */
export function newBet(operator: Pick<TestOperator, 'url'>, { token, currency }: Session, round = randomInt(2 ** 40)) {
  const id = randomUUID();
  const creditID = randomUUID();
  const ask = (name: string, fields: object) => send(operator, name, JSON.stringify({ token, round, ...fields }));
  const money = { id, amount: BET, currency };
  return {
    id,
    round,
    win: { ...money, id: creditID, amount: 2 * BET, ref: id },
    debit: (fields: object = {}) =>
      ask('debit', { mode: 'BASE', active: true, ip: '', debit: money, credit: null, ...fields }),
    credit(fields: object = {}) {
      return ask('credit', { active: false, ip: '', credit: this.win, ...fields });
    },
    rollback: (fields: object = {}) =>
      ask('rollback', { active: false, rollbacks: [{ id: randomUUID(), ref: id }], ...fields }),
    balance: async (): Promise<number> => (await ask('balance', {})).body.balance.amount,
  };
}

/** Returns 'done', or the code of the refusal. */
export function codeOf({ status, body }: TestResponse): string {
  return status === 200 ? 'done' : body.code;
}
