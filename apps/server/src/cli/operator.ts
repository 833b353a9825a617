import { partialJurisdictionSchema } from '@roundhouse/contract';
import { Command, InvalidArgumentError } from 'commander';
import { listOperators, type OperatorRecord, type OperatorSettings, setOperator } from '../ledger/queries/operators.ts';
import { addDatabaseOptions, parseCountries, parseMinutes } from './options.ts';
import { type DatabaseChoice, withDatabase } from './withDatabase.ts';

const MS_PER_MINUTE = 60_000;

type SetOptions = DatabaseChoice & {
  name?: string;
  sessionTimeout?: number;
  sessionLifetime?: number;
  allowCountries?: string[];
  blockCountries?: string[];
  jurisdiction?: OperatorSettings['jurisdiction'];
};

export function operatorCommand(): Command {
  return new Command('operator').summary('set up operators').addCommand(setCommand()).addCommand(listCommand());
}

function setCommand(): Command {
  return addDatabaseOptions(
    new Command('set')
      .summary('make an operator, or change what is given')
      .argument('<code>', 'short name, for example "house"')
      .option('--name <name>', 'full name')
      .option('--session-timeout <minutes>', 'inactivity after which a session has to authenticate again', parseMinutes)
      .option('--session-lifetime <minutes>', 'time after which a new session has ended for good', parseMinutes)
      .option(
        '--allow-countries <list>',
        'only from these, for example FI,SE; "none" takes the list away',
        parseCountries,
      )
      .option('--block-countries <list>', 'not from these; "none" takes the list away', parseCountries)
      .option(
        '--jurisdiction <json>',
        'flags that new sessions start from, for example {"disabledTurbo":true}',
        parseJurisdiction,
      ),
  ).action(async (code: string, options: SetOptions) => {
    console.log(describe(await withDatabase(options, (db) => setOperator(db, code, settingsOf(options)))));
  });
}

function settingsOf(options: SetOptions): OperatorSettings {
  return {
    ...(options.name !== undefined && { name: options.name }),
    ...(options.sessionTimeout !== undefined && { sessionTimeoutMs: options.sessionTimeout }),
    ...(options.sessionLifetime !== undefined && { sessionLifetimeMs: options.sessionLifetime }),
    ...(options.allowCountries !== undefined && { allowedCountries: options.allowCountries }),
    ...(options.blockCountries !== undefined && { blockedCountries: options.blockCountries }),
    ...(options.jurisdiction !== undefined && { jurisdiction: options.jurisdiction }),
  };
}

function listCommand(): Command {
  return addDatabaseOptions(new Command('list').summary('show the operators')).action(
    async (choice: DatabaseChoice) => {
      const operators = await withDatabase(choice, listOperators);
      console.log(operators.map(describe).join('\n\n'));
    },
  );
}

function describe(operator: OperatorRecord): string {
  const list = (countries: string[], empty: string) => (countries.length === 0 ? empty : countries.join(', '));
  return [
    `${operator.code}: ${operator.name}`,
    `  session time-out   ${operator.sessionTimeoutMs / MS_PER_MINUTE} min`,
    `  session lifetime   ${operator.sessionLifetimeMs / MS_PER_MINUTE} min`,
    `  allowed countries  ${list(operator.allowedCountries, 'all')}`,
    `  blocked countries  ${list(operator.blockedCountries, 'none')}`,
    `  jurisdiction       ${JSON.stringify(operator.jurisdiction)}`,
  ].join('\n');
}

function parseJurisdiction(text: string): OperatorSettings['jurisdiction'] {
  try {
    return partialJurisdictionSchema.strict().parse(JSON.parse(text));
  } catch {
    throw new InvalidArgumentError(
      'JSON of jurisdiction flags, for example {"disabledTurbo":true,"minimumRoundDuration":2500}.',
    );
  }
}
