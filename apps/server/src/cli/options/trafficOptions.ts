import net from 'node:net';
import { InvalidArgumentError, Option } from 'commander';
import { DEFAULT_LIMITS } from '../../clientConnections.ts';
import { readEnvironment } from '../../config.ts';
import { withDefault } from './options.ts';

const DRAIN_SECONDS = { least: 0, most: 300, fallback: 0 };
/** More descriptors no process is given. */
const CONNECTIONS = { least: 1, most: 1_000_000 };
const RETENTION_DAYS = { least: 1, most: 3_650, fallback: 30 };
const DATABASE_SECONDS = { least: 1, most: 60, fallback: 8 };
const UNKNOWN_SESSIONS = { least: 0, most: 1_000_000, fallback: 100 };
/** What stands for a group of addresses: this machine, the local link, private networks. */
const NAMED_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);
const BITS = { 4: 32, 6: 128 } as const;

export function trustedProxiesOption(): Option {
  const option = new Option(
    '--trusted-proxies <list>',
    'proxies whose X-Forwarded-For tells the address of a client, for example loopback,10.0.0.0/8; "none" trusts nobody',
  ).argParser(parseProxies);
  return withDefault(option, {
    variable: 'ROUNDHOUSE_TRUSTED_PROXIES',
    text: readEnvironment().trustedProxies,
    fallback: [],
  });
}

export function drainOption(): Option {
  const option = new Option(
    '--drain-seconds <number>',
    'time from "not ready" to a closed port when it is told to stop, for a proxy to notice',
  ).argParser(wholeNumber(DRAIN_SECONDS));
  return withDefault(option, {
    variable: 'ROUNDHOUSE_DRAIN_SECONDS',
    text: readEnvironment().drainSeconds,
    fallback: DRAIN_SECONDS.fallback,
  });
}

export function maxConnectionsOption(): Option {
  const option = new Option(
    '--max-connections <number>',
    'connections that a process keeps open at the same time; whoever comes then is turned away',
  ).argParser(wholeNumber(CONNECTIONS));
  return withDefault(option, {
    variable: 'ROUNDHOUSE_MAX_CONNECTIONS',
    text: readEnvironment().maxConnections,
    fallback: DEFAULT_LIMITS.maxConnections,
  });
}

export function databaseSecondsOption(): Option {
  const option = new Option(
    '--database-seconds <number>',
    'what a statement for a player may take in the database; an answer that is missing 2 s later is given up',
  ).argParser(wholeNumber(DATABASE_SECONDS));
  return withDefault(option, {
    variable: 'ROUNDHOUSE_DATABASE_SECONDS',
    text: readEnvironment().databaseSeconds,
    fallback: DATABASE_SECONDS.fallback,
  });
}

export function unknownSessionsOption(): Option {
  const option = new Option(
    '--unknown-sessions-per-second <number>',
    'sessions of one address that are not known here and about which an operator is asked, in each process; 0 is no limit',
  ).argParser(wholeNumber(UNKNOWN_SESSIONS));
  return withDefault(option, {
    variable: 'ROUNDHOUSE_UNKNOWN_SESSIONS_PER_SECOND',
    text: readEnvironment().strangersPerSecond,
    fallback: UNKNOWN_SESSIONS.fallback,
  });
}

export function sessionRetentionOption(): Option {
  const option = new Option(
    '--session-retention-days <number>',
    'how long sessions and launches are kept after they have expired; rounds are kept for ever',
  ).argParser(wholeNumber(RETENTION_DAYS));
  return withDefault(option, {
    variable: 'ROUNDHOUSE_SESSION_RETENTION_DAYS',
    text: readEnvironment().sessionRetentionDays,
    fallback: RETENTION_DAYS.fallback,
  });
}

function parseProxies(text: string): string[] {
  const proxies = text === 'none' ? [] : text.split(',').map((each) => each.trim());
  const wrong = proxies.find((proxy) => !isProxy(proxy));
  if (wrong === undefined) return proxies;
  throw new InvalidArgumentError(
    `"${wrong}" is none of: an address, a range like 10.0.0.0/8, ${[...NAMED_RANGES].join(', ')}.`,
  );
}

/** A range of 0 bits is refused: it would let every client say what its address is. */
function isProxy(text: string): boolean {
  if (NAMED_RANGES.has(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const family = net.isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= BITS[family as 4 | 6];
}

function wholeNumber({ least, most }: { least: number; most: number }): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw new InvalidArgumentError(`A whole number from ${least} to ${most}.`);
    return number;
  };
}
