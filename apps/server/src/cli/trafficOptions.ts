import net from 'node:net';
import { InvalidArgumentError, Option } from 'commander';
import { DEFAULT_LIMITS } from '../clientConnections.ts';
import { readEnvironment } from '../config.ts';
import { withDefault } from './options.ts';

const MAX_DRAIN_SECONDS = 300;
/** More descriptors no process is given. */
const MOST_CONNECTIONS = 1_000_000;
const RETENTION_DAYS = { least: 1, most: 3_650, fallback: 30 };
const DATABASE_SECONDS = { least: 1, most: 60, fallback: 8 };
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
  ).argParser(parseDrainSeconds);
  return withDefault(option, {
    variable: 'ROUNDHOUSE_DRAIN_SECONDS',
    text: readEnvironment().drainSeconds,
    fallback: 0,
  });
}

export function maxConnectionsOption(): Option {
  const option = new Option(
    '--max-connections <number>',
    'connections that a process keeps open at the same time; whoever comes then is turned away',
  ).argParser(parseMaxConnections);
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
  ).argParser(parseDatabaseSeconds);
  return withDefault(option, {
    variable: 'ROUNDHOUSE_DATABASE_SECONDS',
    text: readEnvironment().databaseSeconds,
    fallback: DATABASE_SECONDS.fallback,
  });
}

function parseMaxConnections(text: string): number {
  const connections = Number(text);
  if (!/^\d+$/.test(text) || connections < 1 || connections > MOST_CONNECTIONS)
    throw new InvalidArgumentError(`A whole number from 1 to ${MOST_CONNECTIONS}.`);
  return connections;
}

export function sessionRetentionOption(): Option {
  const option = new Option(
    '--session-retention-days <number>',
    'how long sessions and launches are kept after they have expired; rounds are kept for ever',
  ).argParser(parseRetentionDays);
  return withDefault(option, {
    variable: 'ROUNDHOUSE_SESSION_RETENTION_DAYS',
    text: readEnvironment().sessionRetentionDays,
    fallback: RETENTION_DAYS.fallback,
  });
}

function parseRetentionDays(text: string): number {
  const days = Number(text);
  const { least, most } = RETENTION_DAYS;
  if (!/^\d+$/.test(text) || days < least || days > most)
    throw new InvalidArgumentError(`A whole number of days from ${least} to ${most}.`);
  return days;
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

function parseDrainSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds > MAX_DRAIN_SECONDS)
    throw new InvalidArgumentError(`A whole number of seconds from 0 to ${MAX_DRAIN_SECONDS}.`);
  return seconds;
}

function parseDatabaseSeconds(text: string): number {
  const seconds = Number(text);
  const { least, most } = DATABASE_SECONDS;
  if (!/^\d+$/.test(text) || seconds < least || seconds > most)
    throw new InvalidArgumentError(`A whole number of seconds from ${least} to ${most}.`);
  return seconds;
}
