import { createRequire } from 'node:module';
import { Command } from 'commander';
import { booksBalanceCommand } from './cli/booksBalance.ts';
import { devCommand } from './cli/dev.ts';
import { exitCodeOf, explain } from './cli/explain.ts';
import { maintenanceCommand } from './cli/maintenance.ts';
import { migrateCommand } from './cli/migrate.ts';
import { operatorCommand } from './cli/operator.ts';
import { parkedCommand } from './cli/parked.ts';
import { limitsCommand, loginExpiryCommand, revokeCommand } from './cli/player.ts';
import { reconcileCommand } from './cli/reconcile.ts';
import { serveCommand } from './cli/serve.ts';
import { sessionCommand } from './cli/session.ts';
import { verifyCommand } from './cli/verify.ts';
import { walletCheckCommand } from './cli/walletCheck.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/** Not at the top of the file, because defaults come from the environment, and what is wrong there is one line too. */
function createProgram(): Command {
  return new Command('roundhouse')
    .description('An open remote gaming server: opens and settles slot rounds and never loses or doubles money.')
    .version(version)
    .addCommand(devCommand())
    .addCommand(serveCommand())
    .addCommand(migrateCommand())
    .addCommand(verifyCommand())
    .addCommand(walletCheckCommand())
    .addCommand(reconcileCommand())
    .addCommand(parkedCommand())
    .addCommand(sessionCommand())
    .addCommand(booksBalanceCommand())
    .addCommand(maintenanceCommand())
    .addCommand(limitsCommand())
    .addCommand(loginExpiryCommand())
    .addCommand(revokeCommand())
    .addCommand(operatorCommand());
}

// Whoever read our output may have gone (`| head`, a closed terminal): what is under way must still end in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

try {
  await createProgram().parseAsync();
} catch (error) {
  console.error(explain(error));
  process.exitCode = exitCodeOf(error);
}
