import net from 'node:net';
import os from 'node:os';
import { resolveRgsUrl } from '@roundhouse/contract';
import { DEFAULT_LIMITS } from '@roundhouse/service';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { currenciesOption } from './currencies.ts';
import {
  databaseOption,
  dataOption,
  gamesOption,
  hostOption,
  logLevelOption,
  manifestKeyOption,
  manifestOption,
  parseBaseUrl,
  parseSwitch,
  portOption,
  wholeNumber,
} from './options.ts';

/** The operating system gives no process more descriptors. */
const MAX_CONNECTIONS = 1_000_000;
const MAX_WORKERS = 64;
/** These names stand for groups of addresses: this machine, the local link, private networks. */
const NAMED_RANGES = new Set(['loopback', 'linklocal', 'uniquelocal']);
const BITS = { 4: 32, 6: 128 } as const;

export function addServeOptions(command: Command): Command {
  const options = [
    databaseOption(),
    gamesOption(),
    currenciesOption(),
    new Option('--demo <1|0>', 'whether games can be played for fun, without a session')
      .argParser(parseSwitch)
      .env('ROUNDHOUSE_DEMO')
      .default(false, '0'),
    new Option('--require-sync [1|0]', 'refuse to start when no standby confirms each commit')
      .preset('1')
      .argParser(parseSwitch)
      .env('ROUNDHOUSE_REQUIRE_SYNC')
      .default(false, '0'),
    portOption(),
    hostOption(),
    dataOption(),
    logLevelOption('info'),
    publicUrlOption('--public-url <url>', 'address of the server for browsers, when it is behind a proxy'),
    trustedProxiesOption(),
    drainOption(),
    maxConnectionsOption(),
    new Option(
      '--database-seconds <number>',
      'time that a statement for a player may take in the database; 2 s later the server gives up a missing response',
    )
      .argParser(wholeNumber({ least: 1, most: 60 }))
      .env('ROUNDHOUSE_DATABASE_SECONDS')
      .default(8),
    new Option(
      '--session-retention-days <number>',
      'how long sessions and launches are kept after they have expired; rounds are kept for ever',
    )
      .argParser(wholeNumber({ least: 1, most: 3_650 }))
      .env('ROUNDHOUSE_SESSION_RETENTION_DAYS')
      .default(30),
    new Option(
      '--unknown-sessions-per-second <number>',
      'unknown sessions of one address that each process verifies with an operator, and requests of one address without a valid signature; 0 is no limit',
    )
      .argParser(wholeNumber({ least: 0, most: 1_000_000 }))
      .env('ROUNDHOUSE_UNKNOWN_SESSIONS_PER_SECOND')
      .default(100),
    new Option(
      '--audit-seconds <number>',
      'pause after which the node verifies the next 20,000 events of the log of significant events; 0 never verifies',
    )
      .argParser(wholeNumber({ least: 0, most: 86_400 }))
      .env('ROUNDHOUSE_AUDIT_SECONDS')
      .default(60),
    new Option('--workers <number>', 'processes that serve; they share the port')
      .argParser(wholeNumber({ least: 1, most: MAX_WORKERS, unit: ' of workers' }))
      .env('ROUNDHOUSE_WORKERS')
      // One core stays for the rest of the machine; with two cores a second worker brings nothing
      // (docs/performance.md).
      .default(Math.max(1, Math.min(os.availableParallelism() - 1, MAX_WORKERS))),
    new Option('--max-rtp <percent>', 'highest RTP that a mode of a game may have; a game that returns more is refused')
      .argParser(parsePercent)
      .env('ROUNDHOUSE_MAX_RTP')
      // A higher RTP costs an operator money with every play.
      .default(100),
    manifestOption(),
    manifestKeyOption('--manifest-key <file>'),
    new Option('--on-mismatch <policy>', 'what happens when the installation does not match its manifest')
      .choices(['log', 'stop-rounds'])
      .env('ROUNDHOUSE_ON_MISMATCH')
      .default('log'),
  ];
  for (const option of options) command.addOption(option);
  return command;
}

/** A launch URL can carry this address of the server. */
export function publicUrlOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(parsePublicUrl).env('ROUNDHOUSE_PUBLIC_URL');
}

export function drainOption(): Option {
  return new Option(
    '--drain-seconds <number>',
    'time from "not ready" to a closed port when the server stops, for a proxy to notice',
  )
    .argParser(wholeNumber({ least: 0, most: 300 }))
    .env('ROUNDHOUSE_DRAIN_SECONDS')
    .default(0);
}

export function maxConnectionsOption(): Option {
  return new Option(
    '--max-connections <number>',
    'connections that a process keeps open at the same time; more are turned away',
  )
    .argParser(wholeNumber({ least: 1, most: MAX_CONNECTIONS }))
    .env('ROUNDHOUSE_MAX_CONNECTIONS')
    .default(DEFAULT_LIMITS.maxConnections);
}

export function trustedProxiesOption(): Option {
  return new Option(
    '--trusted-proxies <list>',
    'proxies whose X-Forwarded-For gives the address of a client, for example loopback,10.0.0.0/8; "none" trusts nobody',
  )
    .argParser(parseProxies)
    .env('ROUNDHOUSE_TRUSTED_PROXIES')
    .default([], 'none');
}

function parsePublicUrl(text: string): string {
  const url = resolveRgsUrl(parseBaseUrl(text));
  if (url === undefined) throw new InvalidArgumentError('A launch URL cannot carry this address.');
  return url;
}

function parsePercent(text: string): number {
  const percent = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || percent <= 0) {
    throw new InvalidArgumentError('A percentage above 0, for example 97.5.');
  }
  return percent;
}

function parseProxies(text: string): string[] {
  const proxies = text === 'none' ? [] : text.split(',').map((each) => each.trim());
  const wrong = proxies.find((proxy) => !isProxy(proxy));
  if (wrong === undefined) return proxies;
  throw new InvalidArgumentError(
    `"${wrong}" is not one of: an address, a range like 10.0.0.0/8, ${[...NAMED_RANGES].join(', ')}.`,
  );
}

/** A range of 0 bits is refused: it would let every client choose its own address. */
function isProxy(text: string): boolean {
  if (NAMED_RANGES.has(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const family = net.isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= BITS[family as 4 | 6];
}
