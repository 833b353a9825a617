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
