import { type Client, formatAmount, isSocial } from '@roundhouse/sdk';

export type Money = {
  /** Writes micros as the player reads them. */
  text(micros: number): string;
  /** Writes a share of 1, such as an RTP. */
  percent(share: number): string;
  number(value: number): string;
};

export function createMoney(client: Client): Money {
  const { language, currency: launched = 'USD' } = client.launch;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  return {
    text(micros) {
      const currency = client.state.balance?.currency ?? launched;
      return formatAmount(micros, currency, { language, social: isSocial(client) });
    },
    percent: (share) => percent.format(share),
    number: (value) => number.format(value),
  };
}

/** Returns the hundredths of a bet in micros, in whole numbers. */
export function payOf(betMicros: number, hundredths: number): number {
  return Number((BigInt(betMicros) * BigInt(hundredths)) / 100n);
}
