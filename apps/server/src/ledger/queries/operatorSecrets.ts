import type { CurrencyCode } from '@roundhouse/contract';
import type { Database } from '../database.ts';

/** An operator as a caller of the operator API. */
export type CallingOperator = {
  operatorID: number;
  code: string;
  /** Each of them may sign. None: this operator cannot call. */
  secrets: readonly string[];
  /** The operator keeps its players' money; else the house does. */
  isSeamless: boolean;
  /** Nobody plays there any more; what is open and owed is finished. */
  isDisabled: boolean;
  sessionLifetimeMs: number;
  /** Empty for all. */
  currencies: readonly CurrencyCode[];
};

/**
 * Read anew for each call: a secret that is taken away ends at once, on every node. Each is opened for its own caller, so that the
 * secrets of one operator that cannot be opened fail no call of another.
 */
export async function findCallingOperators(
  db: Database,
  codes: readonly string[],
): Promise<((() => CallingOperator) | undefined)[]> {
  const operators = await db.operator.findMany({
    where: { code: { in: [...new Set(codes)] } },
    select: {
      id: true,
      code: true,
      secrets: true,
      wallet: true,
      sessionLifetimeMs: true,
      currencies: true,
      disabled: true,
    },
  });
  const byCode = new Map(operators.map((operator) => [operator.code, operator]));
  return codes.map((code) => {
    const operator = byCode.get(code);
    if (operator === undefined) return undefined;
    const { id, secrets, wallet, sessionLifetimeMs, currencies, disabled } = operator;
    return () => ({
      operatorID: id,
      code,
      secrets: secrets.map((each) => db.secretKeys.open(each, code)),
      isSeamless: wallet === 'seamless',
      isDisabled: disabled,
      sessionLifetimeMs,
      currencies: currencies as CurrencyCode[],
    });
  });
}
