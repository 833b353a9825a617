import { describe, expect, test } from 'vitest';
import { checkedClient, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { snapshot } from '../support/snapshot.ts';

const server = useCheckedServer();

describe('6. Events', () => {
  test('rule 1: POST /bet/event records actions during a round, so that play resumes after a disconnect', async () => {
    const sessionID = await server.liveSession({ token: 'disconnects' });
    const { round } = (await server.playBook(sessionID, BOOK.pays150)).body;
    for (const event of ['picked:1', 'picked:2']) {
      expect((await server.post('/bet/event', { sessionID, event })).body).toEqual({ event });
    }
    expect((await snapshot(server, sessionID)).events.map(({ seq, event }) => [seq, event])).toEqual([
      [1, 'picked:1'],
      [2, 'picked:2'],
    ]);

    // The player is back on another node, and after a new launch.
    const node = await server.startNode();
    const back = checkedClient(node.url);
    const relaunched = await server.newSession({ token: 'disconnects' });
    for (const again of [sessionID, relaunched]) {
      const { body } = await back.post('/wallet/authenticate', { sessionID: again });
      expect(body.round).toEqual({ ...round, event: 'picked:2' });
    }
    await node.close();
  });

  test('rule 2: the service emits nothing to clients: a game learns of a change only by asking', async () => {
    const answer = await server.send('/bet/event', { headers: { Accept: 'text/event-stream' } });
    expect([answer.status, answer.body.error]).toEqual([400, 'ERR_VAL']);
  });
});
