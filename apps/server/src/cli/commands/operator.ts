import { Command } from 'commander';
import { changeOperator, type OperatorFault } from '../../ledger/queries/changeOperator.ts';
import { disableOperator } from '../../ledger/queries/disableOperator.ts';
import { listOperators } from '../../ledger/queries/operators.ts';
import { sealSecrets } from '../../ledger/queries/sealSecrets.ts';
import { StartError } from '../../startError.ts';
import { describeOperator } from '../describeOperator.ts';
import { makeSecret } from '../makeSecret.ts';
import { addSettingsOptions, changeOf, parseOperatorCode, type SettingsOptions } from '../options/operatorSettings.ts';
import { addDatabaseOptions } from '../options/options.ts';
import { rotateSecretCommand } from '../rotateSecret.ts';
import { type DatabaseChoice, withDatabase } from '../withDatabase.ts';

export function operatorCommand(): Command {
  return new Command('operator')
    .summary('set up operators')
    .description(
      'An operator with a wallet URL keeps the money of its players itself, and is asked for it over the wallet protocol. One without has the house ' +
        'wallet: balances in the database of this server. What is changed takes effect on every node within a second.',
    )
    .addCommand(
      changeCommand('add')
        .summary('make an operator')
        .option('--or-set', 'change it when it is there already, for set-up scripts that run again', false),
    )
    .addCommand(changeCommand('set').summary('change what is given'))
    .addCommand(switchCommand('disable').summary('let nobody play there any more'))
    .addCommand(switchCommand('enable').summary('let players of a disabled operator play again'))
    .addCommand(listCommand())
    .addCommand(rotateSecretCommand())
    .addCommand(encryptCommand());
}

function changeCommand(name: 'add' | 'set'): Command {
  const command = new Command(name).argument('<code>', 'short name, for example "acme"', parseOperatorCode);
  return addDatabaseOptions(addSettingsOptions(command)).action(
    async (code: string, options: SettingsOptions & DatabaseChoice & { orSet?: boolean }) => {
      const change = await changeOf(options);
      const kind = options.orSet ? 'add_or_set' : name;
      const outcome = await withDatabase(options, (db) => changeOperator(db, { code, kind, change, makeSecret }));
      if (!outcome.ok) throw new StartError(explainFault(code, outcome.fault));
      console.log(describeOperator(outcome.operator));
      if (outcome.newSecret !== undefined) console.log(`\nSecret, shown this once: ${outcome.newSecret}`);
    },
  );
}

function switchCommand(name: 'disable' | 'enable'): Command {
  const disabled = name === 'disable';
  const command = new Command(name)
    .description(
      'Players of a disabled operator get ERR_MAINTENANCE on every node at once, and its launches are refused. It may still read its rounds and give ' +
        'bets back, and what is owed to its players is still sent to its wallet. Enabling ends maintenance of the operator too.',
    )
    .argument('<code>', 'the operator');
  return addDatabaseOptions(command).action(async (code: string, choice: DatabaseChoice) => {
    const isKnown = await withDatabase(choice, (db) => disableOperator(db, { code, disabled }));
    if (!isKnown) throw new StartError(`There is no operator ${code}.`);
    console.log(`Operator ${code} is ${name}d.`);
  });
}

function encryptCommand(): Command {
  const command = new Command('encrypt-secrets')
    .summary('encrypt every secret with the first key')
    .description(
      'After another key was put before the old one in ROUNDHOUSE_SECRETS_KEY, on every node: encrypts the secrets of all operators anew. ' +
        'Then the old key can be taken away.',
    );
  return addDatabaseOptions(command).action(async (choice: DatabaseChoice) => {
    const changed = await withDatabase(choice, (db) => sealSecrets(db, { all: true }));
    console.log(
      changed.length === 0 ? 'Every secret was encrypted with the first key.' : `Encrypted: ${changed.join(', ')}.`,
    );
  });
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
    case 'unknown':
      return `There is no operator ${code}. Make it with \`roundhouse operator add ${code}\`.`;
    case 'has_players':
      return `Operator ${code} has players with accounts: its wallet cannot be changed from house to seamless or back. Make a new operator.`;
    case 'default_without_wallet':
      return `Operator ${code} has the house wallet, which cannot be asked about sessions. Give --wallet-url too.`;
    case 'other_default':
      return `Operator ${fault.code} is the default one. Run \`roundhouse operator set ${fault.code} --no-default\` first.`;
  }
}
