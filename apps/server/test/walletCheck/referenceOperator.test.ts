import path from 'node:path';
import { expect, it } from 'vitest';
import { OPERATOR_CODE, startNode, startOperator } from '../chaos/processes.ts';
import { api } from '../chaos/simulate.ts';
import { createTestDatabase } from '../support/database.ts';
import { writeFixtureGame } from '../support/fixtureGame.ts';
import { secretFile, succeed } from '../support/roundhouse.ts';

const SECRET = 'the-secret-of-the-reference-operator-for-this-test';

it('the reference operator passes whole, with its faults switched off', async () => {
  const [database, game] = await Promise.all([createTestDatabase(), writeFixtureGame()]);
  const env = { DATABASE_URL: database.url };
  const games = path.dirname(game.folder);
  const server = await startNode({ databaseUrl: database.url, games, data: game.storeFolder });
  const operator = await startOperator({ databaseUrl: database.url, rgsUrl: server.url, secret: SECRET });
  try {
    const wallet = `${operator.url}/wallet`;
    const signing = ['--secret-file', await secretFile(SECRET)];
    await succeed(['operator', 'add', OPERATOR_CODE, '--wallet-url', wallet, ...signing], { env });
    await api(operator, 'POST', '/api/players', { playerID: 'checked', currency: 'USD' });
    const launch = { playerID: 'checked', gameID: 'fixture', currency: 'USD' };
    const { sessionID } = await api<{ sessionID: string }>(operator, 'POST', '/api/launch', launch);
    const report = await succeed(['wallet-check', wallet, ...signing, '--session', sessionID, '--game', 'fixture']);
    expect(report).toMatch(/\n[5-9]\d passed, 0 failed, \d not testable/);
  } finally {
    await operator.kill();
    await server.kill();
    await database.drop();
    await game.remove();
  }
});
