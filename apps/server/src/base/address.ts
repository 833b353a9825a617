import os from 'node:os';
import { resolveRgsUrl } from '@roundhouse/contract';

/** Browsers reach a server at these addresses. */
export type Address = {
  /** It is, for example, http://127.0.0.1:4000. */
  url: string;
  /** Launch URLs carry it as rgs_url. */
  rgsUrl: string;
  /** Launch URLs open this page when another server has it. */
  frontendUrl?: string;
};

/** The addresses of a node, as it registers itself. */
export type Listens = {
  host: string;
  port: number;
  /**
   * Other machines reach it at these, the best one first; none when it listens for its own machine.
   */
  addresses: string[];
};

/** The number of addresses that a machine with many networks prints at most. */
const MOST_ADDRESSES = 8;

/** Returns what a node registers that listens on this host, at this URL. */
export function listensAt(host: string, url: string): Listens {
  const { port: given, protocol } = new URL(url);
  // A URL leaves the usual port of its scheme out.
  const port = Number(given !== '' ? given : protocol === 'https:' ? 443 : 80);
  if (isLoopback(host)) return { host, port, addresses: [] };
  if (!isAnyAddress(host)) return { host, port, addresses: [host] };
  const found = Object.values(os.networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !/^(fe80:|169[.]254[.])/i.test(address))
    .sort((one, other) => one.family.localeCompare(other.family))
    .map(({ address }) => address);
  return { host, port, addresses: found.slice(0, MOST_ADDRESSES) };
}

/** Under `roundhouse dev` this path opens a new session on the current version. */
export const LAUNCH_PATH = '/launch';
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

export function isAnyAddress(host: string): boolean {
  return ANY_ADDRESS.has(host);
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host.replace(/^\[|\]$/g, ''));
}

/**
 * Returns the origins of browsers on this machine that reach the same port, the given one first. An
 * origin outside the loopback is returned alone.
 */
export function loopbackOrigins(origin: string): string[] {
  const url = new URL(origin);
  if (!isLoopback(url.hostname)) return [url.origin];
  const names = [...LOOPBACK].map((name) => (name.includes(':') ? `[${name}]` : name));
  return [...new Set([url.hostname, ...names])].map(
    (name) => Object.assign(new URL(url.origin), { hostname: name }).origin,
  );
}

export function listeningAddress({ host, port, isSecure }: { host: string; port: number; isSecure: boolean }): Address {
  const reachable = isAnyAddress(host) ? 'localhost' : host;
  const hostAndPort = `${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  const url = `${isSecure ? 'https' : 'http'}://${hostAndPort}`;
  // A loopback host goes without a scheme, because some front ends prepend one themselves. For
  // other hosts a missing scheme means https.
  return { url, rgsUrl: LOOPBACK.has(reachable) ? hostAndPort : url };
}

/**
 * Returns the address of the proxy in front of the server. rgs_url loses its scheme, for the same
 * front ends, where that means the same.
 */
export function publicAddress(url: string): Address {
  const bare = url.replace(/^https?:\/\//, '');
  return { url, rgsUrl: resolveRgsUrl(bare) === url ? bare : url };
}
