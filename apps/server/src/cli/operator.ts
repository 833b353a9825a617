import { Command } from 'commander';
import { changeOperator, type OperatorFault } from '../ledger/queries/changeOperator.ts';
import { listOperators } from '../ledger/queries/operators.ts';
import { StartError } from '../startError.ts';
import { describeOperator } from './describeOperator.ts';
import { makeSecret } from './makeSecret.ts';
import { addSettingsOptions, changeOf, parseOperatorCode, type SettingsOptions } from './operatorSettings.ts';
import { addDatabaseOptions } from './options.ts';
import { rotateSecretCommand } from './rotateSecret.ts';
import { type DatabaseChoice, withDatabase } from './withDatabase.ts';

export function operatorCommand(): Command {
  return new Command('operator')
    .summary('set up operators')
    .description(
      'An operator with a wallet URL keeps the money of its players itself, and is asked for it over the wallet protocol. One without has the house ' +
        'wallet: balances in the database of this server. What is changed takes effect on every node within a second.',
    )
    .addCommand(changeCommand('add', { mustBeNew: true }).summary('make an operator'))
    .addCommand(changeCommand('set', { mustBeNew: false }).summary('make an operator, or change what is given'))
    .addCommand(listCommand())
    .addCommand(rotateSecretCommand());
}

function changeCommand(name: string, { mustBeNew }: { mustBeNew: boolean }): Command {
  const command = new Command(name).argument('<code>', 'short name, for example "acme"', parseOperatorCode);
  return addDatabaseOptions(addSettingsOptions(command)).action(
    async (code: string, options: SettingsOptions & DatabaseChoice) => {
      const outcome = await withDatabase(options, (db) =>
        changeOperator(db, { code, change: changeOf(options), mustBeNew, makeSecret }),
      );
      if (!outcome.ok) throw new StartError(explainFault(code, outcome.fault));
      console.log(describeOperator(outcome.operator));
      if (outcome.newSecret !== undefined) console.log(`\nSecret, shown this once: ${outcome.newSecret}`);
    },
  );
}

function listCommand(): Command {
  return addDatabaseOptions(new Command('list').summary('show the operators')).action(
    async (choice: DatabaseChoice) => {
      const operators = await withDatabase(choice, listOperators);
      console.log(operators.map(describeOperator).join('\n\n'));
    },
  );
}

function explainFault(code: string, fault: OperatorFault): string {
  switch (fault.kind) {
    case 'taken':
      return `There is an operator ${code}. Change it with \`roundhouse operator set ${code}\`.`;
    case 'has_players':
      return `Operator ${code} has players with accounts: its wallet cannot be changed from house to seamless or back. Make a new operator.`;
    case 'default_without_wallet':
      return `Operator ${code} has the house wallet, which cannot be asked about sessions. Give --wallet-url too.`;
    case 'other_default':
      return `Operator ${fault.code} is the default one. Run \`roundhouse operator set ${fault.code} --no-default\` first.`;
  }
}
