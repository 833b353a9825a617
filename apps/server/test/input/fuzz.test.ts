import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sessionInRound, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { expectNoErrorLogged } from '../support/expectExactly.ts';
import { anyBody, anyHeaders } from '../support/fuzzArbitraries.ts';
import { expectBooksBalance } from '../support/testServer.ts';

const RUNS = 300;

// Every answer is held against the contract's schemas by the client itself.
const server = useCheckedServer();
let sessionID: string;
beforeAll(async () => {
  sessionID = await sessionInRound(server);
});

type Fuzzed = { path: string; good: object; statuses: readonly number[]; prepare?: () => Promise<unknown> };

/** Arbitrary calls to one path: only these statuses, the contract's body, and a server that serves on. */
async function fuzz({ path, good, statuses, prepare = async () => {} }: Fuzzed): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyBody(good), anyHeaders, async (body, headers) => {
      await prepare();
      const { status, text } = await server.post(path, body, headers);
      expect(statuses, text).toContain(status);
    }),
    { numRuns: RUNS },
  );
  await prepare();
  expect((await server.post(path, good)).status).toBe(200);
  expectNoErrorLogged(server);
  await expectBooksBalance(server.db);
}

describe('whatever comes in, it is answered within the contract', () => {
  test.each([
    ['/wallet/authenticate', {}],
    ['/wallet/balance', {}],
    ['/bet/event', { event: 'picked:1' }],
    ['/wallet/end-round', {}],
  ])('%s', async (path, more) => {
    await fuzz({ path, good: { sessionID, ...more }, statuses: [200, 400] });
  });

  test('/wallet/play', async () => {
    const good = { sessionID, amount: UNIT, mode: 'BASE' };
    // Each run finds the player free to play.
    const prepare = () => server.post('/wallet/end-round', { sessionID });
    await fuzz({ path: '/wallet/play', good, statuses: [200, 400], prepare });
  });

  test.each([
    [
      '/session/start',
      { currency: 'EUR', language: 'fi', device: 'mobile', social: true, balance: UNIT, token: 'fuzz', country: 'FI' },
    ],
    ['/game/search', { mode: 'BASE', search: { bookID: 2 } }],
    ['/game/force', { mode: 'BASE', bookID: 2 }],
  ])('%s', async (path, more) => {
    await fuzz({ path, good: { ...(path !== '/session/start' && { sessionID }), ...more }, statuses: [200, 400, 404] });
  });
});
