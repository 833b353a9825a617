import { afterEach, describe, expect, it } from 'vitest';
import { ENDPOINTS, OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { balanceOf, expectRefused, snapshot } from '../support/snapshot.ts';

const server = useCheckedServer();
const PLAY = '/wallet/play';
const bet = (sessionID: string) => ({ sessionID, amount: UNIT, mode: 'BASE' });

async function setFaults(...faults: object[]): Promise<void> {
  const response = await server.send('/game/faults', { method: 'PUT', body: JSON.stringify({ faults }) });
  expect(response).toMatchObject({ status: 200, body: { faults } });
}

/** A request whose response may break the contract. */
async function call(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body), headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function roundsOf(sessionID: string): Promise<number> {
  return (await snapshot(server, sessionID)).rounds.length;
}

afterEach(async () => {
  await server.send('/game/faults', { method: 'DELETE' });
});

describe('the plan', () => {
  it('is empty at first, shows what is left, and can be cleared', async () => {
    expect((await server.send('/game/faults')).body).toEqual({ faults: [] });
    await setFaults({ kind: 'error', next: 2 }, { kind: 'lost_request', path: '/bet/event', share: 0.5 });
    await call('/wallet/balance', {});
    const left = [
      { kind: 'error', next: 1 },
      { kind: 'lost_request', path: '/bet/event', share: 0.5 },
    ];
    const shown = await server.send('/game/faults');
    expect(shown.body).toEqual({ faults: left });
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect((await server.send('/game/faults', { method: 'DELETE' })).body).toEqual({ faults: [] });
    expect((await server.post('/wallet/balance', {})).body.error).toBe('ERR_VAL');
  });

  it('applies to the five endpoints and to nothing else', async () => {
    await setFaults({ kind: 'error', error: 'ERR_MAINTENANCE', share: 1 });
    for (const { path } of ENDPOINTS) {
      expect((await server.post(path, {})).body.error, path).toBe('ERR_MAINTENANCE');
    }
    expect((await server.post('/session/start', {})).status).toBe(200);
    expect((await server.send('/bet/replay/fixture/1.0.0/BASE/1')).status).toBe(200);
    for (const path of ['/healthz', '/readyz', '/openapi.json']) {
      expect((await fetch(server.url + path)).status, path).toBe(200);
    }
  });
});

describe('error', () => {
  it.each(['ERR_IPB', 'ERR_MAINTENANCE'] as const)('%s has its status, and nothing changes', async (code) => {
    const sessionID = await server.liveSession();
    await setFaults({ kind: 'error', error: code, next: 1 });
    await expectRefused(server, { path: PLAY, body: bet(sessionID) }, code);
  });

  it('without a code is a 500 without one, which any origin may read', async () => {
    await setFaults({ kind: 'error', next: 1 });
    const { status, headers, text } = await call(PLAY, {});
    expect(status).toBe(500);
    expect(JSON.parse(text)).not.toHaveProperty('error');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('x-request-id')).not.toBeNull();
  });
});

it('lost_response: the round is there once, and the same key brings it back', async () => {
  const sessionID = await server.liveSession();
  const key = { 'Idempotency-Key': 'lost' };
  await setFaults({ kind: 'lost_response', path: PLAY, next: 1 });
  await expect(call(PLAY, bet(sessionID), key)).rejects.toThrow();
  expect([await roundsOf(sessionID), await balanceOf(server, sessionID)]).toEqual([1, OPENING - UNIT]);
  expect((await server.post(PLAY, bet(sessionID), key)).status).toBe(200);
  expect([await roundsOf(sessionID), await balanceOf(server, sessionID)]).toEqual([1, OPENING - UNIT]);
});

it('duplicate: a play that is delivered twice at once opens one round', async () => {
  const sessionID = await server.liveSession();
  await server.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays150 });
  await setFaults({ kind: 'duplicate', path: PLAY, next: 1 });
  const { body } = await server.post(PLAY, bet(sessionID), { 'Idempotency-Key': 'twice', 'X-Request-Id': 'twice' });
  expect(body.round.payoutMultiplier).toBe(1.5);
  // The caller's own line, and one of each delivery: the slower may still be on its way.
  await expect.poll(() => server.logLines.filter((line) => line.includes('"requestId":"twice"')).length).toBe(3);
  expect([await roundsOf(sessionID), await balanceOf(server, sessionID)]).toEqual([1, OPENING - UNIT]);
});
