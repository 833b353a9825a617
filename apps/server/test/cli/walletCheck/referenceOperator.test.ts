import { expect, it } from 'vitest';
import { OPERATOR_CODE, startOperator } from '../../proofs/chaos/processes.ts';
import { api } from '../../proofs/chaos/simulate.ts';
import { secretFile, succeed } from '../../support/roundhouse.ts';
import { addSeamlessOperator, SECRET } from '../../support/seamlessServer.ts';
import { useTestServer } from '../../support/testServer.ts';

const server = useTestServer();

it('the reference operator passes whole, with its faults switched off', async () => {
  const operator = await startOperator({ databaseUrl: server.databaseUrl, rgsUrl: server.url, secret: SECRET });
  try {
    const url = `${operator.url}/wallet`;
    await addSeamlessOperator(server.db, { code: OPERATOR_CODE, url });
    await api(operator, 'POST', '/api/players', { playerID: 'checked', currency: 'USD' });
    const launch = { playerID: 'checked', gameID: 'fixture', currency: 'USD' };
    const { sessionID } = await api<{ sessionID: string }>(operator, 'POST', '/api/launch', launch);
    const session = ['--session', sessionID, '--game', 'fixture', '--free-rounds'];
    const report = await succeed(['wallet-check', url, '--secret-file', await secretFile(SECRET), ...session]);
    expect(report).toMatch(/\n[7-9]\d passed, 0 failed, \d not testable/);
  } finally {
    await operator.kill();
  }
});
