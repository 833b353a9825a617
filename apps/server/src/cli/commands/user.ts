import { ROLES, type Role } from '@roundhouse/contract/admin-routes';
import { StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { visible } from '../../base/terminal/visible.ts';
import { findConsoleUrl } from '../../staff/access/consoleUrl.ts';
import {
  addUser,
  changeUser,
  type LinkOutcome,
  newLink,
  USER_REFUSALS,
  type UserChanger,
  type UserOutcome,
} from '../../staff/access/users.ts';
import type { Database } from '../../store/database/database.ts';
import { type ConsoleUserRecord, listConsoleUsers } from '../../store/staff/consoleUsers.ts';
import { parseOperatorCode } from '../options/operatorSettings.ts';
import { addDatabaseOptions, MAX_PORT, parseBaseUrl, wholeNumber } from '../options/options.ts';
import { type DatabaseChoice, type ServerBeside, withDatabase } from '../options/withDatabase.ts';

/** A command belongs to no operator, and is not a user. */
const BY_COMMAND: UserChanger = { userID: undefined, operatorID: undefined };
/** The console of `roundhouse dev` has the server's port plus this. */
const CONSOLE_PORT_ABOVE = 2;
const MOST_USERS = 100_000;

type ConsoleUrlChoice = { consoleUrl?: string; consolePort?: number };
type AddOptions = DatabaseChoice & ConsoleUrlChoice & { role: Role; email: string; name: string; operator?: string };
type SetOptions = DatabaseChoice & {
  role?: Role;
  name?: string;
  /** 'none' means a user of the server. */
  operator?: string;
  disable?: boolean;
  enable?: boolean;
};

export function userCommand(): Command {
  return new Command('user')
    .description(
      'Users of the console sign in with a password that they set by a one-time link, and a second factor, or by single sign-on. Each has one role, ' +
        'and belongs to the server or to one operator.',
    )
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(linkCommand())
    .addCommand(setCommand());
}

function addCommand(): Command {
  const command = new Command('add')
    .summary('add a user and print the link that sets the password')
    .requiredOption('--email <email>', 'the user signs in with it', parseEmail)
    .requiredOption('--name <name>', 'the pages show it')
    .addOption(roleOption().makeOptionMandatory())
    .option('--operator <code>', 'the user sees this operator only (default: a user of the server)', parseOperatorCode);
  return addDatabaseOptions(addConsoleUrl(command)).action(async (options: AddOptions) => {
    const { email, name, role, operator = null } = options;
    const outcome = await withDatabase(options, async (db, beside) =>
      addUser(
        db,
        { email, name, role, operator },
        { by: BY_COMMAND, consoleUrl: await consoleUrlOf(db, options, beside) },
      ),
    );
    printLink(outcome);
  });
}

function listCommand(): Command {
  return addDatabaseOptions(new Command('list').summary('show the users')).action(async (choice: DatabaseChoice) => {
    const users = await withDatabase(choice, (db) => listConsoleUsers(db, BY_COMMAND, MOST_USERS));
    console.log(users.length === 0 ? 'There is no user.' : users.map(describeUser).join('\n'));
  });
}

function linkCommand(): Command {
  const command = new Command('link')
    .summary('print a new link that sets the password')
    .description('Earlier links of the user hold no more. Whoever wrong tries keep out of the account may try again.')
    .argument('<email>', 'the user', parseEmail)
    .option(
      '--reset-second-factor',
      'also remove authenticator app, recovery codes and passkeys, and end the sessions',
    );
  return addDatabaseOptions(addConsoleUrl(command)).action(
    async (email: string, options: DatabaseChoice & ConsoleUrlChoice & { resetSecondFactor?: boolean }) => {
      const { resetSecondFactor = false } = options;
      const outcome = await withDatabase(options, async (db, beside) =>
        newLink(
          db,
          { email },
          { by: BY_COMMAND, consoleUrl: await consoleUrlOf(db, options, beside), resetSecondFactor },
        ),
      );
      printLink(outcome);
    },
  );
}

function setCommand(): Command {
  const command = new Command('set')
    .summary('change a user')
    .description('A change of role or operator ends the sessions of the user, and so does --disable.')
    .argument('<email>', 'the user', parseEmail)
    .option('--name <name>', 'another name')
    .addOption(roleOption())
    .option('--operator <code>', 'the user sees this operator only; "none": all of them', (text) =>
      text === 'none' ? text : parseOperatorCode(text),
    )
    .addOption(new Option('--disable', 'the user cannot sign in any more').conflicts('enable'))
    .addOption(new Option('--enable', 'the user can sign in again'));
  return addDatabaseOptions(command).action(async (email: string, options: SetOptions) => {
    const { name, role, disable, enable } = options;
    const operator = options.operator === 'none' ? null : options.operator;
    const disabled = disable ? true : enable ? false : undefined;
    const outcome = await withDatabase(options, (db) =>
      changeUser(db, { email }, { name, role, operator, disabled }, { by: BY_COMMAND }),
    );
    console.log(describeUser(userOf(outcome)));
  });
}

function roleOption(): Option {
  return new Option('--role <role>', 'what the user may do').choices(ROLES);
}

function addConsoleUrl(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--console-url <url>',
        'address of the console for browsers (default: that of the console beside `roundhouse dev` on --data, else of the console that `serve` started last)',
      )
        .argParser(parseBaseUrl)
        .env('ROUNDHOUSE_CONSOLE_URL'),
    )
    .addOption(
      new Option('--console-port <number>', 'port of the console on this machine, in place of its address')
        .argParser(wholeNumber({ least: 1, most: MAX_PORT }))
        .env('ROUNDHOUSE_CONSOLE_PORT'),
    );
}

function parseEmail(text: string): string {
  const { data } = z.email().max(254).safeParse(text);
  if (data === undefined) throw new InvalidArgumentError('An email address, for example ann@example.com.');
  return data.toLowerCase();
}

async function consoleUrlOf(
  db: Database,
  { consoleUrl, consolePort }: ConsoleUrlChoice,
  { server, usesDatabase }: ServerBeside,
): Promise<string> {
  if (consoleUrl !== undefined) return consoleUrl;
  if (consolePort !== undefined) return `http://localhost:${consolePort}`;
  if (server?.url !== undefined && usesDatabase) {
    const { port } = new URL(server.url);
    return `http://localhost:${Number(port) + CONSOLE_PORT_ABOVE}`;
  }
  const found = await findConsoleUrl(db);
  if (found !== undefined) return found;
  throw new StartError(
    'No console has been started on this database: name its address with --console-url or ROUNDHOUSE_CONSOLE_URL.',
  );
}

function printLink(outcome: LinkOutcome): void {
  const user = userOf(outcome);
  console.log(describeUser(user));
  if (outcome.ok) console.log(`\nLink for ${user.email}, valid once and for 24 hours:\n${outcome.link}`);
}

function userOf(outcome: UserOutcome): ConsoleUserRecord {
  if (!outcome.ok) throw new StartError(USER_REFUSALS[outcome.refusal]);
  return outcome.user;
}

function describeUser({
  email,
  name,
  role,
  operator,
  isDisabled,
  hasSecondFactor,
  passkeys,
  lastSignedInAt,
}: ConsoleUserRecord) {
  const facts = [
    role,
    operator === null ? 'server' : `operator ${operator}`,
    isDisabled && 'disabled',
    hasSecondFactor && 'authenticator app',
    passkeys > 0 && `passkeys: ${passkeys}`,
    lastSignedInAt === null ? 'has not signed in' : `signed in ${lastSignedInAt.toISOString()}`,
  ];
  return `${email}  ${visible(name)}  ${facts.filter((each) => each !== false).join(', ')}`;
}
