import { describe, expect, it } from 'vitest';
import { addAuthenticator, type Browser, codeOf, PASSWORD, useAccessServer } from '../../support/accessServer.ts';

const server = useAccessServer();

async function withAuthenticator() {
  const { email, userID } = await server.addUser();
  const browser = server.browser();
  await browser.signIn(email);
  return { email, userID, browser, ...(await addAuthenticator(browser)) };
}

const verify = (browser: Browser, code: string, more: object = {}) =>
  browser.post('/api/auth/two-factor/verify-totp', { code, ...more });
const recover = (browser: Browser, code: string, more: object = {}) =>
  browser.post('/api/auth/two-factor/verify-backup-code', { code, ...more });

describe('an authenticator app', () => {
  it('is requested after the password, and only then there is a session', async () => {
    const { email, secret } = await withAuthenticator();
    const browser = server.browser();
    const { body } = await browser.signIn(email);
    expect(body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
    expect(browser.sessionCookie()).toBeUndefined();
    expect((await browser.account()).status).toBe(401);
    expect(await server.events({ kind: 'signed_in', subject: email })).toHaveLength(1);
    expect((await verify(browser, await codeOf(secret))).status).toBe(200);
    expect((await browser.account()).body).toMatchObject({ email, hasSecondFactor: true });
    expect((await server.events({ kind: 'signed_in', subject: email })).at(-1)).toMatchObject({
      after: { method: 'password and code' },
    });
  });

  it('is an event with the user as actor, and so is its end', async () => {
    const { email, browser } = await withAuthenticator();
    expect((await browser.post('/api/auth/two-factor/disable', { password: PASSWORD })).status).toBe(200);
    expect(await server.events({ kind: 'second_factor_changed', subject: email })).toEqual([
      expect.objectContaining({ actor: `user:${email}`, after: { authenticator: true } }),
      expect.objectContaining({
        actor: `user:${email}`,
        before: { authenticator: true },
        after: { authenticator: false },
      }),
    ]);
    expect((await server.browser().signIn(email)).body.user.email).toBe(email);
    const changes = await server.events({ kind: 'user_changed', subject: email });
    expect(changes.slice(1)).toMatchObject([
      { actor: `user:${email}`, before: { two_factor_enabled: false }, after: { two_factor_enabled: true } },
      { actor: `user:${email}`, before: { two_factor_enabled: true }, after: { two_factor_enabled: false } },
    ]);
  });

  it('holds a code once: not for a second sign-in, and not for the owner beside a thief', async () => {
    const { email, secret } = await withAuthenticator();
    const [owner, thief] = [server.browser(), server.browser()];
    await owner.signIn(email);
    await thief.signIn(email);
    const code = await codeOf(secret);
    expect((await verify(owner, code)).status).toBe(200);
    expect((await verify(thief, code)).status).toBe(401);
    expect((await thief.account()).status).toBe(401);
    // The codes of earlier steps are over as well.
    expect((await verify(thief, await codeOf(secret, 0))).status).toBe(401);
  });

  it('holds a code once also when it comes several times at once', async () => {
    const { email, secret } = await withAuthenticator();
    const browsers = await Promise.all(
      [1, 2, 3].map(async () => {
        const browser = server.browser();
        await browser.signIn(email);
        return browser;
      }),
    );
    const code = await codeOf(secret);
    const statuses = await Promise.all(browsers.map(async (browser) => (await verify(browser, code)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  it('cannot be left out by a device that asks to be trusted', async () => {
    const { email, secret } = await withAuthenticator();
    const browser = server.browser();
    await browser.signIn(email);
    expect((await verify(browser, await codeOf(secret), { trustDevice: true })).status).toBe(400);
    expect((await verify(browser, await codeOf(secret))).status).toBe(200);
    expect([...browser.cookies.keys()].join()).not.toContain('trust');
    expect((await browser.signIn(email)).body.twoFactorRedirect).toBe(true);
  });

  it('is not a way in without the password', async () => {
    const { secret } = await withAuthenticator();
    expect((await verify(server.browser(), await codeOf(secret))).status).toBe(401);
  });

  it('has its secret and its recovery codes encrypted in the database', async () => {
    const { userID, secret, recoveryCodes } = await withAuthenticator();
    const row = await server.db.consoleTwoFactor.findUniqueOrThrow({ where: { userId: userID } });
    expect(row.secret).not.toContain(secret);
    for (const code of recoveryCodes) expect(row.backupCodes).not.toContain(code);
  });

  it('does not enter the log with its secret', async () => {
    const { email, secret } = await withAuthenticator();
    expect(JSON.stringify(await server.events({ subject: email }))).not.toContain(secret);
  });
});

describe('a recovery code', () => {
  it('holds once', async () => {
    const { email, recoveryCodes } = await withAuthenticator();
    expect(recoveryCodes).toHaveLength(10);
    const [code = ''] = recoveryCodes;
    const browser = server.browser();
    await browser.signIn(email);
    expect((await recover(browser, code)).status).toBe(200);
    expect((await browser.account()).body.email).toBe(email);
    const again = server.browser();
    await again.signIn(email);
    expect((await recover(again, code)).status).toBe(401);
    expect((await again.account()).status).toBe(401);
    expect((await server.events({ kind: 'signed_in', subject: email })).at(-1)?.after).toMatchObject({
      method: 'password and recovery code',
    });
  });

  it('holds once also when it comes several times at once', async () => {
    const { email, recoveryCodes } = await withAuthenticator();
    const browsers = await Promise.all(
      [1, 2, 3].map(async () => {
        const browser = server.browser();
        await browser.signIn(email);
        return browser;
      }),
    );
    const [code = ''] = recoveryCodes;
    const statuses = await Promise.all(browsers.map(async (browser) => (await recover(browser, code)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  it('is replaced by new ones with the password only', async () => {
    const { browser, recoveryCodes, email } = await withAuthenticator();
    const path = '/api/auth/two-factor/generate-backup-codes';
    expect((await browser.post(path, { password: 'not the password' })).status).toBe(400);
    const { body } = await browser.post(path, { password: PASSWORD });
    expect(body.backupCodes).toHaveLength(10);
    const other = server.browser();
    await other.signIn(email);
    expect((await recover(other, recoveryCodes[0] ?? '')).status).toBe(401);
    expect((await recover(other, body.backupCodes[0])).status).toBe(200);
  });
});

describe('a passkey', () => {
  it('is offered for the name of the console, and the device must verify its user', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    await browser.signIn(email);
    const { status, body } = await browser.get('/api/auth/passkey/generate-register-options');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      rp: { id: 'localhost', name: 'Roundhouse console' },
      user: { name: email },
      authenticatorSelection: { userVerification: 'required' },
    });
    expect((await browser.get('/api/auth/passkey/list-user-passkeys')).body).toEqual([]);
  });

  it('is added soon after a sign-in only', async () => {
    const { email, userID } = await server.addUser();
    const browser = server.browser();
    await browser.signIn(email);
    await server.db
      .$executeRaw`UPDATE console_sessions SET created_at = now() - interval '16 minutes' WHERE user_id = ${userID}`;
    expect(await browser.get('/api/auth/passkey/generate-register-options')).toMatchObject({
      status: 403,
      body: { code: 'SESSION_NOT_FRESH' },
    });
  });

  it('signs in with a challenge of the server only; another try is an event', async () => {
    const browser = server.browser();
    const { status, body } = await browser.get('/api/auth/passkey/generate-authenticate-options');
    expect(status).toBe(200);
    expect(body.challenge).toMatch(/^[\w-]{32,}$/);
    const response = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {}, clientExtensionResults: {} };
    expect((await browser.post('/api/auth/passkey/verify-authentication', { response })).status).toBe(401);
    expect((await server.events({ kind: 'sign_in_failed' })).at(-1)).toMatchObject({
      ...{ actor: 'unknown', subject: 'console' },
      after: { method: 'passkey' },
    });
    const none = await server.browser().post('/api/auth/passkey/verify-authentication', { response });
    expect(none.status).toBe(400);
  });
});

describe('a server with --second-factor', () => {
  const strict = useAccessServer({ secondFactor: true });

  it('opens nothing but the account to a password alone, and marks the user', async () => {
    const { email } = await strict.addUser({ role: 'administrator' });
    const browser = strict.browser();
    await browser.signIn(email);
    expect((await browser.account()).body).toMatchObject({ mustAddAuthenticator: true, hasAuthenticator: false });
    expect((await browser.get('/admin/account/sessions')).status).toBe(200);
    expect(await browser.get('/admin/users')).toMatchObject({
      status: 403,
      body: { error: 'ERR_VAL', message: 'add an authenticator app to your account first' },
    });
    expect(await strict.events({ kind: 'access_refused', subject: 'request listUsers' })).toHaveLength(1);
    await addAuthenticator(browser);
    expect((await browser.account()).body).toMatchObject({ mustAddAuthenticator: false, hasAuthenticator: true });
    const other = await strict.addUser();
    await strict.browser().signIn(other.email);
    const { items } = (await browser.get('/admin/users')).body;
    const marks = items.map((user: { email: string; passwordAlone: boolean }) => [user.email, user.passwordAlone]);
    expect(Object.fromEntries(marks)).toEqual({ [email]: false, [other.email]: true });
  });
});
