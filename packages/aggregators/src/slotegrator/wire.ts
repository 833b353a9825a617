import { createHmac, randomBytes } from 'node:crypto';

/** What --dialect-settings has, as far as the operator needs it. */
export type SlotegratorSettings = { merchantID: string; merchantKey: string; callbackPath: string };

export const MERCHANT = 'roundhouse-merchant';
export const CALLBACK = '/callback';
export const FORM = 'application/x-www-form-urlencoded';

/** Names and values in their order. A name of a nested value has brackets. */
export type Params = readonly (readonly [string, string])[];

/** Does what PHP's `urlencode` does, byte by byte. */
function urlencode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (character === ' ') return '+';
      return /[A-Za-z0-9_.-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

export function formOf(params: Params): string {
  return params.map(([name, value]) => `${urlencode(name)}=${urlencode(value)}`).join('&');
}

export type Signed = { merchant: string; timestamp: string; nonce: string };

/** The text that is signed: the parameters and headers in the order of the outer names. */
export function signedText(
  params: Params,
  { merchant, timestamp, nonce }: Signed,
  write: (params: Params) => string = formOf,
): string {
  const groups = new Map<string, [string, string][]>();
  const headers: Params = [
    ['X-Merchant-Id', merchant],
    ['X-Timestamp', timestamp],
    ['X-Nonce', nonce],
  ];
  for (const [name, value] of [...params, ...headers]) {
    const outer = name.replace(/\[.*$/, '');
    groups.set(outer, [...(groups.get(outer) ?? []), [name, value]]);
  }
  const names = [...groups.keys()].sort();
  return write(names.flatMap((name) => groups.get(name) ?? []));
}

export function signatureOf(text: string, key: string): string {
  return createHmac('sha1', key).update(text).digest('hex');
}

/** The headers of a request that is signed now, or when `signed` says. */
export function headersOf(
  params: Params,
  { merchantID, merchantKey }: Pick<SlotegratorSettings, 'merchantID' | 'merchantKey'>,
  signed: Partial<Signed> = {},
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const all = { merchant: merchantID, timestamp, nonce: randomBytes(16).toString('hex'), ...signed };
  return {
    'content-type': FORM,
    'x-merchant-id': all.merchant,
    'x-timestamp': all.timestamp,
    'x-nonce': all.nonce,
    'x-sign': signatureOf(signedText(params, all), merchantKey),
  };
}

/** The aggregator's ids are 32 hex digits: a UUID without its dashes. */
export function uuidOf(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, VND: 0, CLP: 0, KWD: 3, TND: 3 };

export function decimalsOf(currency: string): number {
  return DECIMALS[currency] ?? 2;
}
