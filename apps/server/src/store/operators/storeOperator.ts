import type { Draws } from '@roundhouse/contract';
import type { Operator, Prisma } from '../generated/client.ts';
import { drawKindOf } from '../rounds/draws.ts';
import type { OperatorLimits, OperatorSettings } from './operators.ts';

/** The rules of a change of an operator hold within one transaction. */
export type OperatorTransaction = Prisma.TransactionClient;

/**
 * Blocks other changes of operators, and new players of this one. Returns the operator, if there is
 * one.
 */
export async function lockOperator(tx: OperatorTransaction, code: string): Promise<Operator | undefined> {
  await tx.$executeRaw`LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE`;
  await tx.$executeRaw`SELECT 1 FROM operators WHERE code = ${code} FOR UPDATE`;
  return (await tx.operator.findUnique({ where: { code } })) ?? undefined;
}

export async function hasPlayerAccount(tx: OperatorTransaction, operatorID: number): Promise<boolean> {
  return (await tx.account.findFirst({ where: { operatorId: operatorID, kind: 'player' } })) !== null;
}

/** Returns the code of the default operator, unless it is this one. */
export async function findOtherDefault(tx: OperatorTransaction, code: string): Promise<string | undefined> {
  const other = await tx.operator.findFirst({ where: { isDefault: true, code: { not: code } } });
  return other?.code;
}

/** null removes the limit of a currency; a limit that is left out stays. */
export type LimitsChange = Pick<OperatorLimits, 'currency'> & Partial<OperatorLimits>;

/** An absent field stays as it is. */
type OperatorColumns = OperatorSettings &
  Pick<Operator, 'wallet' | 'walletUrl' | 'secrets'> &
  Partial<Omit<Operator, 'draws' | 'jurisdiction'>> & { draws?: Draws | null };

/** Creates or changes the operator with its limits. */
export async function storeOperator(
  tx: OperatorTransaction,
  code: string,
  { draws, limits, ...settings }: OperatorColumns & { limits: readonly LimitsChange[] },
) {
  const columns = { ...settings, ...(draws !== undefined && { draws: drawKindOf(draws) }) };
  const { id } = await tx.operator.upsert({
    where: { code },
    create: { ...columns, code, name: settings.name ?? code },
    update: columns,
  });
  await changeLimits(tx, id, limits);
  return tx.operator.findUniqueOrThrow({ where: { id }, include: { limits: true } });
}

async function changeLimits(
  tx: OperatorTransaction,
  operatorId: number,
  limits: readonly LimitsChange[],
): Promise<void> {
  for (const { currency, ...change } of limits) {
    await tx.operatorLimit.upsert({
      where: { operatorId_currency: { operatorId, currency } },
      create: { ...change, operatorId, currency },
      update: change,
    });
  }
  await tx.operatorLimit.deleteMany({
    where: {
      operatorId,
      maxBetMicros: null,
      dailyWagerLimitMicros: null,
      dailyLossLimitMicros: null,
      largeBetMicros: null,
      largeWinMicros: null,
      largeDailyWagerMicros: null,
      largeDailyWinMicros: null,
      maxGrantLiabilityMicros: null,
    },
  });
}
