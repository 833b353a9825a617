import { amountText } from '../lib/money.ts';
import classes from './Amount.module.css';

type Props = {
  /** Micros as on the wire; a sum comes as text. */
  micros: number | string | bigint | null | undefined;
  currency: string;
  /** Colours a loss and a gain, and shows the plus sign. */
  isSigned?: boolean;
};

/** Shows an amount in the notation of its currency, exactly; a dash if it is missing. */
export function Amount({ micros, currency, isSigned = false }: Props) {
  if (micros === null || micros === undefined) return <span className={classes.amount}>–</span>;
  const value = BigInt(micros);
  const sign = value === 0n ? undefined : value < 0n ? 'minus' : 'plus';
  return (
    <span className={classes.amount} data-sign={isSigned ? sign : undefined} title={currency}>
      {isSigned && sign === 'plus' ? '+' : ''}
      {amountText(micros, currency)}
    </span>
  );
}
