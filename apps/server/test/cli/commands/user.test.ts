import { describe, expect, it } from 'vitest';
import { endConsoleSessions } from '../../../src/store/staff/consoleUsers.ts';
import { listEvents, recordEvent } from '../../../src/store/watch/significantEvents.ts';
import { expectOneLine } from '../../support/roundhouse.ts';
import { useBooks } from './books.ts';

// test/staff/access/users.test.ts tests the rules, which the pages share.

const books = useBooks();
const CONSOLE = ['--console-url', 'https://console.example'];

const user = (...args: string[]) => books.succeed('user', ...args);
const refused = async (args: string[], line: RegExp) => expectOneLine(await books.run('user', ...args), line);
const row = (email: string) =>
  books.db.consoleUser.findUniqueOrThrow({ where: { email }, include: { operator: true } });

describe('roundhouse user', () => {
  it('add makes a user and prints a link that holds once', async () => {
    const printed = await user(
      'add',
      '--email',
      'Ann@Example.com',
      '--name',
      'Ann',
      '--role',
      'administrator',
      ...CONSOLE,
    );
    expect(printed).toMatch(/^ann@example\.com {2}Ann {2}administrator, server, has not signed in$/m);
    expect(printed).toMatch(/^https:\/\/console\.example\/welcome\?token=[\w-]{43}#ann@example\.com$/m);
    expect(await row('ann@example.com')).toMatchObject({ role: 'administrator', operator: null, disabled: false });
    const events = await listEvents(books.db, { subject: 'user ann@example.com' });
    expect(events.map(({ kind }) => kind)).toEqual(['user_changed', 'user_link_made']);
    expect(events[0]?.actor).toMatch(/^person:/);
  });

  it('list shows the operator of a user, and add refuses in one line', async () => {
    await books.succeed('operator', 'add', 'acme');
    const bob = ['--email', 'bob@example.com', '--name', 'Bob', '--role', 'support', ...CONSOLE];
    await user('add', ...bob, '--operator', 'acme');
    expect(await user('list')).toMatch(/^bob@example\.com {2}Bob {2}support, operator acme, has not signed in$/m);
    await refused(['add', ...bob], /^There is a user with this email\.$/m);
    await refused(['add', ...bob.slice(0, 6)], /with --console-url or ROUNDHOUSE_CONSOLE_URL\.$/m);
    await refused(['set', 'nobody@example.com', '--disable'], /^There is no such user\.$/m);
  });

  it('link leads to the console that serve started last, unless an option names another', async () => {
    await user('add', '--email', 'eve@example.com', '--name', 'Eve', '--role', 'finance', ...CONSOLE);
    const started = (settings: object) =>
      recordEvent(books.db, { kind: 'node_started', subject: 'node host#1', after: { version: '1', settings } });
    const link = () => user('link', 'eve@example.com');
    await started({ consolePort: { value: 4002, from: 'cli' } });
    expect(await link()).toMatch(/^http:\/\/localhost:4002\/welcome\?/m);
    await started({ consolePort: { value: 4002 }, consoleUrl: { value: 'https://staff.example', from: 'env' } });
    await started({ consolePort: { from: 'default' } });
    expect(await link()).toMatch(/^https:\/\/staff\.example\/welcome\?/m);
  });

  it('link makes a new link; with --reset-second-factor the user has none any more', async () => {
    await user('add', '--email', 'carl@example.com', '--name', 'Carl', '--role', 'finance', ...CONSOLE);
    const { id } = await row('carl@example.com');
    await books.db.consoleTwoFactor.create({
      data: { id: 'f', userId: id, secret: 's', backupCodes: 'c', verified: true },
    });
    await books.db.consoleUser.update({ where: { id }, data: { twoFactorEnabled: true } });
    expect(await user('link', 'carl@example.com', '--console-port', '4002')).toMatch(
      /^http:\/\/localhost:4002\/welcome\?/m,
    );
    expect(await user('link', 'carl@example.com', ...CONSOLE)).toMatch(/^https:\/\/console\.example\/welcome\?/m);
    expect((await row('carl@example.com')).twoFactorEnabled).toBe(true);
    expect(await books.db.consoleVerification.count({ where: { value: id } })).toBe(1);
    await user('link', 'carl@example.com', '--reset-second-factor', ...CONSOLE);
    expect((await row('carl@example.com')).twoFactorEnabled).toBe(false);
    expect(await books.db.consoleTwoFactor.count({ where: { userId: id } })).toBe(0);
  });

  it('set changes role, operator and access, and ends the sessions', async () => {
    await user('add', '--email', 'dora@example.com', '--name', 'Dora', '--role', 'viewer', ...CONSOLE);
    const { id } = await row('dora@example.com');
    const session = { userId: id, expiresAt: new Date(Date.now() + 3_600_000) };
    await books.db.consoleSession.create({ data: { id: 's1', token: 't1', ...session } });
    const printed = await user('set', 'dora@example.com', '--role', 'compliance', '--operator', 'acme');
    expect(printed).toBe('dora@example.com  Dora  compliance, operator acme, has not signed in\n');
    expect(await endConsoleSessions(books.db, { userID: id, email: 'dora@example.com' })).toBe(0);
    expect(await user('set', 'dora@example.com', '--operator', 'none', '--disable')).toContain('server, disabled');
    expect(await user('set', 'dora@example.com', '--enable')).not.toContain('disabled');
  });
});
