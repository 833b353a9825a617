import { openClient } from '@roundhouse/service';
import { describe, expect, it } from 'vitest';
import { firstAdministratorLink } from '../../../src/staff/access/users.ts';
import {
  addAuthenticator,
  type Browser,
  OPERATOR,
  OTHER_OPERATOR,
  PASSWORD,
  setPassword,
  startAccessServer,
  useAccessServer,
} from '../../support/accessServer.ts';

const server = useAccessServer();

/** Signs in as an administrator of the server, or of one operator. */
async function administrator(operator: string | null = null) {
  const user = await server.addUser({ role: 'administrator', operator });
  const browser = server.browser();
  expect((await browser.signIn(user.email)).status).toBe(200);
  return { ...user, browser };
}

let emails = 0;
const newEmail = () => {
  emails += 1;
  return `new${emails}@example.com`;
};
const add = (browser: Browser, more: object = {}) =>
  browser.post('/admin/users', { email: newEmail(), name: 'New', role: 'support', operator: null, ...more });

describe('a new user', () => {
  it('sets the password by a link that holds once', async () => {
    const { browser, email: by } = await administrator();
    const { status, body } = await add(browser, { role: 'finance', operator: OPERATOR, name: 'Fin' });
    expect(status).toBe(200);
    expect(body.user).toMatchObject({
      name: 'Fin',
      role: 'finance',
      operator: OPERATOR,
      hasAccount: false,
      isDisabled: false,
    });
    expect(body.link).toMatch(new RegExp(`^${server.url}/welcome\\?token=[\\w-]{43}#${body.user.email}$`));
    const { email } = body.user;
    expect((await server.browser().signIn(email)).status).toBe(401);
    expect((await setPassword(server.url, body.link, 'too short')).status).toBe(400);
    expect((await setPassword(server.url, body.link)).status).toBe(200);
    expect((await setPassword(server.url, body.link, 'the password of a thief')).status).toBe(400);
    expect((await server.browser().signIn(email)).status).toBe(200);
    const events = await server.events({ subject: email });
    expect(events.map(({ kind, actor }) => `${kind} ${actor}`)).toEqual([
      `user_changed user:${by}`,
      `user_link_made user:${by}`,
      `sign_in_failed user:${email}`,
      `password_changed user:${email}`,
      `signed_in user:${email}`,
    ]);
    expect(events[0]).toMatchObject({ before: null, after: { email, role: 'finance', name: 'Fin', disabled: false } });
  });

  it('has a link that holds once also when it is used several times at once', async () => {
    const { link } = await server.addUser({ password: null });
    const used = await Promise.all([1, 2, 3, 4].map((n) => setPassword(server.url, link, `password number ${n}`)));
    expect(used.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('has a link that holds for a day', async () => {
    const { link, userID } = await server.addUser({ password: null });
    await server.db
      .$executeRaw`UPDATE console_verifications SET expires_at = expires_at - interval '24 hours' WHERE value = ${userID}`;
    expect((await setPassword(server.url, link)).status).toBe(400);
  });

  it('has a link whose token is not in the database', async () => {
    const { link } = await server.addUser({ password: null });
    const token = new URL(link).searchParams.get('token') ?? '';
    const rows = await server.db.consoleVerification.findMany();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(await server.events({}))).not.toContain(token);
  });

  it('is refused twice, with an unknown operator, or with an invalid email', async () => {
    const { browser } = await administrator();
    const email = newEmail();
    expect((await add(browser, { email })).status).toBe(200);
    expect(await add(browser, { email: email.toUpperCase() })).toMatchObject({
      status: 409,
      body: { error: 'ERR_VAL', fields: { email: expect.any(String) } },
    });
    const unknown = await add(browser, { operator: 'nobody' });
    expect([unknown.status, Object.keys(unknown.body.fields)]).toEqual([400, ['operator']]);
    for (const more of [{ email: 'none' }, { name: '' }, { role: 'root' }, { name: 'a\0b' }, { operator: 'a\0b' }]) {
      expect((await add(browser, more)).status).toBe(400);
    }
  });
});

describe('a change of a user', () => {
  it.each([{ role: 'viewer' }, { disabled: true }, { operator: OPERATOR }])('ends the sessions: %j', async (change) => {
    const { browser, email: by } = await administrator();
    const { email, userID } = await server.addUser({ role: 'compliance' });
    const theirs = server.browser();
    await theirs.signIn(email);
    expect((await browser.post(`/admin/users/${userID}`, change)).status).toBe(200);
    expect((await theirs.account()).status).toBe(401);
    const [event] = await server.events({ kind: 'user_changed', subject: email, actor: by });
    expect(event).toMatchObject({ actor: `user:${by}` });
    expect(Object.keys(event?.after)).toHaveLength(1);
    expect(Object.keys(event?.before)).toEqual(Object.keys(event?.after));
    expect(await server.events({ kind: 'session_ended', subject: email })).toMatchObject([{ actor: `user:${by}` }]);
  });

  it('of the name ends none', async () => {
    const { browser } = await administrator();
    const { email, userID } = await server.addUser();
    const theirs = server.browser();
    await theirs.signIn(email);
    expect((await browser.post(`/admin/users/${userID}`, { name: 'Ann' })).body.name).toBe('Ann');
    expect((await theirs.account()).body.name).toBe('Ann');
  });

  it('disables: the right password begins no session, until the user is enabled', async () => {
    const { browser } = await administrator();
    const { email, userID } = await server.addUser();
    await browser.post(`/admin/users/${userID}`, { disabled: true });
    expect((await server.browser().signIn(email)).status).toBe(401);
    await browser.post(`/admin/users/${userID}`, { disabled: false });
    expect((await server.browser().signIn(email)).status).toBe(200);
  });

  it('never takes the own role or the own access', async () => {
    const { browser, userID } = await administrator();
    await administrator();
    for (const change of [{ role: 'viewer' }, { disabled: true }, { operator: OPERATOR }]) {
      expect((await browser.post(`/admin/users/${userID}`, change)).status).toBe(403);
    }
    expect((await browser.post(`/admin/users/${userID}`, { name: 'Me' })).status).toBe(200);
  });

  it('never takes the last administrator of the server, also when two try at once', async () => {
    const one = await administrator();
    const two = await administrator();
    await server.db.$executeRaw`UPDATE console_users SET disabled = true
      WHERE role = 'administrator' AND operator_id IS NULL AND id NOT IN (${one.userID}, ${two.userID})`;
    const responses = await Promise.all([
      one.browser.post(`/admin/users/${two.userID}`, { disabled: true }),
      two.browser.post(`/admin/users/${one.userID}`, { disabled: true }),
    ]);
    const left = await server.db.consoleUser.count({
      where: { role: 'administrator', operatorId: null, disabled: false },
    });
    expect(left).toBe(1);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('a new link', () => {
  it('makes the earlier one useless, and keeps the second factor', async () => {
    const { browser } = await administrator();
    const { email, userID, link } = await server.addUser({ password: null });
    const { body } = await browser.post(`/admin/users/${userID}/link`);
    expect((await setPassword(server.url, link)).status).toBe(400);
    expect((await setPassword(server.url, body.link)).status).toBe(200);
    const theirs = server.browser();
    await theirs.signIn(email);
    await addAuthenticator(theirs);
    const again = await browser.post(`/admin/users/${userID}/link`);
    await setPassword(server.url, again.body.link, 'a new password for it');
    // A new password ends what was open with the old one.
    expect((await theirs.account()).status).toBe(401);
    expect((await server.browser().signIn(email, 'a new password for it')).body.twoFactorRedirect).toBe(true);
  });

  it('removes the second factor when it is lost', async () => {
    const { browser, email: by } = await administrator();
    const { email, userID } = await server.addUser();
    const theirs = server.browser();
    await theirs.signIn(email);
    await addAuthenticator(theirs);
    const { body } = await browser.post(`/admin/users/${userID}/link`, { resetSecondFactor: true });
    expect(body.user).toMatchObject({ hasSecondFactor: false, passkeys: 0, sessions: 0 });
    expect((await theirs.account()).status).toBe(401);
    expect((await server.browser().signIn(email)).body.user.email).toBe(email);
    expect((await server.events({ kind: 'second_factor_changed', subject: email, actor: by })).at(-1)).toMatchObject({
      ...{ before: { authenticator: true, passkeys: 0 }, after: { authenticator: false, passkeys: 0 } },
    });
  });
});

describe('an administrator of an operator', () => {
  it('sees, adds and changes users of that operator only', async () => {
    const mine = await administrator(OPERATOR);
    const others = await server.addUser({ operator: OTHER_OPERATOR });
    const servers = await server.addUser();
    const colleague = await server.addUser({ operator: OPERATOR });
    const { body } = await mine.browser.get(`/admin/users?limit=200&operator=${OTHER_OPERATOR}`);
    expect(body.items.map(({ operator }: { operator: string }) => operator)).toEqual(
      Array.from({ length: body.items.length }, () => OPERATOR),
    );
    expect(body.items.map(({ email }: { email: string }) => email)).toContain(colleague.email);
    expect((await add(mine.browser, { operator: OPERATOR })).status).toBe(200);
    const unknown = (await mine.browser.post('/admin/users/none', { name: 'x' })).body;
    for (const { userID } of [others, servers]) {
      for (const path of ['', '/link', '/end-sessions']) {
        expect(await mine.browser.post(`/admin/users/${userID}${path}`, {})).toMatchObject({
          status: 404,
          body: unknown,
        });
      }
      expect(await mine.browser.get(`/admin/users/${userID}/sessions`)).toMatchObject({ status: 404, body: unknown });
    }
    expect((await mine.browser.post(`/admin/users/${colleague.userID}`, { role: 'viewer' })).status).toBe(200);
  });

  it('makes nobody a user of the server or of another operator', async () => {
    const mine = await administrator(OPERATOR);
    const colleague = await server.addUser({ operator: OPERATOR });
    for (const operator of [null, OTHER_OPERATOR, 'nobody']) {
      expect((await add(mine.browser, { operator })).status).toBe(403);
      expect((await mine.browser.post(`/admin/users/${colleague.userID}`, { operator })).status).toBe(403);
    }
  });
});

describe('sessions of a user', () => {
  it('are listed and ended by an administrator', async () => {
    const { browser, email: by } = await administrator();
    const { email, userID } = await server.addUser();
    const theirs = server.browser();
    await theirs.signIn(email);
    const { body } = await browser.get(`/admin/users/${userID}/sessions`);
    expect(body.items).toMatchObject([{ isCurrent: false, address: '127.0.0.1' }]);
    expect((await browser.post(`/admin/users/${userID}/end-sessions`)).body).toEqual({ ended: 1 });
    expect((await theirs.account()).status).toBe(401);
    expect(await server.events({ kind: 'session_ended', subject: email })).toMatchObject([{ actor: `user:${by}` }]);
  });
});

describe('the list of users', () => {
  it('has pages by email, and filters', async () => {
    const { browser } = await administrator();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: { items: { email: string }[]; cursor: string | null } } = await browser.get(
        `/admin/users?limit=3${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...body.items.map(({ email }) => email));
      cursor = body.cursor;
    }
    expect(seen).toEqual([...seen].sort());
    expect(seen).toHaveLength(await server.db.consoleUser.count());
    const { email } = await server.addUser({ role: 'compliance', name: 'Zoë Compliant' });
    const found = await browser.get(`/admin/users?text=${encodeURIComponent('zoë')}&role=compliance`);
    expect(found.body.items.map((each: { email: string }) => each.email)).toEqual([email]);
    expect((await browser.get('/admin/users?cursor=AAAA')).status).toBe(400);
  });
});

describe('SQL from outside', () => {
  it('that adds or changes a password or a passkey is an event, without the hash', async () => {
    const { userID, email } = await server.addUser();
    const client = await openClient(server.databaseUrl);
    await client.query('UPDATE console_accounts SET password = $1 WHERE user_id = $2', ['hash-of-a-thief', userID]);
    await client.query(
      `INSERT INTO console_passkeys (id, user_id, public_key, credential_id, counter, device_type, backed_up)
       VALUES ('p', $1, 'key', 'credential', 0, 'singleDevice', false)`,
      [userID],
    );
    await client.query("UPDATE console_users SET role = 'administrator' WHERE id = $1", [userID]);
    await client.end();
    const events = await server.events({ actor: 'database:' });
    expect(events.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      `data_changed credential account of user ${email}`,
      `data_changed passkey of user ${email}`,
      `user_changed user ${email}`,
    ]);
    expect(JSON.stringify(events)).not.toContain('hash-of-a-thief');
  });
});

describe('the first administrator', () => {
  it('of a server for local work has a link until an administrator has signed in', async () => {
    const local = await startAccessServer();
    const first = (await firstAdministratorLink(local.db, local.url)) ?? '';
    const second = (await firstAdministratorLink(local.db, local.url)) ?? '';
    expect((await setPassword(local.url, first)).status).toBe(400);
    expect((await setPassword(local.url, second)).status).toBe(200);
    expect(await firstAdministratorLink(local.db, local.url)).toBeDefined();
    const { email } = await local.db.consoleUser.findFirstOrThrow();
    expect((await local.browser().signIn(email, PASSWORD)).status).toBe(200);
    expect(await firstAdministratorLink(local.db, local.url)).toBeUndefined();
    await local.close();
  });
});
