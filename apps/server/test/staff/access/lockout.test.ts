import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newLink } from '../../../src/staff/access/users.ts';
import { purgeSignIns } from '../../../src/store/staff/consoleSignIns.ts';
import type { EventKind } from '../../../src/store/watch/eventKinds.ts';
import {
  addAuthenticator,
  type Browser,
  BY_COMMAND,
  codeOf,
  PASSWORD,
  QUICK_HASHING,
  useAccessServer,
} from '../../support/accessServer.ts';

/** Counts the hashes, which take nearly all of the time of a response. */
let hashes = 0;
const server = useAccessServer({
  passwordHashing: {
    hash(password) {
      hashes += 1;
      return QUICK_HASHING.hash(password);
    },
    verify(given) {
      hashes += 1;
      return QUICK_HASHING.verify(given);
    },
  },
});
const WRONG = 'not the password at all';

const keyOf = (email: string) => createHash('sha256').update(`device of ${email}`).digest('hex').slice(0, 16);

const endLocks = () =>
  server.db
    .$executeRaw`UPDATE console_sign_in_failures SET locked_until = now() - interval '1 second' WHERE locked_until IS NOT NULL`;

/** A browser elsewhere: the proxy of the console names its address. */
const from = (address: string) => server.browser({ 'x-forwarded-for': address });
/** Makes wrong tries, each from its own address. */
async function tryFromEverywhere(email: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 1; n <= count; n += 1) statuses.push((await from(`203.0.113.${n}`).signIn(email, WRONG)).status);
  return statuses;
}
const eventsOf = (kind: EventKind, email: string) => server.events({ kind, subject: email });

describe('three wrong passwords in a row', () => {
  it('lock the account for their address for a time, also for the right password', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    for (let n = 0; n < 3; n += 1) expect((await browser.signIn(email, WRONG)).status).toBe(401);
    expect(await browser.signIn(email)).toMatchObject({ status: 429, body: { code: 'LOCKED' } });
    expect(await eventsOf('sign_in_failed', email)).toHaveLength(3);
    expect(await eventsOf('sign_in_locked', email)).toMatchObject([
      { actor: `user:${email}`, after: { address: '127.0.0.1', locks: 'address' } },
    ]);
    await endLocks();
    expect((await browser.signIn(email)).status).toBe(200);
  });

  it('lock nobody out who comes from another address', async () => {
    const { email } = await server.addUser();
    for (let n = 0; n < 4; n += 1) await from('203.0.113.7').signIn(email, WRONG);
    expect((await from('198.51.100.1').signIn(email)).status).toBe(200);
  });

  it('count by the network of an IPv6 address, of which one client has all addresses', async () => {
    const { email } = await server.addUser();
    for (let n = 1; n < 4; n += 1) await from(`2001:db8:0:1::${n}`).signIn(email, WRONG);
    expect((await from('2001:db8:0:1:ffff::1').signIn(email)).status).toBe(429);
    expect((await from('2001:db8:0:2::1').signIn(email)).status).toBe(200);
  });

  it('are counted from the last success', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    for (let n = 0; n < 3; n += 1) {
      for (let wrong = 0; wrong < 2; wrong += 1) expect((await browser.signIn(email, WRONG)).status).toBe(401);
      expect((await browser.signIn(email)).status).toBe(200);
    }
  });

  it('count by email, whatever its case', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    for (const typed of [email, email.toUpperCase(), `U${email.slice(1)}`]) await browser.signIn(typed, WRONG);
    expect((await browser.signIn(email)).status).toBe(429);
  });

  it('that come at the same time are three, and no more', async () => {
    const { email } = await server.addUser();
    const responses = await Promise.all(Array.from({ length: 30 }, () => server.browser().signIn(email, WRONG)));
    const checked = responses.filter(({ status }) => status === 401);
    expect(checked).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(27);
    expect((await server.browser().signIn(email)).status).toBe(429);
  });

  it('do not end the sessions that there are', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    await browser.signIn(email);
    for (let n = 0; n < 4; n += 1) await server.browser().signIn(email, WRONG);
    expect((await browser.account()).status).toBe(200);
  });

  it('are forgotten when an administrator makes a new link', async () => {
    const { email } = await server.addUser();
    for (let n = 0; n < 4; n += 1) await server.browser().signIn(email, WRONG);
    await newLink(server.db, { email }, { by: BY_COMMAND, consoleUrl: server.url, resetSecondFactor: false });
    expect((await server.browser().signIn(email)).status).toBe(200);
  });

  it('within a session lock as well: a thief cannot guess the password there', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    await browser.signIn(email);
    const paths = ['/change-password', '/two-factor/enable', '/two-factor/disable'];
    for (const path of paths) {
      const body = { password: WRONG, currentPassword: WRONG, newPassword: PASSWORD };
      expect((await browser.post(`/api/auth${path}`, body)).status).toBe(400);
    }
    expect((await browser.post('/api/auth/two-factor/enable', { password: PASSWORD })).status).toBe(429);
    expect(await eventsOf('sign_in_locked', email)).toMatchObject([{ after: { locks: 'session' } }]);
  });

  it('of somebody without a session do not lock the password within one', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    await browser.signIn(email);
    for (let n = 0; n < 4; n += 1) await server.browser().signIn(email, WRONG);
    const body = { currentPassword: PASSWORD, newPassword: 'another long password' };
    expect((await browser.post('/api/auth/change-password', body)).status).toBe(200);
  });
});

describe('wrong passwords from many addresses', () => {
  it('slow down browsers that the account does not know: a minute after the tenth, twice as long after each further one', async () => {
    const { email } = await server.addUser();
    expect(await tryFromEverywhere(email, 12)).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await from('198.51.100.1').signIn(email)).status).toBe(429);
    expect(await eventsOf('sign_in_locked', email)).toMatchObject([{ after: { locks: 'account' } }]);
    await endLocks();
    expect((await from('198.51.100.2').signIn(email, WRONG)).status).toBe(401);
    const [{ minutes } = { minutes: 0 }] = await server.db.$queryRaw<{ minutes: number }[]>`
      SELECT round(extract(epoch FROM locked_until - last_try_at) / 60)::int AS minutes
      FROM console_sign_in_failures WHERE tries = 11`;
    expect(minutes).toBe(2);
    // A try that is not checked does not count against its address.
    for (let n = 0; n < 4; n += 1) expect((await from('198.51.100.3').signIn(email, WRONG)).status).toBe(429);
    await endLocks();
    expect((await from('198.51.100.3').signIn(email)).status).toBe(200);
    expect((await tryFromEverywhere(email, 1))[0]).toBe(401);
  });

  it('do not count for a browser in which the user has signed in before, which has its own three tries', async () => {
    const { email } = await server.addUser();
    const own = from('198.51.100.1');
    await own.signIn(email);
    await own.signOut();
    // This is another browser behind the same address.
    for (let n = 0; n < 3; n += 1) await from('198.51.100.1').signIn(email, WRONG);
    await tryFromEverywhere(email, 12);
    expect((await from('198.51.100.1').signIn(email)).status).toBe(429);
    expect((await own.signIn(email)).status).toBe(200);
    await own.signOut();
    for (let n = 0; n < 3; n += 1) expect((await own.signIn(email, WRONG)).status).toBe(401);
    expect((await own.signIn(email)).status).toBe(429);
  });

  it('are shown to the user after the next sign-in', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    await browser.signIn(email);
    expect((await browser.account()).body.wrongTries).toBeNull();
    await browser.signOut();
    await tryFromEverywhere(email, 2);
    await browser.signIn(email);
    expect((await browser.account()).body.wrongTries).toEqual({
      ...{ count: 2, lastAt: expect.any(String), addresses: ['203.0.113.1', '203.0.113.2'] },
    });
    await browser.signIn(email);
    expect((await browser.account()).body.wrongTries).toBeNull();
  });
});

describe('the cookie of a known browser', () => {
  const deviceOf = ({ cookies }: Browser) => [...cookies].find(([name]) => name.includes('.device-')) ?? ['', ''];

  it('lets nobody in, outlives the sign-out, and is signed', async () => {
    const { email } = await server.addUser();
    const browser = server.browser();
    const { cookies } = await browser.signIn(email);
    expect(cookies.find((each) => each.includes('.device-'))).toMatch(
      /^roundhouse-console\.device-[0-9a-f]{16}=[^;]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const device = deviceOf(browser);
    await browser.signOut();
    expect(deviceOf(browser)).toEqual(device);
    expect((await browser.account()).status).toBe(401);
  });

  it('counts for its own user only, and not with another signature', async () => {
    const [one, two] = [await server.addUser(), await server.addUser()];
    const browser = server.browser();
    await browser.signIn(two.email);
    const [name, value] = deviceOf(browser);
    await tryFromEverywhere(one.email, 12);
    const thief = from('198.51.100.9');
    thief.cookies.set(name.replace(/[0-9a-f]{16}$/, keyOf(one.email)), value);
    expect((await thief.signIn(one.email)).status).toBe(429);
    const forged = `${keyOf(one.email)}:00.${Buffer.alloc(32, 7).toString('base64')}`;
    thief.cookies.set(name.replace(/[0-9a-f]{16}$/, keyOf(one.email)), encodeURIComponent(forged));
    expect((await thief.signIn(one.email)).status).toBe(429);
  });
});

describe('three wrong codes in a row', () => {
  it('lock the second factor, for both kinds of code together', async () => {
    const { email } = await server.addUser();
    const owner = server.browser();
    await owner.signIn(email);
    const { secret, recoveryCodes } = await addAuthenticator(owner);
    const thief = server.browser();
    expect((await thief.signIn(email)).body.twoFactorRedirect).toBe(true);
    const totp = (code: string) => thief.post('/api/auth/two-factor/verify-totp', { code });
    expect((await totp('000000')).status).toBe(401);
    expect((await totp('111111')).status).toBe(401);
    // A new challenge gives no new tries.
    await thief.signIn(email);
    expect((await thief.post('/api/auth/two-factor/verify-backup-code', { code: 'aaaaa-bbbbb' })).status).toBe(401);
    await thief.signIn(email);
    expect(await totp(await codeOf(secret))).toMatchObject({ status: 429 });
    const code = recoveryCodes[0];
    expect((await thief.post('/api/auth/two-factor/verify-backup-code', { code })).status).toBe(429);
    expect(await server.events({ kind: 'sign_in_locked', subject: email })).toMatchObject([
      { after: { method: 'password and recovery code' } },
    ]);
  });

  it('of a thief of the password do not keep out the browser that the user has signed in with', async () => {
    const { email } = await server.addUser();
    const owner = server.browser();
    await owner.signIn(email);
    const { recoveryCodes } = await addAuthenticator(owner);
    await owner.signOut();
    const thief = server.browser();
    await thief.signIn(email);
    for (const code of ['000000', '111111', '222222', '333333'])
      await thief.post('/api/auth/two-factor/verify-totp', { code });
    await owner.signIn(email);
    const [code] = recoveryCodes;
    expect((await owner.post('/api/auth/two-factor/verify-backup-code', { code })).status).toBe(200);
  });

  it('that come at the same time are three, and no more', async () => {
    const { email } = await server.addUser();
    const owner = server.browser();
    await owner.signIn(email);
    await addAuthenticator(owner);
    const thieves = Array.from({ length: 8 }, () => server.browser());
    for (const thief of thieves) expect((await thief.signIn(email)).body.twoFactorRedirect).toBe(true);
    const responses = await Promise.all(
      thieves.map((thief, n) => thief.post('/api/auth/two-factor/verify-totp', { code: `00000${n}` })),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(5);
  });
});

describe('who has an account', () => {
  it('is not told by the responses', async () => {
    const { email } = await server.addUser();
    const noPassword = await server.addUser({ password: null });
    const disabled = await server.addUser();
    await server.db.$executeRaw`UPDATE console_users SET disabled = true WHERE email = ${disabled.email}`;
    const series = [];
    for (const typed of [email, noPassword.email, disabled.email, 'nobody@example.com']) {
      const responses = [];
      for (let n = 0; n < 4; n += 1) {
        const { status, body, headers, cookies } = await server.browser().signIn(typed, WRONG);
        responses.push({
          status,
          body,
          cookies,
          names: [...headers.keys()].sort(),
          length: headers.get('content-length'),
        });
      }
      series.push(responses);
    }
    expect(series[0]?.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    for (const responses of series) expect(responses).toEqual(series[0]);
  });

  it('is not told to whoever knows the password of a disabled user', async () => {
    const disabled = await server.addUser();
    await server.db.$executeRaw`UPDATE console_users SET disabled = true WHERE email = ${disabled.email}`;
    const right = await server.browser().signIn(disabled.email);
    const unknown = await server.browser().signIn('nobody-else@example.com');
    expect(right).toMatchObject({ status: 401, cookies: [], body: unknown.body });
  });

  it('is not told by the time that a response takes: each checks one hash', async () => {
    const { email } = await server.addUser();
    const noPassword = await server.addUser({ password: null });
    for (const typed of [email, noPassword.email, 'nobody-at-all@example.com']) {
      const before = hashes;
      expect((await server.browser().signIn(typed, WRONG)).status).toBe(401);
      expect(hashes - before, typed).toBe(1);
    }
  });

  it('is not told by the log to whoever types a foreign address: the actor is unknown', async () => {
    const email = `${'n'.repeat(80)}@example.com`;
    await server.browser().signIn(email, WRONG);
    expect(await server.events({ kind: 'sign_in_failed', subject: 'n'.repeat(60) })).toEqual([
      {
        ...{ actor: 'unknown', kind: 'sign_in_failed', subject: `user ${email.slice(0, 64)}`, before: null },
        after: { method: 'password', address: '127.0.0.1' },
      },
    ]);
  });
});

describe('the table of tries', () => {
  it('has no address that somebody has typed', async () => {
    await server.browser().signIn('typed@example.com', WRONG);
    const rows = await server.db.consoleSignInFailure.findMany();
    expect(rows.length).toBeGreaterThan(0);
    for (const { subject } of rows) expect(subject).toMatch(/^[0-9a-f]{64}(:[0-9a-f]{64})?$/);
  });

  it('forgets what is older than a day', async () => {
    const before = await server.db.consoleSignInFailure.count();
    await server.db
      .$executeRaw`UPDATE console_sign_in_failures SET last_try_at = now() - interval '25 hours', locked_until = NULL`;
    await server.browser().signIn('fresh@example.com', WRONG);
    await purgeSignIns(server.db);
    expect(before).toBeGreaterThan(2);
    // One counts by the account, one by the address.
    expect(await server.db.consoleSignInFailure.count()).toBe(2);
  });
});
