import { type Micros, multiplyMicros, toMicros } from '@roundhouse/contract/light';

/**
 * What a play takes from the balance, in micros: the base bet times the cost multiplier of the mode, exactly
 * (interface document, section 1 "Bet levels and bet modes", rule 4).
 * @throws RangeError when the amount is not whole micros, or the product is not
 */
export function debitOf({ amount, costMultiplier }: { amount: number; costMultiplier: number }): Micros {
  // The shortest text that names the number is the decimal that the server wrote.
  const debit = multiplyMicros(toMicros(amount), String(costMultiplier));
  if (debit === undefined) throw new RangeError(`no whole micros: ${amount} times ${costMultiplier}`);
  return debit;
}
