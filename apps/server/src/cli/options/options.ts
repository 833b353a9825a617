import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import {
  isKeysText,
  keysOf,
  MICROS_PER_UNIT,
  type Micros,
  multiplyMicros,
  parseHttpUrl,
  toMicros,
} from '@roundhouse/contract';
import { baseUrlSchema, countryCodeSchema, OPERATOR_BOUNDS } from '@roundhouse/contract/admin';
import { StartError } from '@roundhouse/service';
import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { stopWith } from '../../base/reason.ts';

export const MAX_PORT = 65_535;
const MAX_REASON_CHARACTERS = 200;
const DEFAULT_DATA_FOLDER = '.roundhouse';

/**
 * Returns a parser of whole numbers from `least` to `most`. `unit` completes the message, for
 * example " of minutes".
 */
export function wholeNumber({ least, most, unit = '' }: { least: number; most: number; unit?: string }) {
  return (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`A whole number${unit} from ${least} to ${most}.`);
    }
    return number;
  };
}

/** Reads the reason of an action, which goes into the log of significant events. */
export function parseReason(text: string): string {
  const { length } = [...text.trim()];
  if (length < 1 || length > MAX_REASON_CHARACTERS) {
    throw new InvalidArgumentError(`A reason has 1 to ${MAX_REASON_CHARACTERS} characters.`);
  }
  return text.trim();
}

/** Reads whole units with up to six decimals, as a person writes them: "12.50". */
export function parseUnits(text: string): Micros {
  const micros = multiplyMicros(toMicros(MICROS_PER_UNIT), text);
  if (micros === undefined)
    throw new InvalidArgumentError('An amount is written like 12.50, with at most six decimals.');
  return micros;
}

/** Returns "none" instead of null: commander turns a parsed null into an empty text. */
export function parseUnitsOrNone(text: string): Micros | 'none' {
  return text === 'none' ? text : parseUnits(text);
}

/** Reads a time of sessions in minutes. */
export const parseSessionMinutes = wholeNumber(OPERATOR_BOUNDS.sessionMinutes);

export function parseSwitch(text: string): boolean {
  if (text === '1' || text === '0') return text === '1';
  throw new InvalidArgumentError('It is 1 or 0.');
}

export function parseCountry(text: string): string {
  return parsedBy(countryCodeSchema, text);
}

/** Reads "FI,SE", or "none" for an empty list. */
export function parseCountries(text: string): string[] {
  return text === 'none' ? [] : text.split(',').map((each) => parseCountry(each.trim()));
}

const ZONE = /(Z|[+-]\d\d:?\d\d)$/;

/** Reads a time with its zone, a day (its first moment in UTC), "never" (null), or "now". */
export function parseMoment(text: string): Date | null {
  return text === 'never' ? null : readInstant(text, ', or "never", or "now"');
}

/** Reads what parseMoment reads, without "never". */
export function parseInstant(text: string): Date {
  return readInstant(text, ', or "now"');
}

function readInstant(text: string, others: string): Date {
  if (text === 'now') return new Date();
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()) || !isDay(text.slice(0, 10)) || !(isDay(text) || ZONE.test(text)))
    throw new InvalidArgumentError(
      `A day in UTC like 2030-01-31, a time with its zone like 2030-01-31T12:00:00Z${others}.`,
    );
  return moment;
}

/** A day that the calendar has: `new Date('2030-02-31')` is 3 March. */
export function isDay(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

/** Reads the part of a wallet's address before /debit. The result has no slash at its end. */
export function parseBaseUrl(text: string): string {
  return parsedBy(baseUrlSchema, text);
}

/** Reads an option by a schema of the contract, whose messages are sentences. */
export function parsedBy<Value>(schema: z.ZodType<Value>, text: string): Value {
  const { data, error } = schema.safeParse(text);
  if (error !== undefined) throw new InvalidArgumentError(error.issues[0]?.message ?? 'It is not valid.');
  return data as Value;
}

/** Reads the URL of a front end's page, with or without a query. */
export function parsePageUrl(text: string): string {
  const url = parseHttpUrl(text);
  if (url === undefined || url.username || url.password) {
    throw new InvalidArgumentError('A page begins with http:// or https://, for example http://localhost:5173.');
  }
  return url.href;
}

/**
 * Reads the secret, or the keys in PEM, in a file; "-" is the standard input. No option takes the
 * secret itself, because every user of a machine can read the command lines of its processes. A
 * line end after the secret does not belong to it.
 */
export async function readSecretFile(file: string): Promise<string> {
  const secret = (await readText(file)).replace(/\r?\n$/, '');
  if (isKeysText(secret)) return readableKeys(secret);
  if (secret === '' || /[\r\n]/.test(secret)) throw new StartError('A secret is one line of text, and not empty.');
  return secret;
}

function readableKeys(text: string): string {
  try {
    keysOf(text);
  } catch (error) {
    stopWith('The keys cannot be used')(error);
  }
  return text;
}

/** Reads a file that may hold secrets; "-" is the standard input. */
export async function readText(file: string): Promise<string> {
  return file === '-'
    ? textOfStream(process.stdin)
    : readFile(file, 'utf8').catch(stopWith(`The secret cannot be read from ${file}`));
}

/** Parses an option that may be repeated. */
export function addTo(each: string, earlier: string[]): string[] {
  return [...earlier, each];
}

export function portOption(): Option {
  return new Option('--port <number>', 'port to listen on; 0 takes a free one')
    .argParser(wholeNumber({ least: 0, most: MAX_PORT }))
    .env('ROUNDHOUSE_LISTEN_PORT')
    .default(4000);
}

export function hostOption(): Option {
  return new Option('--host <address>', 'address to listen on').env('ROUNDHOUSE_LISTEN_HOST').default('127.0.0.1');
}

export function dataOption(): Option {
  return new Option('--data <folder>', 'folder for indexed books and the embedded database')
    .env('ROUNDHOUSE_DATA')
    .default(path.resolve(DEFAULT_DATA_FOLDER), DEFAULT_DATA_FOLDER);
}

export function gamesOption(): Option {
  return new Option('--games <folder>', 'folder of games').env('ROUNDHOUSE_GAMES');
}

export function manifestOption(): Option {
  return new Option('--manifest <file>', 'manifest of the installation, as `roundhouse verify-install` writes it').env(
    'ROUNDHOUSE_MANIFEST',
  );
}

export function manifestKeyOption(flags: string): Option {
  return new Option(flags, 'public Ed25519 key in PEM, of which the manifest needs a valid signature').env(
    'ROUNDHOUSE_MANIFEST_KEY',
  );
}

export function logLevelOption(fallback: string): Option {
  return new Option('--log-level <level>', 'how much to log')
    .choices(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .env('ROUNDHOUSE_LOG_LEVEL')
    .default(fallback);
}

export function databaseOption(): Option {
  return new Option('--database <url>', 'postgresql://…').env('DATABASE_URL');
}

/**
 * Every command beside a server has these options: its database, and who runs it; see withDatabase.
 */
export function addDatabaseOptions(command: Command): Command {
  return addDatabaseChoice(command).addOption(actorOption());
}

export function actorOption(): Option {
  return new Option('--actor <name>', 'person whom the log of significant events names (default: your user name)')
    .argParser(parseActor)
    .env('ROUNDHOUSE_ACTOR');
}

/** A command finds its database by these two options. */
export function addDatabaseChoice(command: Command): Command {
  const database = databaseOption();
  database.description += ' (default: that of `roundhouse dev` on --data)';
  return command.addOption(database).addOption(dataOption());
}

function parseActor(text: string): string {
  if (/^[\w.@+-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('A name is 1 to 64 of letters, digits and . _ @ + -');
}
