import type { Database } from '../database.ts';

/** How an operator's wallet is reached. */
export type WalletOperator = {
  operatorID: number;
  code: string;
  url: string;
  /** The first one signs, all of them verify. */
  secrets: readonly string[];
  timeoutMs: number;
  /** The game of sessions that come without a launch, when the operator has named one. */
  defaultGame: string | undefined;
  /** Nobody plays there any more; credits and rollbacks are sent all the same. */
  isDisabled: boolean;
  /** Its wallet is not asked about sessions that it has not launched here. */
  launchedOnly: boolean;
};

type Choice = { operatorID: number } | { code: string };

/** The operator with a wallet of its own, by number or by code. */
export async function findWalletOperator(db: Database, choice: Choice): Promise<WalletOperator | undefined> {
  const where = 'code' in choice ? { code: choice.code } : { id: choice.operatorID };
  const operator = await db.operator.findFirst({ where: { ...where, wallet: 'seamless' } });
  if (operator === null || operator.walletUrl === null) return undefined;
  const { id, code, walletUrl, secrets, walletTimeoutMs, defaultGame, disabled, launchedOnly } = operator;
  return {
    operatorID: id,
    code,
    url: walletUrl,
    secrets: secrets.map((each) => db.secretKeys.open(each, code)),
    timeoutMs: walletTimeoutMs,
    defaultGame: defaultGame ?? undefined,
    isDisabled: disabled,
    launchedOnly,
  };
}
