import { Command } from 'commander';
import { booksBalanceCommand } from './cli/booksBalance.ts';
import { devCommand } from './cli/dev.ts';
import { explain } from './cli/explain.ts';
import { maintenanceCommand } from './cli/maintenance.ts';
import { migrateCommand } from './cli/migrate.ts';
import { operatorCommand } from './cli/operator.ts';
import { limitsCommand, loginExpiryCommand } from './cli/player.ts';
import { serveCommand } from './cli/serve.ts';
import { sessionCommand } from './cli/session.ts';
import { verifyCommand } from './cli/verify.ts';

const program = new Command('roundhouse')
  .description('An open remote gaming server: opens and settles slot rounds and never loses or doubles money.')
  .addCommand(devCommand())
  .addCommand(serveCommand())
  .addCommand(migrateCommand())
  .addCommand(verifyCommand())
  .addCommand(sessionCommand())
  .addCommand(booksBalanceCommand())
  .addCommand(maintenanceCommand())
  .addCommand(limitsCommand())
  .addCommand(loginExpiryCommand())
  .addCommand(operatorCommand());

try {
  await program.parseAsync();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
