import { isWellFormedText } from './text.ts';

/** No real address is longer, in characters. */
export const MAX_URL_LENGTH = 2048;
const FULL_URL = /^https?:\/\/[^/@]+(?:\/.*)?$/i;
const BARE_HOST = /^(?:\[[\da-f:.]+\]|[^/:@[\]]+)(?::\d{1,5})?(?:\/(?!\/).*)?$/i;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const HTTP_URL = /^https?:\/\//i;
/**
 * The URL parser drops line breaks, tabs and what is at the ends, in silence. The text that is
 * kept, logged and compared would be another one than the address that opens.
 */
const DROPPED = /^\s|\s$|\p{Cc}/u;
/**
 * The URL parser would turn a backslash into a slash. No path can follow a query or a fragment.
 */
const FORBIDDEN = /[\s\\?#]/;

/**
 * Returns the server's address from the launch parameter `rgs_url`, without a slash at the end, so
 * that a path can follow it. A bare host, with port and path or without, becomes https; http when
 * it is a loopback host (localhost, 127.0.0.0/8, [::1]). A full http or https URL is taken as it
 * is. It is undefined for anything else: other schemes, user names, queries, spaces, over 2048
 * characters.
 */
export function resolveRgsUrl(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH || FORBIDDEN.test(text)) return undefined;
  const url = FULL_URL.test(text) ? parseHttpUrl(text) : parseBareHost(text);
  return url && `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Reads the URL, or undefined when the text is not an absolute one, holds a control character or
 * half a surrogate pair, or begins or ends with white space.
 */
export function parseUrl(text: string): URL | undefined {
  if (DROPPED.test(text) || !isWellFormedText(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Does the same as parseUrl, and returns undefined when the text does not begin with `http://` or
 * `https://`.
 */
export function parseHttpUrl(text: string): URL | undefined {
  return HTTP_URL.test(text) ? parseUrl(text) : undefined;
}

function parseBareHost(text: string): URL | undefined {
  if (!BARE_HOST.test(text)) return undefined;
  const plain = parseHttpUrl(`http://${text}`);
  if (plain && LOOPBACK_HOST.test(plain.hostname)) return plain;
  // The text is parsed again, not rewritten: each scheme drops its own default port.
  return parseHttpUrl(`https://${text}`);
}
