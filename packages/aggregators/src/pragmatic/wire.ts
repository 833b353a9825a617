import { createHash } from 'node:crypto';

/** What the rules need of --dialect-settings. */
export type PragmaticSettings = { secret: string; providerId: string };

export const PROVIDER = 'roundhouse';
export const FORM = 'application/x-www-form-urlencoded';

export type Params = Readonly<Record<string, string>>;

/** All parameters with a value, by name, as `name=value` with `&` between; then the secret. */
export function hashOf(params: Params, secret: string): string {
  const names = Object.keys(params).filter((name) => name !== 'hash' && params[name] !== '');
  const text = names.sort().map((name) => `${name}=${params[name]}`);
  return createHash('md5').update(text.join('&')).update(secret).digest('hex');
}

/** Returns a form with its hash. */
export function signedForm(params: Params, secret: string): string {
  return String(new URLSearchParams({ ...params, hash: hashOf(params, secret) }));
}

/** Amounts have two decimals, and three in these currencies. */
export function decimalsOf(currency: string): number {
  return ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].includes(currency) ? 3 : 2;
}
