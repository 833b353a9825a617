import { type Command, Option } from 'commander';
import type { ConsoleOptions } from '../../staff/console/startConsole.ts';
import { oidcOfEnvironment } from './oidcOptions.ts';
import { MAX_PORT, parseBaseUrl, parseSwitch, wholeNumber } from './options.ts';

export type ConsoleChoice = {
  consolePort?: number;
  consoleHost: string;
  consoleUrl?: string;
  twoPerson: boolean;
  secondFactor: boolean;
  consoleIdleMinutes: number;
  consoleSessionHours: number;
  consoleLockoutMinutes: number;
};

/** Adds the options of the console, for the commands that serve it. */
export function addConsoleOptions(command: Command, { byDefault }: { byDefault: string }): Command {
  const options = [
    new Option('--console-port <number>', `port of the console for staff; 0 takes a free one (default: ${byDefault})`)
      .argParser(wholeNumber({ least: 0, most: MAX_PORT }))
      .env('ROUNDHOUSE_CONSOLE_PORT'),
    new Option('--console-host <address>', 'address on which the console listens')
      .env('ROUNDHOUSE_CONSOLE_HOST')
      .default('127.0.0.1'),
    new Option('--console-url <url>', 'address of the console for browsers, when it is behind a proxy')
      .argParser(parseBaseUrl)
      .env('ROUNDHOUSE_CONSOLE_URL'),
    new Option(
      '--two-person [1|0]',
      'voids, settlements, and changes of operators, secrets, limits and users in the console wait for the approval of a second user',
    )
      .preset('1')
      .argParser(parseSwitch)
      .env('ROUNDHOUSE_TWO_PERSON')
      .default(false, '0'),
    new Option(
      '--second-factor [1|0]',
      'users who sign in to the console with a password must add an authenticator app before they do anything else',
    )
      .preset('1')
      .argParser(parseSwitch)
      .env('ROUNDHOUSE_SECOND_FACTOR')
      .default(false, '0'),
    new Option('--console-idle-minutes <number>', 'a session of the console ends after this time without a request')
      .argParser(wholeNumber({ least: 1, most: 1_440 }))
      .env('ROUNDHOUSE_CONSOLE_IDLE_MINUTES')
      .default(30),
    new Option(
      '--console-session-hours <number>',
      'a session of the console ends after this time, whatever happens in it',
    )
      .argParser(wholeNumber({ least: 1, most: 168 }))
      .env('ROUNDHOUSE_CONSOLE_SESSION_HOURS')
      .default(12),
    new Option(
      '--console-lockout-minutes <number>',
      'three wrong tries in a row keep their address out of the account for this time',
    )
      .argParser(wholeNumber({ least: 1, most: 1_440 }))
      .env('ROUNDHOUSE_CONSOLE_LOCKOUT_MINUTES')
      .default(15),
  ];
  for (const option of options) command.addOption(option);
  return command;
}

/** Returns what the console is started with, on this port. */
export function consoleOptionsOf(choice: ConsoleChoice, port: number): ConsoleOptions {
  return {
    port,
    host: choice.consoleHost,
    url: choice.consoleUrl,
    twoPerson: choice.twoPerson,
    secondFactor: choice.secondFactor,
    idleMinutes: choice.consoleIdleMinutes,
    sessionHours: choice.consoleSessionHours,
    lockoutMinutes: choice.consoleLockoutMinutes,
    oidc: oidcOfEnvironment(),
  };
}
