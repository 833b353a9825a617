import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { decodeJwt, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessServer,
  type Browser,
  openBrowser,
  PASSWORD,
  startAccessServer,
} from '../../support/accessServer.ts';
import { CLIENT_ID, CLIENT_SECRET, type OidcServer, startOidcServer } from '../../support/oidcServer.ts';
import { freePort } from '../../support/roundhouse.ts';

let provider: OidcServer;
let server: AccessServer;

beforeAll(async () => {
  const consoleUrl = `http://localhost:${await freePort()}`;
  provider = await startOidcServer({ redirectUri: `${consoleUrl}/api/auth/callback/oidc` });
  server = await startAccessServer({ consoleUrl, oidc: oidcOf(provider) });
});
afterAll(async () => {
  await server?.close();
  await provider?.close();
});
beforeEach(() => {
  provider.state.changeTokens = undefined;
  provider.state.changeUserInfo = undefined;
});

function oidcOf({ discoveryUrl }: Pick<OidcServer, 'discoveryUrl'>, isOnly = false) {
  return { discoveryUrl, clientID: CLIENT_ID, clientSecret: CLIENT_SECRET, name: 'Acme ID', isOnly };
}

let people = 0;

/** Makes a user of the console who has this email at the provider as well. */
async function person({ isVerified = true, isUser = true } = {}) {
  people += 1;
  const email = `person${people}@example.com`;
  const sub = `subject-${people}`;
  provider.people.set(sub, { email, email_verified: isVerified, name: 'A name at the provider' });
  if (isUser) await server.addUser({ email, role: 'finance', password: null, name: 'Fin' });
  return { email, sub };
}

/** Begins a sign-in. Returns the address of the provider that the page goes to. */
async function begin(browser: Browser): Promise<URL> {
  const { status, body } = await browser.post('/api/auth/sign-in/social', { provider: 'oidc', callbackURL: '/' });
  expect(status).toBe(200);
  return new URL(body.url);
}

/** Signs in at the provider. Returns the callback that the provider sends the browser to. */
async function atProvider(address: URL, sub: string): Promise<URL> {
  provider.state.person = sub;
  const browser = openBrowser(provider.issuer);
  let next = address.href;
  while (next.startsWith(provider.issuer)) {
    const { headers, status, body } = await browser.get(next);
    const location = headers.get('location');
    if (location === null) throw new Error(`the provider responded with ${status}: ${JSON.stringify(body)}`);
    next = new URL(location, next).href;
  }
  return new URL(next);
}

const callback = (browser: Browser, { pathname, search }: URL) => browser.get(pathname + search);

async function signIn(browser: Browser, sub: string) {
  return callback(browser, await atProvider(await begin(browser), sub));
}

/** The browser comes back to the page of the sign-in, with a reason and without a session. */
async function expectRefused(browser: Browser, response: { status: number; headers: Headers }, error?: string) {
  expect(response.status).toBe(302);
  const location = new URL(response.headers.get('location') ?? '', server.url);
  expect(location.origin + location.pathname).toBe(`${server.url}/sign-in`);
  if (error !== undefined) expect(location.searchParams.get('error')).toBe(error);
  expect(browser.sessionCookie()).toBeUndefined();
  expect((await browser.account()).status).toBe(401);
}

describe('single sign-on', () => {
  it('signs in the user who has the verified email', async () => {
    const { email, sub } = await person();
    const browser = server.browser();
    const response = await signIn(browser, sub);
    expect(response).toMatchObject({ status: 302 });
    expect(response.headers.get('location')).toBe('/');
    expect(response.cookies.join('\n')).toMatch(
      /session_token=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict/,
    );
    expect((await browser.account()).body).toMatchObject({ email, name: 'Fin', role: 'finance' });
    expect(await server.events({ kind: 'signed_in', subject: email })).toMatchObject([
      { actor: `user:${email}`, after: { method: 'single sign-on' } },
    ]);
    const again = server.browser();
    await signIn(again, sub);
    expect((await again.account()).body.email).toBe(email);
  });

  it('sends state, PKCE and nonce, and its cookie comes back from the provider', async () => {
    const browser = server.browser();
    const { status, body, cookies } = await browser.post('/api/auth/sign-in/social', {
      provider: 'oidc',
      callbackURL: '/',
    });
    expect(status).toBe(200);
    const { searchParams } = new URL(body.url);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(searchParams.get(name)?.length, name).toBeGreaterThanOrEqual(32);
    }
    expect(searchParams.get('redirect_uri')).toBe(`${server.url}/api/auth/callback/oidc`);
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/^roundhouse-console\.state=.*HttpOnly; SameSite=Lax$/);
  });

  it('keeps no token of the provider', async () => {
    const { email, sub } = await person();
    await signIn(server.browser(), sub);
    const account = await server.db.consoleAccount.findFirstOrThrow({ where: { user: { email }, providerId: 'oidc' } });
    expect(account).toMatchObject({ accountId: sub, accessToken: null, refreshToken: null, idToken: null });
  });

  it('is offered to the page by its name', async () => {
    expect((await server.browser().get('/api/auth/methods')).body).toEqual({
      passwords: true,
      singleSignOn: { name: 'Acme ID' },
    });
  });

  it('knows nobody who is not a user: nobody signs up', async () => {
    const { email, sub } = await person({ isUser: false });
    const browser = server.browser();
    await expectRefused(browser, await signIn(browser, sub), 'signup_disabled');
    expect(await server.db.consoleUser.count({ where: { email } })).toBe(0);
    expect((await server.events({ kind: 'sign_in_failed' })).at(-1)).toMatchObject({
      ...{ actor: 'unknown', after: { method: 'single sign-on' } },
    });
  });

  it('believes no email that the provider has not verified', async () => {
    const { email, sub } = await person({ isVerified: false });
    const browser = server.browser();
    await expectRefused(browser, await signIn(browser, sub));
    expect(await server.db.consoleAccount.count({ where: { user: { email } } })).toBe(0);
  });

  it('does not let a second person of the provider be the same user', async () => {
    const { email, sub } = await person();
    await signIn(server.browser(), sub);
    provider.people.set('recycled', { email, email_verified: true });
    const browser = server.browser();
    await expectRefused(browser, await signIn(browser, 'recycled'));
  });

  it('does not sign in a disabled user', async () => {
    const { email, sub } = await person();
    await server.db.$executeRaw`UPDATE console_users SET disabled = true WHERE email = ${email}`;
    const browser = server.browser();
    await expectRefused(browser, await signIn(browser, sub));
  });
});

describe('attacks on the state', () => {
  it('a callback in another browser begins no session: nobody is signed in as the attacker', async () => {
    const { sub } = await person();
    const attacker = server.browser();
    const planted = await atProvider(await begin(attacker), sub);
    const victim = server.browser();
    await expectRefused(victim, await callback(victim, planted), 'state_mismatch');
  });

  it('a callback with the state of another sign-in begins no session', async () => {
    const [mine, theirs] = [await person(), await person()];
    const attacker = server.browser();
    const stolen = await atProvider(await begin(attacker), mine.sub);
    const victim = server.browser();
    const own = await atProvider(await begin(victim), theirs.sub);
    const mixed = new URL(own);
    mixed.searchParams.set('state', stolen.searchParams.get('state') ?? '');
    await expectRefused(victim, await callback(victim, mixed), 'state_mismatch');
  });

  it('a code of another sign-in begins no session: PKCE', async () => {
    const [mine, theirs] = [await person(), await person()];
    const attacker = server.browser();
    const stolen = await atProvider(await begin(attacker), mine.sub);
    const victim = server.browser();
    const own = await atProvider(await begin(victim), theirs.sub);
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    await expectRefused(victim, await callback(victim, own), 'invalid_code');
  });

  it('a callback holds once', async () => {
    const { sub } = await person();
    const browser = server.browser();
    const address = await atProvider(await begin(browser), sub);
    const cookies = new Map(browser.cookies);
    await callback(browser, address);
    const again = server.browser();
    for (const [name, value] of cookies) again.cookies.set(name, value);
    await expectRefused(again, await callback(again, address), 'state_mismatch');
  });

  it.each(['', '?state=x', '?code=x', '?code=x&state=x', '?error=access_denied'])(
    '%s alone begins none',
    async (search) => {
      const browser = server.browser();
      await expectRefused(browser, await browser.get(`/api/auth/callback/oidc${search}`));
    },
  );

  it('another issuer in the callback begins none', async () => {
    const { sub } = await person();
    const browser = server.browser();
    const address = await atProvider(await begin(browser), sub);
    address.searchParams.set('iss', 'https://evil.example');
    await expectRefused(browser, await callback(browser, address), 'issuer_mismatch');
  });
});

describe('an ID token', () => {
  /** The provider's tokens, with other claims, signed by the provider. */
  const withClaims = (change: (claims: JWTPayload) => JWTPayload) => {
    provider.state.changeTokens = async (tokens) => ({
      ...tokens,
      id_token: await provider.sign(change(decodeJwt(tokens.id_token ?? ''))),
    });
  };

  it('that the test changes in nothing is accepted', async () => {
    const { email, sub } = await person();
    withClaims((claims) => claims);
    const browser = server.browser();
    await signIn(browser, sub);
    expect((await browser.account()).body.email).toBe(email);
  });

  const HOUR = 3_600;
  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['with another nonce', (claims) => ({ ...claims, nonce: 'n'.repeat(32) })],
    ['without nonce', ({ nonce: _, ...claims }) => claims],
    ['for another client', (claims) => ({ ...claims, aud: 'another-client' })],
    [
      'for another client beside this one',
      (claims) => ({ ...claims, aud: ['another-client', CLIENT_ID], azp: 'another-client' }),
    ],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['that has expired', (claims) => ({ ...claims, iat: (claims.iat ?? 0) - 2 * HOUR, exp: (claims.iat ?? 0) - HOUR })],
    ['of another person than the user info', (claims) => ({ ...claims, sub: 'another-subject' })],
  ])('%s is refused', async (_name, change) => {
    const { sub } = await person();
    withClaims(change);
    const browser = server.browser();
    await expectRefused(browser, await signIn(browser, sub), 'unable_to_get_user_info');
  });

  it('of another sign-in of the same person is refused: the nonce', async () => {
    const { sub } = await person();
    let earlier: string | undefined;
    provider.state.changeTokens = async (tokens) => {
      earlier ??= tokens.id_token;
      return { ...tokens, ...(earlier !== undefined && { id_token: earlier }) };
    };
    const first = server.browser();
    await signIn(first, sub);
    expect((await first.account()).status).toBe(200);
    const browser = server.browser();
    await expectRefused(browser, await signIn(browser, sub), 'unable_to_get_user_info');
  });

  it('with the signature of somebody else, without one, or that is missing is refused', async () => {
    const { sub } = await person();
    const { privateKey } = await generateKeyPair('RS256');
    const forged = (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(privateKey);
    const none = (claims: JWTPayload) =>
      [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const changes = [
      async (token: string) => ({ id_token: await forged(decodeJwt(token)) }),
      async (token: string) => ({ id_token: `${none(decodeJwt(token))}.` }),
      async () => ({}),
    ];
    for (const change of changes) {
      provider.state.changeTokens = async ({ id_token = '', ...tokens }) => ({
        ...tokens,
        ...(await change(id_token)),
      });
      const browser = server.browser();
      await expectRefused(browser, await signIn(browser, sub), 'unable_to_get_user_info');
    }
  });

  it('is not taken from a client: a sign-in begins with a state', async () => {
    const { sub, email } = await person();
    const token = await provider.sign({
      ...{ iss: provider.issuer, aud: CLIENT_ID, sub, email, email_verified: true },
      ...{ iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + HOUR, nonce: 'n' },
    });
    const browser = server.browser();
    const body = { provider: 'oidc', idToken: { token, nonce: 'n' } };
    expect((await browser.post('/api/auth/sign-in/social', body)).status).toBe(400);
    expect((await browser.account()).status).toBe(401);
  });
});

describe('the way back', () => {
  it.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)', '/\\evil.example'])(
    'is to the console only, not to %s',
    async (callbackURL) => {
      for (const name of ['callbackURL', 'errorCallbackURL']) {
        const { status } = await server
          .browser()
          .post('/api/auth/sign-in/social', { provider: 'oidc', [name]: callbackURL });
        expect(status).toBe(403);
      }
    },
  );

  it.each([
    { requestSignUp: true },
    { scopes: ['admin'] },
    { additionalParams: { prompt: 'none' } },
    { provider: 'google' },
  ])('takes no other parameter: %j', async (more) => {
    const { status } = await server.browser().post('/api/auth/sign-in/social', { provider: 'oidc', ...more });
    expect([400, 404]).toContain(status);
  });
});

describe('a provider that is away', () => {
  it('keeps nobody from signing in with a password, and is found when it is back', async () => {
    const consoleUrl = `http://localhost:${await freePort()}`;
    const port = await freePort();
    const discoveryUrl = `http://localhost:${port}/.well-known/openid-configuration`;
    const alone = await startAccessServer({ consoleUrl, oidc: oidcOf({ discoveryUrl }), providerRetryMs: 0 });
    const { email } = await alone.addUser();
    const social = () => alone.browser().post('/api/auth/sign-in/social', { provider: 'oidc' });
    expect((await alone.browser().signIn(email)).status).toBe(200);
    expect((await social()).status).toBe(404);
    const late = await startOidcServer({ port, redirectUri: `${consoleUrl}/api/auth/callback/oidc` });
    expect((await social()).body.url).toContain(late.issuer);
    await alone.close();
    await late.close();
  });

  it('that accepts connections and says nothing keeps nobody waiting but its own users', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const discoveryUrl = `http://127.0.0.1:${port}/.well-known/openid-configuration`;
    const alone = await startAccessServer({ oidc: oidcOf({ discoveryUrl }) });
    const { email } = await alone.addUser();
    const social = alone.browser().post('/api/auth/sign-in/social', { provider: 'oidc' });
    const browser = alone.browser();
    expect((await browser.signIn(email)).status).toBe(200);
    expect((await browser.account()).status).toBe(200);
    expect((await social).status).toBe(404);
    await alone.close();
    silent.close();
  });
});

describe('with single sign-on only', () => {
  it('passwords, links and passkeys are closed', async () => {
    const consoleUrl = `http://localhost:${await freePort()}`;
    const only = await startAccessServer({ consoleUrl, oidc: oidcOf(provider, true) });
    const { email } = await only.addUser({ password: null });
    const browser = only.browser();
    expect((await browser.get('/api/auth/methods')).body.passwords).toBe(false);
    expect((await browser.signIn(email, PASSWORD)).status).toBe(404);
    for (const path of [
      '/reset-password',
      '/change-password',
      '/two-factor/verify-totp',
      '/passkey/verify-authentication',
    ]) {
      expect((await browser.post(`/api/auth${path}`)).status).toBe(404);
    }
    expect((await browser.post('/api/auth/sign-in/social', { provider: 'oidc' })).status).toBe(200);
    await only.close();
  });
});
