import { createHmac } from 'node:crypto';

/** Names and values in their order. A name of a nested value has brackets: `list[0][id]`. */
export type Params = readonly (readonly [name: string, value: string])[];
/** Those that are signed with the parameters. */
export type SignedHeaders = { merchant: string; timestamp: string; nonce: string };

/** Writes a form body or a query as PHP's `http_build_query` does. */
export function formOf(params: Params): string {
  return params.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

/** PHP's `urlencode` leaves only letters, digits, "-", "_" and "." as they are. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/**
 * Returns the X-Sign: parameters and headers together, in the order of their names, written as a
 * query, under HMAC-SHA1. PHP sorts the outer names, so a nested value keeps its inner order.
 */
export function signatureOf(params: Params, { merchant, timestamp, nonce }: SignedHeaders, key: string): string {
  const headers: Params = [
    ['X-Merchant-Id', merchant],
    ['X-Timestamp', timestamp],
    ['X-Nonce', nonce],
  ];
  const outer = (name: string) => name.split('[', 1)[0] ?? '';
  const sorted = [...params, ...headers].sort(([one], [other]) =>
    Buffer.compare(Buffer.from(outer(one)), Buffer.from(outer(other))),
  );
  return createHmac('sha1', key).update(formOf(sorted)).digest('hex');
}
