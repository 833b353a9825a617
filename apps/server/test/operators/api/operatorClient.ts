import { randomUUID } from 'node:crypto';
import {
  OPERATOR_HEADER,
  type OperatorRouteName,
  operatorContract,
  type SigningOptions,
  signCall,
} from '@roundhouse/contract';
import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, beforeAll, expect } from 'vitest';
import type * as z from 'zod';
import type { Database } from '../../../src/store/database/database.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { addSeamlessOperator, SECRET } from '../../support/seamlessServer.ts';
import { responseOf, type TestResponse, type TestServer, UNIT } from '../../support/testServer.ts';

export type Caller = { code: string; secret: string };
/** An object is sent as JSON, a text as it is. */
type RequestBody = object | string | undefined;
export type OperatorRequest = { method: string; path: string; body?: RequestBody; headers?: Record<string, string> };
type OperatorSettings = {
  secrets?: string[];
  currencies?: string[];
  languages?: string[];
  freeRounds?: boolean;
  maxFreeRounds?: number;
  disabled?: boolean;
  jurisdiction?: object;
};

const CAMPAIGNS = '/operator/free-rounds/campaigns';
const GRANTS = '/operator/free-rounds/grants';

/** The test players belong to this operator. */
export const HOUSE: Caller = { code: 'house', secret: 'the secret of the house' };
export const INVALID = [400, 'ERR_VAL'];
export const NOT_SIGNED = [401, 'ERR_VAL'];

/** Returns status and code of a refusal. */
export const refusalOf = ({ status, body }: TestResponse) => [status, body?.error];
/** Returns Unix time in whole seconds. */
export const nowSeconds = () => Math.floor(Date.now() / 1000);
export const bytesOf = (body: RequestBody) => (typeof body === 'object' ? JSON.stringify(body) : (body ?? ''));

/** Sends the request with the headers that it brings. */
export async function send(url: string, { method, path, body, headers = {} }: OperatorRequest): Promise<TestResponse> {
  const init = { method, headers, ...(body !== undefined && { body: bytesOf(body) }) };
  return responseOf(await fetch(url + path, init));
}

/** Returns the headers of a request that this operator sends now. */
export function signedHeaders(
  { code, secret }: Caller,
  { method, path, body }: OperatorRequest,
  options: Partial<SigningOptions> = {},
) {
  const call = { direction: 'to-rgs', method, path, body: bytesOf(body) } as const;
  return { [OPERATOR_HEADER]: code, ...signCall(call, { secret, nowSeconds: nowSeconds(), ...options }) };
}

/**
 * Sends requests of an operator's server, with `more` headers; the contract checks every response.
 */
export function operatorClient(url: string, caller: Caller, more: Record<string, string> = {}) {
  async function request(
    name: OperatorRouteName,
    method: string,
    path: string,
    body?: RequestBody,
  ): Promise<TestResponse> {
    const headers = { ...signedHeaders(caller, { method, path, body }), ...more };
    const response = await send(url, { method, path, body, headers });
    const schema = (operatorContract[name].responses as Record<number, z.ZodType>)[response.status];
    expect(schema, `${method} ${path} ${response.status} ${response.text}`).toBeDefined();
    expect(schema?.parse(response.body), response.text).toEqual(response.body);
    return response;
  }
  const withQuery = (path: string, query: Record<string, string | number>) => {
    const text = new URLSearchParams(query as Record<string, string>).toString();
    // `fetch` drops a question mark with nothing behind it.
    return text === '' ? path : `${path}?${text}`;
  };
  const round = (betID: string | number) => `/operator/rounds/${encodeURIComponent(betID)}`;
  return {
    games: () => request('listGames', 'GET', '/operator/games'),
    launch: (body: object | string) => request('createSession', 'POST', '/operator/sessions', body),
    revoke: (sessionID: string) =>
      request('revokeSession', 'DELETE', `/operator/sessions/${encodeURIComponent(sessionID)}`),
    endSessions: (body: object | string) => request('endSessions', 'POST', '/operator/sessions/end', body),
    rounds: (query: Record<string, string | number> = {}) =>
      request('listRounds', 'GET', withQuery('/operator/rounds', query)),
    playerRounds: (playerID: string, query: Record<string, string | number> = {}) =>
      request('listPlayerRounds', 'GET', withQuery(`/operator/players/${encodeURIComponent(playerID)}/rounds`, query)),
    round: (betID: string | number, query: Record<string, string> = {}) =>
      request('getRound', 'GET', withQuery(round(betID), query)),
    voidRound: (betID: string | number, body: object | string = {}) =>
      request('voidRound', 'POST', `${round(betID)}/void`, body),
    createCampaign: (body: object | string) => request('createCampaign', 'POST', CAMPAIGNS, body),
    campaigns: (query: Record<string, string | number> = {}) =>
      request('listCampaigns', 'GET', withQuery(CAMPAIGNS, query)),
    campaign: (campaignID: string) => request('getCampaign', 'GET', `${CAMPAIGNS}/${encodeURIComponent(campaignID)}`),
    cancelCampaign: (campaignID: string, body: object | string = {}) =>
      request('cancelCampaign', 'POST', `${CAMPAIGNS}/${encodeURIComponent(campaignID)}/cancel`, body),
    giveGrants: (body: object | string) => request('giveGrants', 'POST', GRANTS, body),
    grants: (query: Record<string, string | number> = {}) => request('listGrants', 'GET', withQuery(GRANTS, query)),
    grant: (grantID: string) => request('getGrant', 'GET', `${GRANTS}/${encodeURIComponent(grantID)}`),
    cancelGrant: (grantID: string, body: object | string = {}) =>
      request('cancelGrant', 'POST', `${GRANTS}/${encodeURIComponent(grantID)}/cancel`, body),
    changes: (query: Record<string, string | number> = {}) =>
      request('listGrantChanges', 'GET', withQuery('/operator/free-rounds/changes', query)),
  };
}

/** Returns the body of a launch of the fixture game. */
export function launchBody(more: object = {}) {
  return { token: `token-${randomUUID()}`, gameID: 'fixture', currency: 'USD', lang: 'en', device: 'desktop', ...more };
}

export async function addHouseOperator(db: Database, settings: OperatorSettings = {}): Promise<Caller> {
  const code = `house-${randomUUID()}`;
  const secret = `secret-${randomUUID()}`;
  await db.operator.create({ data: { code, name: code, secrets: [secret], ...settings } });
  return { code, secret };
}

export async function giveHouseItsSecret({ db }: Pick<TestServer, 'db'>): Promise<void> {
  await db.operator.update({ where: { code: HOUSE.code }, data: { secrets: [HOUSE.secret] } });
}

/** Makes new operators with a client each. Their wallets end with the tests of the file. */
export function useOperators(server: Pick<TestServer, 'db' | 'url'>) {
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
  });
  return {
    async house(settings: OperatorSettings = {}) {
      const caller = await addHouseOperator(server.db, settings);
      return { ...operatorClient(server.url, caller), ...caller, wallet: undefined };
    },
    /** Its wallet knows one session, whose player is player-7, with 1,000 USD. */
    async seamless({ currencies = [], languages = [], ...settings }: OperatorSettings = {}) {
      const wallet = await startFakeWallet({ secret: SECRET });
      closing.push(wallet.close);
      const caller = { code: `seamless-${randomUUID()}`, secret: SECRET };
      await addSeamlessOperator(server.db, { code: caller.code, url: wallet.url, currencies, languages, ...settings });
      return { ...operatorClient(server.url, caller), ...caller, wallet };
    },
  };
}

/** Makes open rounds of both wallets, and shows what operators see of them. */
export function useOpenRounds(server: TestServer) {
  const operators = useOperators(server);
  beforeAll(() => giveHouseItsSecret(server));

  const roundRow = (betID: number) => server.db.round.findUniqueOrThrow({ where: { id: betID } });
  return {
    ...operators,
    roundRow,
    client: () => operatorClient(server.url, HOUSE),

    /** The round belongs to a test player. */
    async houseRound(bookID: number = BOOK.pays150, { token = 'anna', mode = 'BASE' } = {}) {
      const sessionID = await server.liveSession({ token, setBalance: 1000 * UNIT });
      const { body } = await server.playBook(sessionID, bookID, { mode });
      return { sessionID, betID: body.round.betID as number };
    },

    /** The money is in the operator's own wallet. */
    async seamlessRound(bookID: number = BOOK.pays150, mode = 'BASE') {
      const client = await operators.seamless();
      const { wallet } = client;
      const { sessionID } = wallet;
      await client.launch(launchBody({ sessionID }));
      await server.post('/wallet/authenticate', { sessionID });
      const { body } = await server.playBook(sessionID, bookID, { mode });
      return { client, sessionID, wallet, betID: body.round.betID as number };
    },
  };
}

export const kindsOf = (movements: { kind: string; amount: number; state: string }[]) =>
  movements.map(({ kind, amount, state }) => `${kind} ${amount} ${state}`);
