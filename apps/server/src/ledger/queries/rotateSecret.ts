import type { Database } from '../database.ts';

/** begin: a new secret is added, the old one signs. finish: the new one stays. cancel: the old one stays. */
export type RotationStep = { step: 'begin'; secret: string } | { step: 'finish' } | { step: 'cancel' };

/** In the order in which they are answered. */
export type RotationFault = 'unknown' | 'no_secret' | 'under_way' | 'not_under_way';

/** Answers undefined when it is done. Two secrets are there only between the first step and the second. */
export async function rotateSecret(
  db: Database,
  code: string,
  rotation: RotationStep,
): Promise<RotationFault | undefined> {
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM operators WHERE code = ${code} FOR NO KEY UPDATE`;
    const operator = await tx.operator.findUnique({ where: { code } });
    if (operator === null) return 'unknown';
    const [first, second] = operator.secrets;
    if (first === undefined) return 'no_secret';
    if (rotation.step === 'begin' && second !== undefined) return 'under_way';
    if (rotation.step !== 'begin' && second === undefined) return 'not_under_way';
    const secrets =
      rotation.step === 'begin'
        ? [first, db.secretKeys.seal(rotation.secret, code)]
        : [rotation.step === 'finish' ? (second ?? first) : first];
    await tx.operator.update({ where: { code }, data: { secrets } });
    return undefined;
  });
}
