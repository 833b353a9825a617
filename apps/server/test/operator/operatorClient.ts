import { randomUUID } from 'node:crypto';
import {
  OPERATOR_HEADER,
  type OperatorRouteName,
  operatorContract,
  type SigningOptions,
  signCall,
} from '@roundhouse/contract';
import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, expect } from 'vitest';
import type * as z from 'zod';
import type { Database } from '../../src/ledger/database.ts';
import { type Answer, answerOf, type TestServer } from '../support/testServer.ts';

export type Caller = { code: string; secret: string };

export type OperatorCall = {
  method: string;
  path: string;
  /** An object as JSON, a text as it is; left out: no body. */
  body?: object | string;
  headers?: Record<string, string>;
};

/** Unix time in whole seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

export function bytesOf(body: OperatorCall['body']): string {
  return typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
}

/** Sends the call as it is, signed by whatever its headers say. */
export async function send(url: string, { method, path, body, headers = {} }: OperatorCall): Promise<Answer> {
  const init = { method, headers, ...(body !== undefined && { body: bytesOf(body) }) };
  return answerOf(await fetch(url + path, init));
}

/** The headers of a call that this operator makes now. */
export async function signedHeaders(
  { code, secret }: Caller,
  { method, path, body }: OperatorCall,
  options: Partial<SigningOptions> = {},
) {
  const call = { direction: 'to-rgs', method, path, body: bytesOf(body) } as const;
  return { [OPERATOR_HEADER]: code, ...(await signCall(call, { secret, nowSeconds: nowSeconds(), ...options })) };
}

/** What an operator's own server calls; every answer is held against the contract. */
export function operatorClient(url: string, caller: Caller) {
  const call = async (name: OperatorRouteName, { method, path, body, headers = {} }: OperatorCall): Promise<Answer> => {
    const signed = await signedHeaders(caller, { method, path, ...(body !== undefined && { body }) });
    const answer = await send(url, {
      method,
      path,
      headers: { ...signed, ...headers },
      ...(body !== undefined && { body }),
    });
    const schema = (operatorContract[name].responses as Record<number, z.ZodType>)[answer.status];
    expect(schema, `${method} ${path} ${answer.status} ${answer.text}`).toBeDefined();
    expect(schema?.parse(answer.body), answer.text).toEqual(answer.body);
    return answer;
  };
  const pathOf = (id: string | number) => encodeURIComponent(id);
  return {
    games: () => call('listGames', { method: 'GET', path: '/operator/games' }),
    launch: (body: object) => call('createSession', { method: 'POST', path: '/operator/sessions', body }),
    revoke: (sessionID: string) =>
      call('revokeSession', { method: 'DELETE', path: `/operator/sessions/${pathOf(sessionID)}` }),
    rounds: (query: Record<string, string | number> = {}) => {
      const text = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      );
      // `fetch` drops a question mark with nothing behind it.
      return call('listRounds', { method: 'GET', path: `/operator/rounds${text.size > 0 ? `?${text}` : ''}` });
    },
    round: (betID: string | number, query: Record<string, string> = {}) => {
      const page = new URLSearchParams(query).toString();
      return call('getRound', { method: 'GET', path: `/operator/rounds/${pathOf(betID)}${page && `?${page}`}` });
    },
    giveBack: (betID: string | number, body: object | string = {}) =>
      call('voidRound', { method: 'POST', path: `/operator/rounds/${pathOf(betID)}/void`, body }),
  };
}

/** A launch of the fixture game that is whole. */
export function launchBody(more: object = {}) {
  return { token: `token-${randomUUID()}`, gameID: 'fixture', currency: 'USD', lang: 'en', device: 'desktop', ...more };
}

export async function addHouseOperator(
  db: Database,
  more: { secrets?: string[]; currencies?: string[] } = {},
): Promise<Caller> {
  const code = `house-${randomUUID()}`;
  const secret = `secret-${randomUUID()}`;
  await db.operator.create({ data: { code, name: code, secrets: [secret], ...more } });
  return { code, secret };
}

/** An operator with a wallet of its own, which is running. The wallet knows one session, its player is player-7, with 100 USD. */
async function addSeamlessOperator(db: Database, more: { currencies?: string[] } = {}) {
  const wallet = await startFakeWallet();
  const code = `seamless-${randomUUID()}`;
  const caller: Caller = { code, secret: wallet.secret };
  await db.operator.create({
    data: { code, name: code, wallet: 'seamless', walletUrl: wallet.url, secrets: [wallet.secret], ...more },
  });
  return { ...caller, wallet };
}

/** New operators of one server, each with its client. Their wallets end with the tests of the file. */
export function useOperators(server: Pick<TestServer, 'db' | 'url'>) {
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
  });
  return {
    async house(more: { currencies?: string[] } = {}) {
      const operator = await addHouseOperator(server.db, more);
      return { ...operatorClient(server.url, operator), ...operator, wallet: undefined };
    },
    async seamless(more: { currencies?: string[] } = {}) {
      const operator = await addSeamlessOperator(server.db, more);
      closing.push(operator.wallet.close);
      return { ...operatorClient(server.url, operator), ...operator };
    },
  };
}
