import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ACCESS } from '../../../src/adminApi/access/accessOptions.ts';
import { PASSWORD, useAccessServer } from '../../support/accessServer.ts';

const server = useAccessServer({ passwordHashing: DEFAULT_ACCESS.passwordHashing });

describe('a sign-in with a password', () => {
  it('begins a session that the admin API takes, and records it', async () => {
    const { email } = await server.addUser({ role: 'finance', name: 'Fin' });
    const browser = server.browser();
    expect((await browser.account()).status).toBe(401);
    const { status, cookies } = await browser.signIn(email);
    expect(status).toBe(200);
    expect(cookies.join()).toMatch(/HttpOnly/);
    expect(await browser.account()).toMatchObject({
      status: 200,
      body: { email, role: 'finance', name: 'Fin', operator: null, hasSecondFactor: false },
    });
    expect(await server.events({ kind: 'signed_in', subject: email })).toEqual([
      {
        ...{ actor: `user:${email}`, kind: 'signed_in', subject: `user ${email}`, before: null },
        after: { method: 'password', address: '127.0.0.1' },
      },
    ]);
  });

  it('is refused with a wrong password, and recorded', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    expect(await browser.signIn(email, `${PASSWORD}!`)).toMatchObject({
      status: 401,
      body: { code: 'INVALID_EMAIL_OR_PASSWORD' },
    });
    expect(browser.cookies.size).toBe(0);
    expect(await server.events({ kind: 'sign_in_failed', subject: email })).toMatchObject([{ actor: `user:${email}` }]);
  });
});

it('a password is stored as a slow hash with a salt of its own', async () => {
  const users = [await server.addUser(), await server.addUser()];
  const accounts = await server.db.consoleAccount.findMany({
    where: { userId: { in: users.map(({ userID }) => userID) } },
  });
  const parts = accounts.map(({ password }) => password?.split(':') ?? []);
  expect(new Set(parts.map(([salt]) => salt)).size).toBe(2);
  // It takes 32 MB of memory: docs/decisions/028-console-users.md.
  const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
  for (const [salt = '', key] of parts) expect(scryptSync(PASSWORD, salt, 64, cost).toString('hex')).toBe(key);
});
