import { expect, it } from 'vitest';
import { succeed } from '../support/roundhouse.ts';

/** There are more, with subcommands. When there are fewer, the walk below has not found them. */
const FEWEST_COMMANDS = 40;

it('every command has a help page, which shows no password', async () => {
  const env = { DATABASE_URL: 'postgresql://somebody:s3cret@db.example.com/x' };
  const commands: string[][] = [[]];
  for (const words of commands) {
    const help = await succeed([...words, '--help'], { env });
    expect(help).toContain(`Usage: ${['roundhouse', ...words].join(' ')}`);
    expect(help).not.toContain('s3cret');
    const listed = (help.split(/^Commands:$/m)[1] ?? '').matchAll(/^ {2}([a-z-]+)(?: [[<].*| {2,}\S.*)$/gm);
    for (const [, name = ''] of listed) if (name !== 'help') commands.push([...words, name]);
  }
  expect(commands.length).toBeGreaterThanOrEqual(FEWEST_COMMANDS);
});
