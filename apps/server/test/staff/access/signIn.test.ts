import { scryptSync } from 'node:crypto';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ACCESS } from '../../../src/staff/access/accessOptions.ts';
import { openBrowser, PASSWORD, startAccessServer, useAccessServer } from '../../support/accessServer.ts';
import { freePort } from '../../support/roundhouse.ts';

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

describe('the names of this machine', () => {
  const at = (name: string) => server.url.replace('localhost', name);

  it.each(['localhost', '127.0.0.1'])('each let a user in: %s', async (name) => {
    const { email } = await server.addUser();
    const browser = openBrowser(at(name));
    // A request with cookies is checked for its origin once more.
    browser.cookies.set('some', 'cookie');
    expect((await browser.signIn(email)).status).toBe(200);
    expect((await browser.account()).status).toBe(200);
  });

  it('lead a browser that opens a page to the name of the console', async () => {
    // `fetch` writes this header itself.
    const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' };
    const open = async (url: string) => {
      const { statusCode, headers: sent, body } = await request(url, { headers });
      await body.dump();
      return [statusCode, sent.location];
    };
    expect(await open(`${at('127.0.0.1')}/welcome?token=1`)).toEqual([307, `${server.url}/welcome?token=1`]);
    expect(await open(`${server.url}/welcome?token=1`)).toEqual([200, undefined]);
    expect(await open(`${at('127.0.0.1')}/admin/account`)).toEqual([401, undefined]);
  });

  it('say where to sign in when the console has another address', async () => {
    const proxied = await startAccessServer({ consoleUrl: `https://console.example:${await freePort()}` });
    const { email } = await proxied.addUser();
    const refused = await openBrowser(proxied.url).signIn(email);
    await proxied.close();
    const message = expect.stringMatching(/^Sign in at https:\/\/console\.example:\d+: /);
    expect(refused).toMatchObject({ status: 403, body: { code: 'OTHER_ADDRESS', message }, cookies: [] });
  });
});

it('a password is stored as a slow hash with its own salt', async () => {
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
