import { ADMIN_ROUTES, type AdminRoute, type AdminRouteName, ROLES } from '@roundhouse/contract/admin-routes';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { useTestAdmin } from '../../support/adminServer.ts';
import { OPERATOR, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const admin = useTestAdmin(server);
const NAMES = Object.keys(ADMIN_ROUTES) as AdminRouteName[];
const PARAMS = { betID: 1, operator: 'nobody', playerID: 'nobody', transactionID: '-', gameID: 'none', version: '0' };
const MORE_PARAMS = { table: 'none', campaignID: 'none', grantID: 'none', userID: 'none', approvalID: 0 };

/**
 * An empty body and unknown names: a request with the right is refused later, and never with 403.
 */
const send = (name: AdminRouteName, user: { role: (typeof ROLES)[number]; operator?: string }) =>
  admin.as(user).call(name, { params: { ...PARAMS, ...MORE_PARAMS } });

describe('the table of rights', () => {
  it.each(NAMES.filter((name) => name !== 'watchOverview'))('holds for each role and both scopes: %s', async (name) => {
    const { roles, scope }: AdminRoute = ADMIN_ROUTES[name];
    for (const role of ROLES) {
      for (const operator of [undefined, OPERATOR]) {
        const { status } = await send(name, { role, ...(operator !== undefined && { operator }) });
        const isAllowed = roles.includes(role) && (operator === undefined || scope === 'operator');
        expect({ name, role, operator, isRefused: status === 403 }).toEqual({
          name,
          role,
          operator,
          isRefused: !isAllowed,
        });
        expect([200, 400, 403, 404], `${name} ${role} ${operator}: ${status}`).toContain(status);
      }
    }
  });

  it('refuses every request without a session', async () => {
    for (const name of NAMES) {
      const { method, path } = ADMIN_ROUTES[name];
      const { status } = await admin.send(path, { method });
      expect({ name, status }).toEqual({ name, status: 401 });
    }
  });

  it('makes a refused request an event with the user as actor', async () => {
    await send('voidRound', { role: 'viewer' });
    const [event] = await listEvents(server.db, { kind: 'access_refused', subject: 'request voidRound' }, 1);
    expect(event).toMatchObject({ actor: 'user:viewer@server.example', after: expect.stringContaining('"betID":"1"') });
  });
});

describe('a request of another page', () => {
  it.each([
    ['without Origin', { origin: '' }],
    ['with the Origin of another page', { origin: 'https://evil.example' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused before anything is read: %s', async (_name, headers) => {
    const { status } = await admin.as({ role: 'administrator' }).call('voidRound', { params: { betID: 1 }, headers });
    expect(status).toBe(403);
  });

  it('is refused when it names the server by another host', async () => {
    const { statusCode, body } = await request(`${admin.url}/admin/account`, { headers: { host: 'rebound.example' } });
    expect([statusCode, await body.text()]).toEqual([403, expect.stringContaining('another address')]);
  });
});
