import path from 'node:path';
import {
  CURRENCY_CODES,
  type CurrencyCode,
  MICROS_PER_UNIT,
  type Micros,
  multiplyMicros,
  toMicros,
} from '@roundhouse/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readEnvironment } from '../../config.ts';
import { StartError } from '../../startError.ts';

const DEFAULT_PORT = 4000;
const MAX_PORT = 65_535;
const MS_PER_MINUTE = 60_000;
const MAX_MINUTES = 7 * 24 * 60;

/** Where everything of local work is kept, when nothing else is said. */
const DEFAULT_DATA_FOLDER = path.resolve('.roundhouse');

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > MAX_PORT)
    throw new InvalidArgumentError(`A port is a number from 0 to ${MAX_PORT}.`);
  return port;
}

/** Whole units with up to six decimals, as a person writes them: "12.50". */
export function parseUnits(text: string): Micros {
  const micros = multiplyMicros(toMicros(MICROS_PER_UNIT), text);
  if (micros === undefined)
    throw new InvalidArgumentError('An amount is written like 12.50, with at most six decimals.');
  return micros;
}

/** Not null for none: commander makes an empty text of a parsed option that is null. */
export function parseUnitsOrNone(text: string): Micros | 'none' {
  return text === 'none' ? text : parseUnits(text);
}

export function parseCurrency(text: string): CurrencyCode {
  const code = CURRENCY_CODES.find((each) => each === text.toUpperCase());
  if (code === undefined) throw new InvalidArgumentError(`The currencies are ${CURRENCY_CODES.join(', ')}.`);
  return code;
}

export function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (!/^\d+$/.test(text) || minutes < 1 || minutes > MAX_MINUTES) {
    throw new InvalidArgumentError(`A whole number of minutes from 1 to ${MAX_MINUTES}.`);
  }
  return minutes * MS_PER_MINUTE;
}

export function parseCountry(text: string): string {
  if (!/^[A-Za-z]{2}$/.test(text))
    throw new InvalidArgumentError('A country is two letters (ISO 3166-1), for example FI.');
  return text.toUpperCase();
}

/** "FI,SE", or "none" for an empty list. */
export function parseCountries(text: string): string[] {
  return text === 'none' ? [] : text.split(',').map((each) => parseCountry(each.trim()));
}

/** A time with its zone, or "never" (null), or "now". */
export function parseMoment(text: string): Date | null {
  if (text === 'never') return null;
  if (text === 'now') return new Date();
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()) || !/(Z|[+-]\d\d:?\d\d)$/.test(text)) {
    throw new InvalidArgumentError('A time like 2030-01-31T12:00:00Z, with its zone, or "never", or "now".');
  }
  return moment;
}

/** As parseMoment, without "never". */
export function parseInstant(text: string): Date {
  const moment = parseMoment(text);
  if (moment === null) throw new InvalidArgumentError('A time like 2030-01-31T12:00:00Z, with its zone, or "now".');
  return moment;
}

/** Where a wallet is: what stands before /debit. Without a slash at its end. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It begins with http:// or https://.');
  // The address is printed, and paths are put at its end.
  if (url.username || url.password || url.search || url.hash) {
    throw new InvalidArgumentError('It has no user, no password, no query and no fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

export function portOption(): Option {
  const option = new Option('--port <number>', 'port to listen on; 0 takes a free one').argParser(parsePort);
  return withDefault(option, {
    variable: 'ROUNDHOUSE_LISTEN_PORT',
    text: readEnvironment().port,
    fallback: DEFAULT_PORT,
  });
}

export function hostOption(): Option {
  return new Option('--host <address>', 'address to listen on').default(readEnvironment().host ?? '127.0.0.1');
}

export function dataOption(): Option {
  return new Option('--data <folder>', 'folder for indexed books and the embedded database').default(
    readEnvironment().dataFolder ?? DEFAULT_DATA_FOLDER,
  );
}

function databaseOption(): Option {
  const option = new Option(
    '--database <url>',
    'postgresql://… (default: DATABASE_URL, else that of `roundhouse dev` on --data)',
  );
  const { databaseUrl } = readEnvironment();
  // Not as a default value: --help would print the password.
  return databaseUrl === undefined ? option : option.default(databaseUrl, 'DATABASE_URL');
}

export function logLevelOption(fallback: string): Option {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
  const option = new Option('--log-level <level>', 'how much to log').choices(levels);
  return withDefault(option, { variable: 'ROUNDHOUSE_LOG_LEVEL', text: readEnvironment().logLevel, fallback });
}

type Default = { variable: string; text: string | undefined; fallback: unknown };

/** What the environment says goes through the option's own check, as if it had been typed. */
export function withDefault(option: Option, { variable, text, fallback }: Default): Option {
  if (text === undefined) return option.default(fallback);
  try {
    return option.default(option.parseArg?.(text, undefined));
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new StartError(`${variable}=${text}: ${error.message}`);
    throw error;
  }
}

/** The two options by which every command beside a server finds its database; see withDatabase. */
export function addDatabaseOptions(command: Command): Command {
  return command.addOption(databaseOption()).addOption(dataOption());
}
