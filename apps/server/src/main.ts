import { createRequire } from 'node:module';
import { Command } from 'commander';
import { exitCodeOf, explain } from './explain.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/**
 * The help shows this order. Each command is loaded when it is needed: loading all of them takes
 * longer than most of them run.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import('./cli/commands/dev.ts')).devCommand(),
  serve: async () => (await import('./cli/commands/serve.ts')).serveCommand(),
  route: async () => (await import('./cli/commands/route.ts')).routeCommand(),
  status: async () => (await import('./cli/commands/status.ts')).statusCommand(),
  migrate: async () => (await import('./cli/commands/migrate.ts')).migrateCommand(),
  'after-restore': async () => (await import('./cli/commands/databaseCommands.ts')).afterRestoreCommand(),
  verify: async () => (await import('./cli/commands/verify.ts')).verifyCommand(),
  simulate: async () => (await import('./cli/commands/simulate.ts')).simulateCommand(),
  rng: async () => (await import('./cli/commands/rng.ts')).rngCommand(),
  sheet: async () => (await import('./cli/commands/sheet.ts')).sheetCommand(),
  'verify-install': async () => (await import('./cli/commands/verifyInstall.ts')).verifyInstallCommand(),
  tune: async () => (await import('./cli/commands/tune.ts')).tuneCommand(),
  'wallet-check': async () => (await import('./cli/commands/walletCheck.ts')).walletCheckCommand(),
  reconcile: async () => (await import('./cli/commands/reconcile.ts')).reconcileCommand(),
  parked: async () => (await import('./cli/commands/parked.ts')).parkedCommand(),
  rounds: async () => (await import('./cli/commands/rounds.ts')).roundsCommand(),
  session: async () => (await import('./cli/commands/session.ts')).sessionCommand(),
  report: async () => (await import('./cli/commands/report.ts')).reportCommand(),
  'books-balance': async () => (await import('./cli/commands/databaseCommands.ts')).booksBalanceCommand(),
  cell: async () => (await import('./cli/commands/cell.ts')).cellCommand(),
  audit: async () => (await import('./cli/commands/audit.ts')).auditCommand(),
  rtp: async () => (await import('./cli/commands/rtp.ts')).rtpCommand(),
  archive: async () => (await import('./cli/commands/archive.ts')).archiveCommand(),
  game: async () => (await import('./cli/commands/game.ts')).gameCommand(),
  'free-rounds': async () => (await import('./cli/commands/freeRounds.ts')).freeRoundsCommand(),
  maintenance: async () => (await import('./cli/commands/maintenance.ts')).maintenanceCommand(),
  limits: async () => (await import('./cli/commands/player.ts')).limitsCommand(),
  'login-expiry': async () => (await import('./cli/commands/player.ts')).loginExpiryCommand(),
  revoke: async () => (await import('./cli/commands/player.ts')).revokeCommand(),
  evidence: async () => (await import('./cli/commands/evidence.ts')).evidenceCommand(),
  jurisdictions: async () => (await import('./cli/commands/jurisdictions.ts')).jurisdictionsCommand(),
  operator: async () => (await import('./cli/commands/operator.ts')).operatorCommand(),
  user: async () => (await import('./cli/commands/user.ts')).userCommand(),
};

/**
 * Loads the command that the first word names. It loads all commands when the word names none, for
 * the help and for corrections of typing errors.
 */
async function createProgram(firstWord = ''): Promise<Command> {
  const program = new Command('roundhouse')
    .description('An open remote gaming server: opens and settles slot rounds and never loses or duplicates money.')
    .version(version);
  const named = Object.hasOwn(COMMANDS, firstWord) ? COMMANDS[firstWord] : undefined;
  for (const load of named === undefined ? Object.values(COMMANDS) : [named]) program.addCommand(await load());
  return program;
}

// The reader of our output may be gone (`| head`, a closed terminal): the command must still end in
// order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// Compose files and CI pass a variable that is not set as an empty one.
for (const [name, value] of Object.entries(process.env)) if (value === '') delete process.env[name];

try {
  const program = await createProgram(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  console.error(explain(error));
  process.exitCode = exitCodeOf(error);
}
