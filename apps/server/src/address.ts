import { resolveRgsUrl } from '@roundhouse/contract';

/** Where a server is for browsers. */
export type Address = {
  /** For example http://127.0.0.1:4000. */
  url: string;
  /** What a launch URL carries as rgs_url. */
  rgsUrl: string;
  /** The page of launch URLs, when another server than this one has it. */
  frontendUrl?: string;
};

/**
 * Under `roundhouse dev`: an address that stays valid, for a new session on the current version.
 */
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
  // Bare for a loopback host, since front ends that prepend a scheme themselves need it so;
  // elsewhere bare would mean https.
  return { url, rgsUrl: LOOPBACK.has(reachable) ? hostAndPort : url };
}

/**
 * The address that a proxy in front of the server has. Without its scheme as rgs_url, for the same
 * front ends, where that says the same.
 */
export function publicAddress(url: string): Address {
  const bare = url.replace(/^https?:\/\//, '');
  return { url, rgsUrl: resolveRgsUrl(bare) === url ? bare : url };
}
