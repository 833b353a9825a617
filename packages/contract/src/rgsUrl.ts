/** Long enough for any real address. */
const MAX_URL_LENGTH = 2048;
const FULL_URL = /^https?:\/\/[^/@]+(?:\/.*)?$/i;
const BARE_HOST = /^(?:\[[\da-f:.]+\]|[^/:@[\]]+)(?::\d{1,5})?(?:\/(?!\/).*)?$/i;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/**
 * The URL parser would drop the control characters in silence, and turn a backslash into a slash.
 * No path can follow a query or a fragment.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const FORBIDDEN = /[\s\u0000-\u001f\u007f\\?#]/;

/**
 * The server's address from the launch parameter `rgs_url`, without a slash at the end, so that a
 * path can follow it. A bare host, with port and path or without, becomes https; http when it is a
 * loopback host (localhost, 127.0.0.0/8, [::1]). A full http or https URL is taken as it is.
 * Undefined for anything else: other schemes, user names, queries, spaces, over 2048 characters.
 */
export function resolveRgsUrl(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH || FORBIDDEN.test(text)) return undefined;
  const url = FULL_URL.test(text) ? parseHttpUrl(text) : parseBareHost(text);
  return url && `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** The URL, or undefined when the text is not an absolute one. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The URL, or undefined when the text is not an absolute http or https URL. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = parseUrl(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

function parseBareHost(text: string): URL | undefined {
  if (!BARE_HOST.test(text)) return undefined;
  const plain = parseHttpUrl(`http://${text}`);
  if (plain && LOOPBACK_HOST.test(plain.hostname)) return plain;
  // Parsed again and not rewritten: each scheme drops its own default port.
  return parseHttpUrl(`https://${text}`);
}
