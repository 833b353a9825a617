import { Amount } from '../../components/Amount.tsx';
import { amountText } from '../../lib/money.ts';

/** Shows a bet. The limits for all other currencies are in plain units. */
export function BetAmount({ micros, currency }: { micros: number; currency: string }) {
  return currency === 'default' ? amountText(micros) : <Amount micros={micros} currency={currency} />;
}
