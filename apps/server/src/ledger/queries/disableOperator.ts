import type { Database } from '../database.ts';

/**
 * Disables an operator or enables it again, on every node at once; false when there is none of this code. Its players get
 * ERR_MAINTENANCE, by the switch that the commands of rounds read, and it launches nothing. What is owed to its wallet is still sent.
 */
export async function disableOperator(
  db: Database,
  { code, disabled }: { code: string; disabled: boolean },
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const { count } = await tx.operator.updateMany({ where: { code }, data: { disabled } });
    if (count === 0) return false;
    const key = { scope: 'operator' as const, target: code };
    const level = 'nothing_at_all' as const;
    if (disabled) {
      await tx.maintenance.upsert({ where: { scope_target: key }, create: { ...key, level }, update: { level } });
    } else {
      await tx.maintenance.deleteMany({ where: key });
    }
    return true;
  });
}
