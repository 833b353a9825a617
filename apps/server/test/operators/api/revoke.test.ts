import { randomUUID } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { setBalance } from '../../../src/ledger/setBalance.ts';
import { clientOf, UNIT, useTestServer } from '../../support/testServer.ts';
import { INVALID, launchBody, refusalOf, useOperators } from './operatorClient.ts';

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
});

describe('sessions that the operator ends', () => {
  const liveSession = async (client: Awaited<ReturnType<typeof house>>, playerID: string) => {
    const { sessionID } = (await client.launch(launchBody({ playerID }))).body;
    await server.post('/wallet/authenticate', { sessionID });
    return sessionID as string;
  };

  it('are one session, on every node at once, and once however often it is repeated', async () => {
    const client = await house();
    const [sessionID, other] = [await liveSession(client, 'ida'), await liveSession(client, 'ida')];
    expect(await errorsOf('/wallet/balance', sessionID)).toEqual(NO_ERROR);
    const end = () => client.endSessions({ sessionID, reason: 'logged out' });
    const responses = await Promise.all([end(), end(), end()]);
    expect(responses.map(({ status, body }) => `${status} ${body.ended}`).sort()).toEqual(['200 0', '200 0', '200 1']);
    for (const path of ['/wallet/balance', '/wallet/authenticate'])
      expect(await errorsOf(path, sessionID)).toEqual(UNKNOWN);
    expect(await errorsOf('/wallet/balance', other)).toEqual(NO_ERROR);
    expect((await client.revoke(sessionID)).status).toBe(200);
  });

  it('are all sessions of a player, also those that have not begun, and those of nobody else', async () => {
    const [client, stranger] = [await house(), await house()];
    const mine = [await liveSession(client, 'olga'), await liveSession(client, 'olga')];
    mine.push((await client.launch(launchBody({ playerID: 'olga', currency: 'EUR' }))).body.sessionID);
    const others = [await liveSession(client, 'olga2'), await liveSession(stranger, 'olga')];
    expect((await client.endSessions({ playerID: 'olga' })).body).toEqual({ ended: 3 });
    for (const sessionID of mine) expect(await errorsOf('/wallet/authenticate', sessionID)).toEqual(UNKNOWN);
    for (const sessionID of others) expect(await errorsOf('/wallet/balance', sessionID)).toEqual(NO_ERROR);
    expect((await client.endSessions({ playerID: 'olga' })).body).toEqual({ ended: 0 });
    expect((await client.endSessions({ playerID: 'never seen' })).body).toEqual({ ended: 0 });
    // The player is not banned: a launch begins a new session.
    expect(await errorsOf('/wallet/balance', await liveSession(client, 'olga'))).toEqual(NO_ERROR);
  });

  it('with a seamless wallet are launches and sessions of the player', async () => {
    const client = await seamless();
    const { sessionID } = client.wallet;
    await client.launch(launchBody({ sessionID, playerID: 'player-7' }));
    await client.launch(launchBody({ playerID: 'player-7' }));
    await server.post('/wallet/authenticate', { sessionID });
    const { betID } = (await server.playBook(sessionID, 2)).body.round;
    expect((await client.endSessions({ playerID: 'player-7' })).body).toEqual({ ended: 2 });
    expect(await errorsOf('/wallet/authenticate', sessionID)).toEqual(UNKNOWN);
    expect((await client.round(betID)).body.state).toBe('open');
  });

  it.each([
    ...[{}, { sessionID: 'a', playerID: 'b' }, { sessionID: '' }],
    ...[{ playerID: '' }, { player: 'a' }, { sessionID: 1 }],
  ])('%j is refused', async (body) => expect(refusalOf(await (await house()).endSessions(body))).toEqual(INVALID));

  it('are unknown when they are not sessions, or those of another operator', async () => {
    const { sessionID } = (await (await house()).launch(launchBody())).body;
    for (const operator of [await house(), await seamless()]) {
      for (const id of [sessionID, 'unknown', 'end', 'a:b/c?d'])
        for (const response of [await operator.endSessions({ sessionID: id }), await operator.revoke(id)])
          expect(refusalOf(response)).toEqual([404, 'ERR_VAL']);
    }
    expect(await errorsOf('/wallet/authenticate', sessionID)).toEqual(NO_ERROR);
  });
});
