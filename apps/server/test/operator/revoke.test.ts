import { randomUUID } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { setBalance } from '../../src/ledger/queries/players.ts';
import { UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { type Caller, launchBody, useOperators } from './operatorClient.ts';

const server = useCheckedServer();
const { house, seamless } = useOperators(server);

const OPERATORS = [
  ['of the house wallet', house],
  ['with a wallet of its own', seamless],
] as const;

describe('a session that is revoked', () => {
  let second: Awaited<ReturnType<typeof server.startNode>>;
  beforeAll(async () => {
    second = await server.startNode();
    return second.close;
  });

  const errorOn = async (url: string, path: string, body: object) => {
    const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
    return ((await response.json()) as { error?: string }).error;
  };

  test.each(OPERATORS)('before its first authenticate never begins, for an operator %s', async (_, operator) => {
    const client = await operator();
    const sessionID = client.wallet?.sessionID ?? `own/session-${randomUUID()}?`;
    await client.launch(launchBody({ sessionID }));
    expect(await client.revoke(sessionID)).toMatchObject({ status: 200, body: { revoked: true } });
    for (const url of [server.url, second.url]) {
      expect(await errorOn(url, '/wallet/authenticate', { sessionID })).toBe('ERR_IS');
    }
    // It stays so, and the sessionID is not free again.
    expect((await client.revoke(sessionID)).status).toBe(200);
    expect((await client.launch(launchBody({ sessionID }))).status).toBe(400);
  });

  test('is ended on every node at once; its open round stays, for another session of the player', async () => {
    const client = await house();
    const launch = async () => (await client.launch(launchBody({ playerID: 'maria' }))).body.sessionID as string;
    const sessionID = await launch();
    await server.post('/wallet/authenticate', { sessionID });
    await fund(client, 10 * UNIT);
    const { body } = await server.playBook(sessionID, 2);
    expect(await errorOn(second.url, '/wallet/balance', { sessionID })).toBeUndefined();
    await client.revoke(sessionID);
    for (const url of [server.url, second.url]) {
      for (const path of ['/wallet/balance', '/wallet/end-round', '/wallet/authenticate']) {
        expect(await errorOn(url, path, { sessionID })).toBe('ERR_IS');
      }
    }
    const resumed = await server.post('/wallet/authenticate', { sessionID: await launch() });
    expect(resumed.body.round).toMatchObject({ betID: body.round.betID, active: true });
  });

  test('after its first authenticate, with a wallet of its own', async () => {
    const client = await seamless();
    const { sessionID } = client.wallet;
    await client.launch(launchBody({ sessionID }));
    expect(await errorOn(server.url, '/wallet/authenticate', { sessionID })).toBeUndefined();
    expect((await client.revoke(sessionID)).status).toBe(200);
    for (const url of [server.url, second.url]) {
      for (const path of ['/wallet/authenticate', '/wallet/balance']) {
        expect(await errorOn(url, path, { sessionID })).toBe('ERR_IS');
      }
    }
  });

  test('is unknown when it is none, or that of another operator', async () => {
    const client = await house();
    const { sessionID } = (await client.launch(launchBody())).body;
    for (const operator of [await house(), await seamless()]) {
      for (const id of [sessionID, 'unknown', 'a:b/c?d']) {
        expect(await operator.revoke(id)).toMatchObject({ status: 404, body: { error: 'ERR_VAL' } });
      }
    }
    expect(await errorOn(server.url, '/wallet/authenticate', { sessionID })).toBeUndefined();
  });
});

/** As a cashier does it. */
async function fund({ code }: Caller, micros: number): Promise<void> {
  const account = await server.db.account.findFirstOrThrow({
    where: { kind: 'player', operator: { code } },
    orderBy: { id: 'desc' },
  });
  await setBalance(server.db, account.id, toMicros(micros));
}
