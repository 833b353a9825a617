import { Amount } from '../../components/Amount.tsx';

const MICROS_PER_UNIT = 1_000_000;

/** Shows a bet. The limits for all other currencies are in plain units. */
export function BetAmount({ micros, currency }: { micros: number; currency: string }) {
  if (currency !== 'default') return <Amount micros={micros} currency={currency} />;
  return <>{(micros / MICROS_PER_UNIT).toLocaleString('en', { maximumFractionDigits: 6 })}</>;
}
