import type { Database } from '../database.ts';

/**
 * Encrypts the secrets of operators in the database: those in plain text, and with `all` those under an older key too. Answers the codes
 * of the operators of whom something was changed.
 * @throws SecretKeyError when one cannot be read or there is no key; then nothing is changed.
 */
export async function sealSecrets(db: Database, { all }: { all: boolean }): Promise<string[]> {
  const { secretKeys: keys } = db;
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE`;
    const operators = await tx.operator.findMany({
      where: { secrets: { isEmpty: false } },
      orderBy: { code: 'asc' },
      select: { code: true, secrets: true },
    });
    const changed: string[] = [];
    for (const { code, secrets: before } of operators) {
      const secrets = before.map((stored) => {
        const secret = keys.open(stored, code);
        return (all ? keys.isCurrent(stored) : secret !== stored) ? stored : keys.seal(secret, code);
      });
      if (secrets.every((each, index) => each === before[index])) continue;
      await tx.operator.update({ where: { code }, data: { secrets } });
      changed.push(code);
    }
    return changed;
  });
}
