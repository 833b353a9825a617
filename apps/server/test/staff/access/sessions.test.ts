import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import {
  addAuthenticator,
  type Browser,
  PASSWORD,
  startAccessServer,
  useAccessServer,
} from '../../support/accessServer.ts';

const server = useAccessServer();
const MINUTE = "interval '1 minute'";

/** Moves the times of the user's sessions into the past. */
async function age(userID: string, columns: string, minutes: number): Promise<void> {
  const set = columns.split(',').map((column) => `${column} = ${column} - ${minutes} * ${MINUTE}`);
  await server.db.$executeRawUnsafe(`UPDATE console_sessions SET ${set} WHERE user_id = $1`, userID);
}

async function minutesLeft(userID: string): Promise<number> {
  const [row] = await server.db.$queryRaw<{ left: number }[]>`
    SELECT extract(epoch FROM expires_at - now())::float8 / 60 AS left FROM console_sessions WHERE user_id = ${userID}`;
  return Math.round(row?.left ?? -1);
}

async function signedIn(): Promise<{ browser: Browser; userID: string; email: string }> {
  const { userID, email } = await server.addUser();
  const browser = server.browser();
  expect((await browser.signIn(email)).status).toBe(200);
  return { browser, userID, email };
}

describe('the cookie of a session', () => {
  it('is HttpOnly and SameSite=Strict, and carries no data but the signed token', async () => {
    const { email } = await server.addUser();
    const { cookies } = await server.browser().signIn(email);
    // The other one makes the browser a known one: lockout.test.ts.
    expect(cookies).toHaveLength(2);
    expect(cookies.find((each) => each.includes('.session_token'))).toMatch(
      /^roundhouse-console\.session_token=[A-Za-z0-9]{32}\.[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('is Secure, with a prefix that says so, when browsers reach the console by https', async () => {
    const consoleUrl = 'https://console.example';
    const secure = await startAccessServer({ consoleUrl });
    const { email } = await secure.addUser();
    const { statusCode, headers } = await request(`${secure.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { host: 'console.example', origin: consoleUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    await secure.close();
    expect(statusCode).toBe(200);
    for (const cookie of [headers['set-cookie']].flat())
      expect(cookie).toMatch(/^__Secure-roundhouse-console\.[\w-]+=.*; HttpOnly; Secure; SameSite=Strict$/);
  });

  it('with another signature begins no session', async () => {
    const { browser } = await signedIn();
    const name = browser.sessionCookie() ?? '';
    const [token] = decodeURIComponent(browser.cookies.get(name) ?? '').split('.');
    browser.cookies.set(name, encodeURIComponent(`${token}.${Buffer.alloc(32, 7).toString('base64')}`));
    expect((await browser.account()).status).toBe(401);
    browser.cookies.set(name, token ?? '');
    expect((await browser.account()).status).toBe(401);
  });
});

describe('a session', () => {
  it('ends after half an hour without a request of its user', async () => {
    const { browser, userID } = await signedIn();
    expect(await minutesLeft(userID)).toBe(30);
    await age(userID, 'expires_at', 29);
    expect((await browser.account()).status).toBe(200);
    expect(await minutesLeft(userID)).toBe(30);
    await age(userID, 'expires_at', 31);
    expect((await browser.account()).status).toBe(401);
    expect((await browser.get('/api/auth/get-session')).body).toBeNull();
  });

  it('is not kept alive by requests in the background', async () => {
    const { browser, userID } = await signedIn();
    await age(userID, 'expires_at', 20);
    expect((await browser.get('/admin/account', { 'x-background': '1' })).status).toBe(200);
    expect((await browser.get('/api/auth/get-session')).body.user.id).toBe(userID);
    expect(await minutesLeft(userID)).toBe(10);
    await browser.account();
    expect(await minutesLeft(userID)).toBe(30);
  });

  it('ends at a fixed age, whatever its user does', async () => {
    const { browser, userID } = await signedIn();
    await age(userID, 'created_at', 11 * 60 + 50);
    await age(userID, 'expires_at', 15);
    expect((await browser.account()).status).toBe(200);
    expect(await minutesLeft(userID)).toBe(10);
    await age(userID, 'created_at', 11);
    expect((await browser.account()).status).toBe(401);
  });

  it('tells the page its latest end', async () => {
    const { browser } = await signedIn();
    const { body } = await browser.account();
    const hours = (Date.parse(body.sessionEndsAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
  });
});

describe('attacks on sessions', () => {
  it('a stolen cookie is worth nothing after the sign-out', async () => {
    const { browser, email } = await signedIn();
    const thief = server.browser();
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect((await thief.account()).status).toBe(200);
    expect((await browser.signOut()).status).toBe(200);
    expect(browser.sessionCookie()).toBeUndefined();
    expect((await thief.account()).status).toBe(401);
    expect(await server.events({ kind: 'signed_out', subject: email })).toMatchObject([{ actor: `user:${email}` }]);
  });

  it('a sign-in never takes the session that the browser came with', async () => {
    const attacker = await signedIn();
    const victim = await server.addUser();
    const browser = server.browser();
    const name = attacker.browser.sessionCookie() ?? '';
    const planted = attacker.browser.cookies.get(name) ?? '';
    browser.cookies.set(name, planted);
    await browser.signIn(victim.email);
    expect(browser.cookies.get(name)).not.toBe(planted);
    expect((await browser.account()).body.email).toBe(victim.email);
    expect((await attacker.browser.account()).body.email).toBe(attacker.email);
  });

  it('a token that somebody has made up begins no session', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    browser.cookies.set('roundhouse-console.session_token', `${'a'.repeat(32)}.${'b'.repeat(43)}%3D`);
    await browser.signIn(email);
    const value = decodeURIComponent(browser.cookies.get('roundhouse-console.session_token') ?? '');
    expect(value.startsWith('a'.repeat(32))).toBe(false);
  });

  it('a new second factor gives the session a new token', async () => {
    const { browser } = await signedIn();
    const before = browser.cookies.get(browser.sessionCookie() ?? '');
    await addAuthenticator(browser);
    expect(browser.cookies.get(browser.sessionCookie() ?? '')).not.toBe(before);
    const thief = server.browser();
    thief.cookies.set(browser.sessionCookie() ?? '', before ?? '');
    expect((await thief.account()).status).toBe(401);
  });
});

describe('own sessions', () => {
  it('are listed, and one is ended', async () => {
    const { browser, email } = await signedIn();
    const other = server.browser({ 'user-agent': 'Other/1.0' });
    await other.signIn(email);
    const { body } = await browser.get('/admin/account/sessions');
    expect(body.items).toHaveLength(2);
    expect(body.items.map((each: { isCurrent: boolean }) => each.isCurrent).sort()).toEqual([false, true]);
    const theirs = body.items.find((each: { isCurrent: boolean }) => !each.isCurrent);
    expect(theirs).toMatchObject({ userAgent: 'Other/1.0', address: '127.0.0.1' });
    expect(JSON.stringify(body)).not.toContain('token');
    expect(await browser.post(`/admin/account/sessions/${theirs.sessionID}/end`)).toMatchObject({
      status: 200,
      body: { ended: 1 },
    });
    expect((await other.account()).status).toBe(401);
    expect((await browser.account()).status).toBe(200);
    expect(await server.events({ kind: 'session_ended', subject: email })).toMatchObject([{ after: { sessions: 1 } }]);
  });

  it('of another user are not there', async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    const { body } = await two.browser.get('/admin/account/sessions');
    const { status } = await one.browser.post(`/admin/account/sessions/${body.items[0].sessionID}/end`);
    expect(status).toBe(404);
    expect((await two.browser.account()).status).toBe(200);
  });
});

describe('a change of the password', () => {
  it('ends every other session, and needs the old one', async () => {
    const { browser, email } = await signedIn();
    const other = server.browser();
    await other.signIn(email);
    const newPassword = 'another long password';
    const wrong = { currentPassword: 'not the password', newPassword, revokeOtherSessions: false };
    expect((await browser.post('/api/auth/change-password', wrong)).status).toBe(400);
    expect((await other.account()).status).toBe(200);
    const right = { currentPassword: PASSWORD, newPassword, revokeOtherSessions: false };
    expect((await browser.post('/api/auth/change-password', right)).status).toBe(200);
    expect((await other.account()).status).toBe(401);
    expect((await browser.account()).status).toBe(200);
    expect((await server.browser().signIn(email)).status).toBe(401);
    expect((await server.browser().signIn(email, newPassword)).status).toBe(200);
    expect(await server.events({ kind: 'password_changed', subject: email })).toMatchObject([
      { after: { by: 'a link' } },
      { actor: `user:${email}`, after: { by: 'the user' } },
    ]);
  });

  it.each(['short', 'x'.repeat(11), 'x'.repeat(129)])('refuses %s', async (newPassword) => {
    const { browser } = await signedIn();
    const { status } = await browser.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword });
    expect(status).toBe(400);
  });
});
