import { afterEach, describe, expect, test } from 'vitest';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { ageRounds } from '../support/moveTime.ts';
import { expectRefused } from '../support/snapshot.ts';
import { OPERATOR } from '../support/testServer.ts';

const server = useCheckedServer();
afterEach(() => setOperator(server.db, OPERATOR, { jurisdiction: {} }));

const HALF_HOUR_MS = 1_800_000;
const play = (sessionID: string, mode = 'BASE') => ({ path: '/wallet/play', body: { sessionID, amount: UNIT, mode } });

describe('disabledBuyFeature', () => {
  test.each(['BONUS', 'bonus'])('refuses a feature mode (%s) with ERR_VAL, and no other mode', async (feature) => {
    await setOperator(server.db, OPERATOR, { jurisdiction: { disabledBuyFeature: true } });
    const sessionID = await server.liveSession();
    await expectRefused(server, play(sessionID, feature), 'ERR_VAL');
    for (const mode of ['BASE', 'ANTE', 'AUTO']) {
      expect((await server.post('/wallet/play', play(sessionID, mode).body)).status).toBe(200);
      await server.post('/wallet/end-round', { sessionID });
    }
  });

  test('without it the feature is sold', async () => {
    const { body } = await server.post('/wallet/play', play(await server.liveSession(), 'BONUS').body);
    expect(body.balance.amount).toBe(OPENING - 100 * UNIT);
  });
});

describe('minimumRoundDuration', () => {
  /** A player whose rounds must last half an hour, so that no clock of a test machine matters. */
  async function slowPlayer(options: Record<string, unknown> = {}): Promise<string> {
    await setOperator(server.db, OPERATOR, { jurisdiction: { minimumRoundDuration: HALF_HOUR_MS } });
    return server.liveSession(options);
  }

  test('refuses a play that comes too early with ERR_VAL, and takes it when the time has passed', async () => {
    const sessionID = await slowPlayer();
    await server.playBook(sessionID, BOOK.pays0);
    await server.post('/wallet/end-round', { sessionID });
    await expectRefused(server, play(sessionID), 'ERR_VAL');
    await ageRounds(server, sessionID, HALF_HOUR_MS - 60_000);
    await expectRefused(server, play(sessionID), 'ERR_VAL');
    await ageRounds(server, sessionID, 60_000);
    expect((await server.post('/wallet/play', play(sessionID).body)).status).toBe(200);
  });

  test('counts from the last play, also of another session, and of a round that closed itself', async () => {
    const sessionID = await slowPlayer({ token: 'slow' });
    const { body } = await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    expect(body.round.active).toBe(false);
    await expectRefused(server, play(await server.liveSession({ token: 'slow' })), 'ERR_VAL');
  });

  test('does not delay the first play, the end of a round, or a play that is repeated with its key', async () => {
    const sessionID = await slowPlayer();
    const headers = { 'Idempotency-Key': 'once' };
    const first = await server.post('/wallet/play', play(sessionID).body, headers);
    expect(first.status).toBe(200);
    expect((await server.post('/wallet/end-round', { sessionID })).status).toBe(200);
    const again = await server.post('/wallet/play', play(sessionID).body, headers);
    expect([again.status, again.body.round.betID]).toEqual([200, first.body.round.betID]);
  });
});
