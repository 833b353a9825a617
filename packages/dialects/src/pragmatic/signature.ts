import { createHash } from 'node:crypto';

/** Parameters by name. An empty one is a missing one, for the hash too. */
export type Form = Readonly<Record<string, string | undefined>>;

/** The hash sorts them: thousands would take the time of a hundred launches. */
const MAX_PARAMS = 200;

/**
 * Reads form bodies and queries together. undefined: a name is there twice, or there are over 200.
 */
export function readForm(...texts: string[]): Form | undefined {
  if (texts.some((text) => text.split('&', MAX_PARAMS + 1).length > MAX_PARAMS)) return undefined;
  const given = texts.flatMap((text) => [...new URLSearchParams(text)]);
  const form = new Map(given);
  return form.size === given.length ? Object.fromEntries([...form].filter(([, value]) => value !== '')) : undefined;
}

/** Returns the body with its hash. */
export function writeForm(params: Form, secret: string): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => !!entry[1]);
  return String(new URLSearchParams([...given, ['hash', hashOf(params, secret)]]));
}

/** The hash is over the values before any encoding, in the order of the names, then the secret. */
export function hashOf(params: Form, secret: string): string {
  const given = Object.entries(params).filter(([name, value]) => name !== 'hash' && !!value);
  const text = given.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, value]) => `${name}=${value}`);
  return createHash('md5')
    .update(`${text.join('&')}${secret}`)
    .digest('hex');
}
