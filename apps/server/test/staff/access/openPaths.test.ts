import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_ACCESS } from '../../../src/staff/access/accessOptions.ts';
import { makeAuth } from '../../../src/staff/access/auth.ts';
import { openPaths } from '../../../src/staff/access/openPaths.ts';
import { type Browser, PASSWORD, useAccessServer } from '../../support/accessServer.ts';

const server = useAccessServer();

/** Paths of the library that are closed, each because nobody has a use for it. */
const CLOSED = [
  '/account-info',
  '/callback/:id',
  '/change-email',
  '/delete-user',
  '/delete-user/callback',
  '/error',
  '/get-access-token',
  '/link-social',
  '/list-accounts',
  '/list-sessions',
  '/ok',
  '/refresh-token',
  '/request-password-reset',
  '/reset-password/:token',
  '/revoke-other-sessions',
  '/revoke-session',
  '/revoke-sessions',
  '/send-verification-email',
  '/sign-in/social',
  '/sign-up/email',
  '/two-factor/get-totp-uri',
  '/two-factor/send-otp',
  '/two-factor/verify-otp',
  '/unlink-account',
  '/update-session',
  '/verify-email',
  '/verify-password',
];

describe('the paths of the library for accounts', () => {
  it('are open or closed, each by a decision', () => {
    const secrets = [{ version: 1, value: 'x'.repeat(43) }];
    const options = { ...DEFAULT_ACCESS, consoleUrl: server.url };
    const auth = makeAuth({ db: server.db, log: pino({ level: 'silent' }), secrets, options, hasProvider: false });
    const paths = Object.values(auth.api as unknown as Record<string, { path?: string }>).flatMap(
      ({ path }) => path ?? [],
    );
    const open = openPaths(undefined).map((each) => each.split(' ')[1] ?? '');
    expect([...new Set(paths)].sort()).toEqual([...new Set([...open, ...CLOSED])].sort());
  });

  let browser: Browser;
  beforeAll(async () => {
    browser = server.browser();
    await browser.signIn((await server.addUser()).email);
  });
  it.each(CLOSED)('%s is closed', async (path) => {
    const address = `/api/auth${path.replace(/:\w+/, 'oidc')}`;
    expect((await browser.post(address, {})).status).toBe(404);
    expect((await browser.get(address)).status).toBe(404);
    expect((await browser.post(`${address}/`, {})).status).toBe(404);
    expect((await browser.account()).status).toBe(200);
  });

  it('are closed to other methods, and to other spellings', async () => {
    const browser = server.browser();
    for (const path of ['/api/auth/sign-up/email', '/api/auth//sign-up/email', '/api/auth/%73ign-up/email']) {
      const body = { email: 'new@example.com', password: PASSWORD, name: 'New' };
      expect((await browser.post(path, body)).status).toBe(404);
    }
    expect((await browser.send('PUT', '/api/auth/sign-out', { headers: { origin: server.url } })).status).toBe(404);
    expect(await server.db.consoleUser.count({ where: { email: 'new@example.com' } })).toBe(0);
  });
});

describe('a request to sign in from another page', () => {
  it.each([
    ['with its Origin', { origin: 'https://evil.example' }],
    ['without Origin', { origin: '' }],
    ['with the Origin of no page', { origin: 'null' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused: %s', async (_name, headers) => {
    const { email } = await server.addUser();
    const browser = server.browser();
    const refused = await browser.post('/api/auth/sign-in/email', { email, password: PASSWORD }, headers);
    expect(refused).toMatchObject({ status: 403, cookies: [] });
    await browser.signIn(email);
    expect((await browser.post('/api/auth/sign-out', {}, headers)).status).toBe(403);
    expect((await browser.account()).status).toBe(200);
  });

  it('is refused as a form', async () => {
    const { email } = await server.addUser();
    const form = new URLSearchParams({ email, password: PASSWORD }).toString();
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
      const response = await server.browser().post('/api/auth/sign-in/email', form, { 'content-type': type });
      expect(response).toMatchObject({ status: 400, cookies: [] });
    }
  });
});

describe('what a client sends', () => {
  it.each<[string, object | string]>([
    ['no JSON', '{'],
    ['an array', []],
    ['a number', '1'],
    ['no members', {}],
    ['members of other types', { email: 1, password: {} }],
    ['an email that is none', { email: 'nobody', password: PASSWORD }],
    ['a password that is too long', { email: 'a@example.com', password: 'x'.repeat(10_000) }],
    ['a character that cannot be stored', { email: 'a@example.com', password: 'a\0b' }],
    ['members with dangerous names', '{"__proto__":{"email":"a@example.com"},"constructor":1}'],
    ['a text that is too long', { email: 'a@example.com', password: 'x'.repeat(100_000) }],
  ])('is refused as malformed: %s', async (_name, body) => {
    const { status, cookies } = await server.browser().post('/api/auth/sign-in/email', body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(cookies).toEqual([]);
  });

  it.each(openPaths(undefined))('causes no error of the server: %s', async (each) => {
    const { email } = await server.addUser();
    const [method = '', path = ''] = each.split(' ');
    for (const isSignedIn of [false, true]) {
      const browser = server.browser();
      if (isSignedIn) await browser.signIn(email);
      browser.cookies.set('roundhouse-console.two_factor', 'x.y');
      for (const body of [
        {},
        { code: '1', token: '\ud800', name: 'x'.repeat(500), id: 'none', response: { id: 'x' } },
      ]) {
        const options = method === 'POST' ? { body } : {};
        const query = method === 'GET' ? '?state=%ff&disableRefresh=x&a[b]=c' : '';
        const { status } = await browser.send(method, `/api/auth${path}${query}`, options);
        expect(status).toBeLessThan(500);
      }
    }
  });
});

describe('a user', () => {
  it('changes the own name, and nothing else of the own row', async () => {
    const { email } = await server.addUser({ role: 'viewer', operator: 'acme' });
    const browser = server.browser();
    await browser.signIn(email);
    for (const more of [
      { role: 'administrator' },
      { operatorId: null },
      { disabled: false },
      { email: 'other@example.com' },
      { emailVerified: true },
      { twoFactorEnabled: true },
      { image: 'https://evil.example/x.png' },
    ]) {
      expect((await browser.post('/api/auth/update-user', { name: 'Mallory', ...more })).status).toBe(400);
    }
    expect((await browser.post('/api/auth/update-user', { name: 'x'.repeat(101) })).status).toBe(400);
    expect((await browser.post('/api/auth/update-user', { name: 'Ann' })).status).toBe(200);
    expect((await browser.account()).body).toMatchObject({ email, role: 'viewer', operator: 'acme', name: 'Ann' });
    expect((await server.events({ kind: 'user_changed', subject: email })).at(-1)).toEqual({
      ...{ actor: `user:${email}`, kind: 'user_changed', subject: `user ${email}` },
      ...{ before: { name: expect.any(String) }, after: { name: 'Ann' } },
    });
  });
});

it('tells the page what it offers before a sign-in', async () => {
  expect((await server.browser().get('/api/auth/methods')).body).toEqual({ passwords: true, singleSignOn: null });
});
