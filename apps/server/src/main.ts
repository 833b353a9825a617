import { createRequire } from 'node:module';
import { Command } from 'commander';
import { COMMANDS } from './cli/commands.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/**
 * Loads the command that the words name. When they name none, help and corrections of typing errors
 * need the table alone.
 */
async function createProgram(words: readonly string[]): Promise<Command> {
  const program = new Command('roundhouse')
    .description('An open remote gaming server: opens and settles slot rounds and never loses or duplicates money.')
    .version(version);
  const name = words.find((word) => word !== 'help' && word !== '--') ?? '';
  const named = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (named !== undefined) return program.addCommand(await named.load());
  for (const [each, { usage, summary }] of Object.entries(COMMANDS))
    program.command(`${each} ${usage}`).summary(summary);
  return program;
}

// The reader of our output may be gone (`| head`, a closed terminal): the command must still end in
// order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// Compose files and CI pass a variable that is not set as an empty one.
for (const [name, value] of Object.entries(process.env)) if (value === '') delete process.env[name];

try {
  const program = await createProgram(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  const { exitCodeOf, explain } = await import('./store/database/explain.ts');
  console.error(explain(error));
  process.exitCode = exitCodeOf(error);
}
