import { describe, expect, it } from 'vitest';
import { PASSWORD, useAccessServer } from '../../support/accessServer.ts';

const server = useAccessServer();

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
