import { randomUUID } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { setBalance } from '../../src/ledger/queries/players.ts';
import { clientOf, UNIT, useTestServer } from '../support/testServer.ts';
import { launchBody, useOperators } from './operatorClient.ts';

const server = useTestServer();
const { house, seamless } = useOperators(server);
let urls: string[];
beforeAll(async () => {
  const second = await server.startNode();
  urls = [server.url, second.url];
  return second.close;
});

const errorsOf = async (path: string, sessionID: string) =>
  Promise.all(urls.map(async (url) => (await clientOf(url).post(path, { sessionID })).body.error));
const UNKNOWN = ['ERR_IS', 'ERR_IS'];
const NO_ERROR = [undefined, undefined];

describe('a session that is revoked', () => {
  it.each([
    ['of the house wallet', house],
    ['with a seamless wallet', seamless],
  ])('before its first authenticate never begins, for an operator %s', async (_, operator) => {
    const client = await operator();
    const sessionID = client.wallet?.sessionID ?? `own/session-${randomUUID()}?`;
    await client.launch(launchBody({ sessionID }));
    expect(await client.revoke(sessionID)).toMatchObject({ status: 200, body: { revoked: true } });
    expect(await errorsOf('/wallet/authenticate', sessionID)).toEqual(UNKNOWN);
    // It stays so, and no other launch can have the sessionID.
    expect((await client.revoke(sessionID)).status).toBe(200);
    expect((await client.launch(launchBody({ sessionID }))).status).toBe(400);
  });

  it('is ended on every node at once; its open round stays, for another session of the player', async () => {
    const client = await house();
    const launch = async () => (await client.launch(launchBody({ playerID: 'maria' }))).body.sessionID as string;
    const sessionID = await launch();
    await server.post('/wallet/authenticate', { sessionID });
    const { id } = await server.db.account.findFirstOrThrow({
      where: { kind: 'player', operator: { code: client.code } },
    });
    await setBalance(server.db, id, toMicros(10 * UNIT));
    const { body } = await server.playBook(sessionID, 2);
    expect(await errorsOf('/wallet/balance', sessionID)).toEqual(NO_ERROR);
    await client.revoke(sessionID);
    for (const path of ['/wallet/balance', '/wallet/end-round', '/wallet/authenticate'])
      expect(await errorsOf(path, sessionID)).toEqual(UNKNOWN);
    const resumed = await server.post('/wallet/authenticate', { sessionID: await launch() });
    expect(resumed.body.round).toMatchObject({ betID: body.round.betID, active: true });
  });

  it('is ended after its first authenticate, with a seamless wallet', async () => {
    const client = await seamless();
    const { sessionID } = client.wallet;
    await client.launch(launchBody({ sessionID }));
    expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200);
    expect((await client.revoke(sessionID)).status).toBe(200);
    for (const path of ['/wallet/authenticate', '/wallet/balance'])
      expect(await errorsOf(path, sessionID)).toEqual(UNKNOWN);
  });

  it('is unknown when it is none, or that of another operator', async () => {
    const { sessionID } = (await (await house()).launch(launchBody())).body;
    for (const operator of [await house(), await seamless()]) {
      for (const id of [sessionID, 'unknown', 'a:b/c?d'])
        expect(await operator.revoke(id)).toMatchObject({ status: 404, body: { error: 'ERR_VAL' } });
    }
    expect((await server.post('/wallet/authenticate', { sessionID })).status).toBe(200);
  });
});
