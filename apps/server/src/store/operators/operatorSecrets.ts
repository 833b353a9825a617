import type { CurrencyCode, Draws } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { walletTokenOwner } from '../database/secretKeys.ts';
import type { Prisma } from '../generated/client.ts';
import { drawsOf } from '../rounds/draws.ts';

/** The operator calls the operator API. */
export type CallingOperator = {
  operatorID: number;
  code: string;
  /** Each secret may sign. An operator without secrets cannot send requests. */
  secrets: readonly string[];
  /** The operator keeps its players' money; else the house does. */
  isSeamless: boolean;
  /** No player of the operator can play; pending credits and rollbacks are still sent. */
  isDisabled: boolean;
  sessionLifetimeMs: number;
  /** An empty list allows every currency. */
  currencies: readonly CurrencyCode[];
  /** Launches of the operator may use these languages beside the 16 of the protocol. */
  languages: readonly string[];
  /** How its sessions draw, when the launch does not say it; undefined: as the game says. */
  draws: Draws | undefined;
};

/**
 * Each request reads the secrets, so a removed one stops working at once on every node. Each
 * operator's secrets are decrypted by its own request, so that secrets of one operator that cannot
 * be decrypted fail no request of another.
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
      languages: true,
      draws: true,
      disabled: true,
    },
  });
  const byCode = new Map(operators.map((operator) => [operator.code, operator]));
  return codes.map((code) => {
    const operator = byCode.get(code);
    if (operator === undefined) return undefined;
    const { id, secrets, wallet, sessionLifetimeMs, currencies, languages, draws, disabled } = operator;
    return () => ({
      operatorID: id,
      code,
      secrets: secrets.map((each) => db.secretKeys.open(each, code)),
      isSeamless: wallet === 'seamless',
      isDisabled: disabled,
      sessionLifetimeMs,
      currencies: currencies as CurrencyCode[],
      languages,
      draws: drawsOf(draws) ?? undefined,
    });
  });
}

/**
 * begin: a new secret is added, the old one signs. finish: the new one stays. cancel: the old one
 * stays.
 */
export type RotationStep = { step: 'begin'; secret: string } | { step: 'finish' } | { step: 'cancel' };

/** Refusals are checked in this order. */
export type RotationRefusal = 'unknown' | 'no_secret' | 'under_way' | 'not_under_way';

/** Returns undefined on success. Two secrets exist only between the first step and the second. */
export async function rotateSecret(
  db: Database,
  code: string,
  rotation: RotationStep,
): Promise<RotationRefusal | undefined> {
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

/**
 * Encrypts the secrets of operators in the database: those in plain text, and with `all` those
 * under an older key too. Returns the codes of the changed operators.
 * @throws SecretKeyError when a secret cannot be decrypted or there is no key; then nothing
 * changes.
 */
export async function sealSecrets(db: Database, { all }: { all: boolean }): Promise<string[]> {
  const { secretKeys: keys } = db;
  return db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE`;
    const operators = await tx.operator.findMany({
      where: { OR: [{ secrets: { isEmpty: false } }, { dialectSettings: { not: null } }] },
      orderBy: { code: 'asc' },
      select: { id: true, code: true, secrets: true, dialectSettings: true },
    });
    const changed: string[] = [];
    const sealAnew = (stored: string, owner: string) => {
      const secret = keys.open(stored, owner);
      return (all ? keys.isCurrent(stored) : secret !== stored) ? stored : keys.seal(secret, owner);
    };
    for (const { id, code, ...before } of operators) {
      const secrets = before.secrets.map((stored) => sealAnew(stored, code));
      const dialectSettings = before.dialectSettings && sealAnew(before.dialectSettings, code);
      if (dialectSettings !== null) await sealTokens(tx, id, (stored) => sealAnew(stored, walletTokenOwner(code)));
      const isSame = secrets.every((each, index) => each === before.secrets[index]);
      if (isSame && dialectSettings === before.dialectSettings) continue;
      await tx.operator.update({ where: { code }, data: { secrets, dialectSettings } });
      changed.push(code);
    }
    return changed;
  });
}

/** The sessions of an operator keep the tokens of their launches. */
async function sealTokens(
  tx: Prisma.TransactionClient,
  operatorId: number,
  sealAnew: (stored: string) => string,
): Promise<void> {
  const where = { walletToken: { not: null }, player: { operatorId } };
  const sessions = await tx.session.findMany({ where, select: { id: true, walletToken: true } });
  for (const { id, walletToken } of sessions) {
    const sealed = walletToken && sealAnew(walletToken);
    if (sealed !== walletToken) await tx.session.update({ where: { id }, data: { walletToken: sealed } });
  }
}

/**
 * Marks the nonce of a request as used, on every node. Returns false when it was used before. The
 * nonce is kept for 15 minutes: a request may be signed up to 5 minutes ahead and is valid for 5
 * minutes after, and the clocks of nodes differ. Each request deletes up to ten expired ones, so
 * the table holds the requests of a quarter of an hour.
 */
export async function takeNonce(
  db: Database,
  { operatorID, nonce }: { operatorID: number; nonce: string },
): Promise<boolean> {
  const inserted = await db.$executeRaw`
    WITH expired AS (
      DELETE FROM operator_nonces n USING (
        SELECT operator_id, nonce
        FROM operator_nonces
        WHERE expires_at <= now()
        ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED
      ) old
      WHERE n.operator_id = old.operator_id AND n.nonce = old.nonce
    )
    INSERT INTO operator_nonces (operator_id, nonce, expires_at)
    VALUES (${operatorID}, ${nonce}, now() + interval '15 minutes')
    ON CONFLICT DO NOTHING`;
  return inserted === 1;
}

/**
 * Returns when the operator's request of this key came first, on any node, in the last 15 minutes;
 * that is now when it did not.
 */
export async function firstSeen(
  db: Pick<Database, '$queryRaw'>,
  { operatorID, key }: { operatorID: number; key: string },
): Promise<Date> {
  const [row] = await db.$queryRaw<{ at: Date }[]>`
    INSERT INTO operator_nonces AS n (operator_id, nonce, expires_at)
    VALUES (${operatorID}, ${key}, now() + interval '15 minutes')
    ON CONFLICT (operator_id, nonce) DO UPDATE
      SET expires_at = CASE WHEN n.expires_at <= now() THEN excluded.expires_at ELSE n.expires_at END
    RETURNING expires_at - interval '15 minutes' AS at`;
  if (row === undefined) throw new Error('the database returned no time of a request');
  return row.at;
}

/**
 * Lets the operator do something once in a time, on all nodes together. Returns false when it was
 * done less than `everyMs` ago.
 * @param name what is done; the nonce of a request has no blank, so a name with a blank is not one
 */
export async function takeTurn(
  db: Pick<Database, '$executeRaw'>,
  { operatorID, name, everyMs }: { operatorID: number; name: string; everyMs: number },
): Promise<boolean> {
  const taken = await db.$executeRaw`
    INSERT INTO operator_nonces AS n (operator_id, nonce, expires_at)
    VALUES (${operatorID}, ${name}, now() + ${everyMs} * interval '1 millisecond')
    ON CONFLICT (operator_id, nonce) DO UPDATE SET expires_at = excluded.expires_at
    WHERE n.expires_at <= now()`;
  return taken === 1;
}

/** Forgets the nonce of a request that has changed nothing: the same request may come again. */
export async function forgetNonce(
  db: Pick<Database, '$executeRaw'>,
  { operatorID, nonce }: { operatorID: number; nonce: string },
): Promise<void> {
  await db.$executeRaw`DELETE FROM operator_nonces WHERE operator_id = ${operatorID} AND nonce = ${nonce}`;
}

/** Returns who last changed the secrets of an operator, and when. */
export async function lastSecretsChange(
  db: Pick<Database, '$queryRaw'>,
  code: string,
): Promise<{ actor: string; at: Date } | undefined> {
  const [change] = await db.$queryRaw<{ actor: string; at: Date }[]>`
    SELECT actor, at
    FROM significant_events
    WHERE kind = 'operator_changed' AND subject = ${`operator ${code}`} AND value_after LIKE '%"secrets_changed"%'
    ORDER BY id DESC LIMIT 1`;
  return change;
}
