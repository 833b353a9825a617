import { createHmac } from 'node:crypto';

/** What --dialect-settings has, as far as the aggregator needs it. */
export type SoftswissSettings = {
  casinos: [{ id: string; token: string; path?: string }];
  currencies: Readonly<Record<string, { code: string; decimals: number; shift: number }>>;
};

export const SIGNATURE_HEADER = 'x-request-sign';
export const RPC_PATH = '/v2/provider_a8r.';
export const RPCS = ['Player/Balance', 'Round/BetWin', 'Round/Finish', 'Round/Rollback', 'Freespins/Finish'] as const;
export type Rpc = (typeof RPCS)[number];

/** One micro of UBTC is the hundred-millionth part of 0.01 BTC: a satoshi is 0.01 UBTC. */
export const CURRENCIES: SoftswissSettings['currencies'] = { UBTC: { code: 'BTC', decimals: 8, shift: 6 } };

export function signatureOf(body: string | Buffer, token: string): string {
  return createHmac('sha256', token).update(body).digest('hex');
}

const DECIMALS: Readonly<Record<string, number>> = { BTC: 8, JPY: 0, KRW: 0, VND: 0, CLP: 0, KWD: 3, TND: 3 };

export function decimalsOf(currency: string): number {
  return DECIMALS[currency] ?? 2;
}
