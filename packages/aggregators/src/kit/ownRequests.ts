import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Returns whether a request comes from this machine's own programs and pages: a page of another
 * origin, or of a name that leads here, must not play with the simulator.
 */
export function isOwnRequest({ headers: { host = '', origin } }: IncomingMessage): boolean {
  return LOOPBACK.test(host) && (origin === undefined || origin === `http://${host}`);
}
