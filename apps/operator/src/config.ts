import { areKeys, isKeysText } from '@roundhouse/contract';
import { parseHttpUrl } from '@roundhouse/contract/light';
import { StartError } from '@roundhouse/service';
import { type EngineKeys, readEngineKeys } from './engine/settings.ts';

export type Config = {
  databaseUrl: string;
  /** The operator's code at the game server is also the prefix of its sessionIDs. */
  code: string;
  /** There are two during a rotation. The first signs, both verify. The dialect has none. */
  secrets: string[];
  rgsUrl: string;
  listenHost: string;
  listenPort: number;
  /** Whether the studio bench is open. */
  bench: boolean;
  /** One of trace, debug, info, warn, error, fatal and silent. */
  logLevel: string;
  /** More origins from which the page may show games, such as a proxy's. */
  gameOrigins: string[];
  /** ISO 3166-1 codes of the countries where the operator refuses players. */
  blockedCountries: string[];
  /** The keys of the dialect "engine". Without them the wallet speaks the wallet protocol. */
  engine?: EngineKeys | undefined;
};

const DEFAULT_PORT = 4001;
const MAX_PORT = 65_535;
const MAX_SECRETS = 2;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/**
 * `args` are the words of the command line.
 * @throws StartError, whose message names the variable or option and never a secret.
 */
export function readConfig(args: readonly string[] = [], env: NodeJS.ProcessEnv = process.env): Config {
  const engine = readEngineKeys(args);
  // Compose files and CI pass an unset variable as an empty one.
  const read = (name: string) => env[name] || undefined;
  const required = (name: string) => read(name) ?? fail(`${name} is not set`);
  return {
    databaseUrl: required('DATABASE_URL'),
    code: matching('ROUNDHOUSE_OPERATOR_CODE', read('ROUNDHOUSE_OPERATOR_CODE') ?? 'lobby', /^[a-z0-9_-]{1,32}$/),
    secrets: engine ? [] : secretsOf('ROUNDHOUSE_OPERATOR_SECRET', required('ROUNDHOUSE_OPERATOR_SECRET')),
    engine,
    rgsUrl: originOf('ROUNDHOUSE_OPERATOR_RGS_URL', required('ROUNDHOUSE_OPERATOR_RGS_URL')),
    listenHost: read('ROUNDHOUSE_OPERATOR_LISTEN_HOST') ?? '127.0.0.1',
    listenPort: portOf('ROUNDHOUSE_OPERATOR_LISTEN_PORT', read('ROUNDHOUSE_OPERATOR_LISTEN_PORT')),
    bench: flagOf('ROUNDHOUSE_OPERATOR_BENCH', read('ROUNDHOUSE_OPERATOR_BENCH')),
    logLevel: levelOf('ROUNDHOUSE_OPERATOR_LOG_LEVEL', read('ROUNDHOUSE_OPERATOR_LOG_LEVEL')),
    gameOrigins: listOf(read('ROUNDHOUSE_OPERATOR_GAME_ORIGINS')).map((url) =>
      originOf('ROUNDHOUSE_OPERATOR_GAME_ORIGINS', url),
    ),
    blockedCountries: listOf(read('ROUNDHOUSE_OPERATOR_BLOCKED_COUNTRIES')).map((country) =>
      matching('ROUNDHOUSE_OPERATOR_BLOCKED_COUNTRIES', country.toUpperCase(), /^[A-Z]{2}$/),
    ),
  };
}

function fail(message: string): never {
  throw new StartError(message);
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function secretsOf(name: string, text: string): string[] {
  const secrets = listOf(text);
  if (secrets.length === 0 || secrets.length > MAX_SECRETS) fail(`${name} must hold one secret, or two with a comma`);
  if (!secrets.filter(isKeysText).every(areKeys)) fail(`${name}: keys are the own private one, then the server's`);
  return secrets;
}

function matching(name: string, text: string, pattern: RegExp): string {
  return pattern.test(text) ? text : fail(`${name}: ${text} does not match ${pattern.source}`);
}

function originOf(name: string, text: string): string {
  return parseHttpUrl(text)?.origin ?? fail(`${name}: not an http or https address`);
}

function portOf(name: string, text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  return /^\d+$/.test(text) && port <= MAX_PORT ? port : fail(`${name}: ${text} is not a port`);
}

function flagOf(name: string, text: string | undefined): boolean {
  if (text === undefined || text === '0' || text === 'false') return false;
  return text === '1' || text === 'true' || fail(`${name} must be 1 or 0`);
}

function levelOf(name: string, text = 'warn'): string {
  return LOG_LEVELS.includes(text) ? text : fail(`${name} must be one of ${LOG_LEVELS.join(', ')}`);
}
