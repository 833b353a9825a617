import { beforeAll, expect, it } from 'vitest';
import { launchBody, useOperators } from '../operators/api/operatorClient.ts';
import { useTestServer } from '../support/testServer.ts';

const server = useTestServer();
const { house, seamless } = useOperators(server);

/** Counts the statements of a request by wrapping the pool that the server uses. */
const sent: string[] = [];
beforeAll(() => {
  const { pool } = server.db;
  const query = pool.query.bind(pool) as (...all: unknown[]) => unknown;
  pool.query = ((...all: [string | { text: string }]) => {
    sent.push(typeof all[0] === 'string' ? all[0] : all[0].text);
    return query(...all);
  }) as typeof pool.query;
});

const ofFleet = () =>
  sent.filter((text) => /FROM cell\b|moved_to AS/.test(text) && !text.includes('INSERT INTO players'));

it.each([
  ['the house wallet', house],
  ['a wallet of its own', seamless],
])(
  'without a fleet no request of an operator with %s reads the table cell, and no response has a header of it',
  async (_, operator) => {
    const client = await operator();
    await client.games();
    sent.length = 0;
    const { status, headers, body } = await client.launch(launchBody({ playerID: 'anna' }));
    expect(status).toBe(200);
    await client.playerRounds('anna');
    await client.endSessions({ playerID: 'anna' });
    await client.grants({ playerID: 'anna' });
    expect(sent.length).toBeGreaterThan(5);
    expect(ofFleet()).toEqual([]);
    expect([...headers.keys()].filter((name) => name.startsWith('roundhouse'))).toEqual([]);
    expect(body.sessionID).toMatch(new RegExp(`^${client.code}:[\\w-]{32}$`));
  },
);

it('a seamless launch that names its player stores no player before the session authenticates', async () => {
  const client = await seamless();
  await client.launch(launchBody({ playerID: 'bert' }));
  expect(await server.db.player.count({ where: { externalId: 'bert' } })).toBe(0);
});
