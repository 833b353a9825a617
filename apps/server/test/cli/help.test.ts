import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { AGGREGATORS } from '@roundhouse/aggregators';
import { AGGREGATOR_NAMES } from '@roundhouse/dialects';
import { expect, it } from 'vitest';
import { COMMAND, environment, succeed } from '../support/roundhouse.ts';

const DIST = new URL('../../dist/', import.meta.url);
const RECORDER = fileURLToPath(new URL('../support/recordModules.mjs', import.meta.url));
/** There are more, with subcommands. When there are fewer, the walk below has not found them. */
const FEWEST_COMMANDS = 40;
/**
 * Only a run needs these; Prisma loads its compiler of queries at the first query. The reader of
 * amounts is small, and needs nothing.
 */
const HEAVY =
  /\/(express|undici|better-auth|wallet-check(?!\/dist\/wire\/amounts)|aggregators)\/|\/prisma\/query_compiler|\/dist\/(node\/server|staff\/console\/startConsole)\.js$/;
/** Its own list shows a command with subcommands by its name alone. */
const USAGE_OF_GROUP = '[options] [command]';

it('every command has a help page, which shows no password, and the usage that its list shows', async () => {
  const env = { DATABASE_URL: 'postgresql://somebody:s3cret@db.example.com/x' };
  const commands = [{ words: [] as string[], usage: USAGE_OF_GROUP }];
  for (const { words, usage } of commands) {
    const help = await succeed([...words, '--help'], { env });
    expect(help).toContain(`Usage: ${['roundhouse', ...words, usage].join(' ')}\n`);
    expect(help).not.toContain('s3cret');
    const listed = (help.split(/^Commands:$/m)[1] ?? '').matchAll(/^ {2}([a-z-]+)((?: [[<]\S+)*)(?: {2,}\S.*)?$/gm);
    for (const [, name = '', given = ''] of listed) {
      if (name !== 'help') commands.push({ words: [...words, name], usage: given.trim() || USAGE_OF_GROUP });
    }
  }
  expect(commands.length).toBeGreaterThanOrEqual(FEWEST_COMMANDS);
});

it.each([['--help'], ['--version'], ['hlep']])('roundhouse %s loads no command', async (word) => {
  const loaded = await modulesOf([COMMAND, word]);
  expect(loaded.filter((url) => url.startsWith(DIST.href))).toEqual(
    ['main.js', 'cli/commands.js'].map((file) => new URL(file, DIST).href),
  );
  expect(loaded.filter((url) => /\/node_modules\/(?!\.pnpm\/|commander\/)/.test(url))).toEqual([]);
});

it('the options of all commands together load nothing that only a run needs', async () => {
  const { href } = new URL('cli/commands.js', DIST);
  const script = `const { COMMANDS } = await import('${href}');
    for (const { load } of Object.values(COMMANDS)) await load();`;
  const loaded = await modulesOf(['--input-type=module', '--eval', script]);
  expect(loaded).toContain(new URL('cli/commands/serve.js', DIST).href);
  expect(loaded.filter((url) => HEAVY.test(url))).toEqual([]);
});

it('the options offer the dialects that have a simulator and rules', () => {
  expect(AGGREGATOR_NAMES).toEqual(AGGREGATORS.map(({ aggregator }) => aggregator.name));
});

/**
 * Returns the URLs of the modules that a process with these arguments loads, without Node's own.
 */
async function modulesOf(args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, ['--import', RECORDER, ...args], {
    env: environment(),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [urls] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'close')]);
  return urls.split('\n').filter((url) => url.startsWith('file:'));
}
