import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { describe, expect, it } from 'vitest';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { type AdminResponse, type TestUser, useTestAdmin } from '../../support/adminServer.ts';
import { addSeamlessOperator, SECRET } from '../../support/seamlessServer.ts';
import { OPERATOR, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const admin = useTestAdmin(server);
const SESSION = 'a-live-session-of-a-test-player';
const BODY = { session: SESSION, gameID: 'fixture', bet: UNIT };

const check = (operator: string, body: object, user: TestUser = { role: 'administrator' }) =>
  admin.as(user).call('checkWallet', { params: { operator }, body });
const linesOf = ({ text }: AdminResponse): any[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the check of a wallet', () => {
  it('has a line for each rule while it runs, and the counts at the end', async () => {
    const wallet = await startFakeWallet({ anyPlayer: true, secret: SECRET });
    try {
      await addSeamlessOperator(server.db, { code: 'acme', url: wallet.url });
      const response = await check('acme', BODY, { role: 'administrator', operator: 'acme' });
      const lines = linesOf(response);
      expect(response.headers.get('content-type')).toMatch('application/x-ndjson');
      const rules = lines.slice(0, -1);
      expect(rules.map(({ kind }) => kind)).toEqual(rules.map(() => 'line'));
      const count = (outcome: string) => rules.filter((line) => line.outcome === outcome).length;
      expect(lines.at(-1)).toEqual({
        ...{ kind: 'result', walletUrl: wallet.url, passed: count('pass') },
        ...{ failed: count('fail'), notTestable: count('not testable') },
      });
      expect(count('pass')).toBeGreaterThan(50);
      expect(response.text).not.toContain(SECRET);
      expect(response.text).not.toContain(SESSION);
      const [event] = await listEvents(server.db, { kind: 'console_action', subject: 'request checkWallet' }, 1);
      expect(event).toMatchObject({ actor: 'user:administrator@acme.example', after: '{"operator":"acme"}' });
    } finally {
      await wallet.close();
    }
  });

  it('asks the wallet for a session when none is given, and says at the field when it has none', async () => {
    const wallet = await startFakeWallet({ anyPlayer: true, secret: SECRET });
    try {
      await addSeamlessOperator(server.db, { code: 'test-sessions', url: wallet.url });
      const { session: _session, ...body } = BODY;
      const rules = linesOf(await check('test-sessions', body));
      expect(rules.find(({ id }) => id === 'authenticate.expired-session')).toMatchObject({ outcome: 'pass' });
      wallet.next('/test-session', { kind: 'response', status: 404, text: '{}' });
      const refused = await check('test-sessions', body);
      expect([refused.status, refused.body.fields]).toEqual([
        ...[400, { session: expect.stringContaining('the wallet has no /test-session (404)') }],
      ]);
    } finally {
      await wallet.close();
    }
  });

  it('shows the exchanges of a rule that fails, without secret and session', async () => {
    const wallet = await startFakeWallet({ anyPlayer: true, secret: 'another secret of thirty-two characters' });
    try {
      await addSeamlessOperator(server.db, { code: 'wrong', url: wallet.url });
      const response = await check('wrong', BODY);
      const failed = linesOf(response).find((line) => line.outcome === 'fail');
      expect(failed.exchanges[0].request).toMatch(/^POST /);
      expect(failed.why).not.toBe('');
      expect(response.text).not.toContain(SECRET);
      expect(response.text).not.toContain(SESSION);
    } finally {
      await wallet.close();
    }
  });

  it('ends with an error when the wallet cannot be reached', async () => {
    await addSeamlessOperator(server.db, { code: 'away', url: 'http://127.0.0.1:1' });
    expect(linesOf(await check('away', BODY))).toEqual([
      { kind: 'error', error: 'ERR_GEN', message: expect.stringContaining('http://127.0.0.1:1 cannot be reached') },
    ]);
  });

  it('reaches the stored wallet only: the body names no address', async () => {
    for (const more of [{ url: 'http://169.254.169.254' }, { walletUrl: 'http://127.0.0.1:5432' }]) {
      expect((await check('away', { ...BODY, ...more })).status).toBe(400);
    }
  });

  it('is refused before a line for the house wallet, another operator, and a body that is not right', async () => {
    await setOperator(server.db, 'other', {});
    expect((await check(OPERATOR, BODY)).status).toBe(400);
    const user: TestUser = { role: 'administrator', operator: 'other' };
    const [foreign, unknown] = [await check('away', BODY, user), await check('none', BODY, user)];
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    const { status, body } = await check('away', { ...BODY, bet: 0, session: '' });
    expect([status, Object.keys(body.fields).sort()]).toEqual([400, ['bet', 'session']]);
  });

  it('of a dialect needs its player and currency', async () => {
    await addSeamlessOperator(server.db, { code: 'dialect', url: 'http://127.0.0.1:1' });
    const dialectSettings = JSON.stringify({ secret: 'k'.repeat(40), secureLogin: 'house', providerId: 'house' });
    await server.db.operator.update({ where: { code: 'dialect' }, data: { dialect: 'pragmatic', dialectSettings } });
    expect((await check('dialect', { ...BODY, session: undefined })).body.fields).toHaveProperty('session');
    expect((await check('dialect', BODY)).body.fields).toHaveProperty('playerID');
    expect((await check('dialect', { ...BODY, playerID: 'p' })).body.fields).toHaveProperty('currency');
    const lines = linesOf(await check('dialect', { ...BODY, playerID: 'p', currency: 'USD' }));
    expect(lines.at(-1)).toMatchObject({ kind: 'error', message: expect.stringContaining('cannot be reached') });
  });
});
