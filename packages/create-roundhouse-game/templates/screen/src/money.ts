import { type Client, currencyFacts, formatAmount } from '@roundhouse/sdk';

export type Money = {
  /** Micros as the player reads them. */
  text(micros: number): string;
  /** A share of 1, such as an RTP. */
  percent(share: number): string;
  number(value: number): string;
};

/** Whether words and signs of money must not be shown. */
export function isSocial({ launch, state }: Client): boolean {
  const currency = state.balance?.currency ?? launch.currency;
  const isSocialCurrency = currency !== undefined && currencyFacts(currency).kind === 'social';
  return launch.social === true || state.config?.jurisdiction.socialCasino === true || isSocialCurrency;
}

export function createMoney(client: Client): Money {
  const { language, currency: launched = 'USD' } = client.launch;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  return {
    text(micros) {
      const currency = client.state.balance?.currency ?? launched;
      // A social casino that keeps its coins in a regular currency shows no sign of that one.
      const isCoins = isSocial(client) && currencyFacts(currency).kind !== 'social';
      return formatAmount(micros, isCoins ? 'XGC' : currency, { language });
    },
    percent: (share) => percent.format(share),
    number: (value) => number.format(value),
  };
}

/** Hundredths of a bet in micros, in whole numbers. */
export function payOf(betMicros: number, hundredths: number): number {
  return Number((BigInt(betMicros) * BigInt(hundredths)) / 100n);
}
