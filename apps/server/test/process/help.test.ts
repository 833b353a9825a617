import { expect, test } from 'vitest';
import { succeed } from '../support/roundhouse.ts';

const COMMANDS = [
  [],
  ['dev'],
  ['serve'],
  ['migrate'],
  ['after-restore'],
  ['verify'],
  ['wallet-check'],
  ['session'],
  ['books-balance'],
  ['maintenance'],
  ['maintenance', 'on'],
  ['maintenance', 'off'],
  ['maintenance', 'list'],
  ['limits'],
  ['login-expiry'],
  ['operator'],
  ['operator', 'add'],
  ['operator', 'set'],
  ['operator', 'list'],
  ['operator', 'rotate-secret'],
  ['operator', 'disable'],
  ['operator', 'enable'],
  ['operator', 'encrypt-secrets'],
  ['reconcile'],
  ['parked'],
  ['parked', 'list'],
  ['parked', 'retry'],
  ['parked', 'settle'],
  ['revoke'],
];

test('every command that there is has been named here', async () => {
  const listed = [...(await succeed(['--help'])).matchAll(/^ {2}([a-z-]+)(?: [[<].*| {2,}\S.*)$/gm)].map(
    (match) => match[1],
  );
  expect(listed.sort()).toEqual([...new Set(['help', ...COMMANDS.flatMap(([name]) => name ?? [])])].sort());
});

test.each(COMMANDS.map((words) => [words.join(' ')]))(
  'roundhouse %s --help explains and tells no password',
  async (command) => {
    const words = command.split(' ').filter(Boolean);
    const env = { DATABASE_URL: 'postgresql://somebody:s3cret@db.example.com/x' };
    const help = await succeed([...words, '--help'], { env });
    expect(help).toContain(`Usage: roundhouse ${command}`.trimEnd());
    expect(help).not.toContain('s3cret');
  },
);
