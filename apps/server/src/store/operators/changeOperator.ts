import type { Draws } from '@roundhouse/contract';
import type { Database } from '../database/database.ts';
import { openIfReadable, type SecretKeys } from '../database/secretKeys.ts';
import type { Operator, Prisma } from '../generated/client.ts';
import { drawKindOf } from '../rounds/draws.ts';
import {
  type OperatorLimits,
  type OperatorRecord,
  type OperatorSettings,
  OWN_PROTOCOL,
  recordOf,
} from './operators.ts';

/** null removes the limit of a currency; a limit that is left out stays. */
export type LimitsChange = Pick<OperatorLimits, 'currency'> & Partial<OperatorLimits>;

/** The protocol of a wallet, with what it demands. */
export type DialectChange = {
  name: string;
  /** JSON, stored as secrets are. */
  settings: string;
  freeRounds: boolean;
  completesRounds: boolean;
};

export type OperatorChange = OperatorSettings & {
  /** The operator's own wallet has this base URL; null: the house wallet. */
  walletUrl?: string | null;
  walletTimeoutMs?: number;
  dialect?: DialectChange;
  /** The secret replaces all others, unless it is one of them. */
  secret?: string;
  currencies?: string[];
  /** Launches may use these languages beside the 16 of the protocol. */
  languages?: string[];
  /** Sessions without a launch play this game; null: none. */
  defaultGame?: string | null;
  isDefault?: boolean;
  /**
   * Sessions that the operator has not launched here are refused without a session verification.
   */
  launchedOnly?: boolean;
  /** The wallet of the operator knows free rounds. */
  freeRounds?: boolean;
  /** A grant has at most so many rounds. */
  maxFreeRounds?: number;
  /** How the rounds of new sessions are drawn, unless a launch says it; null: as the game says. */
  draws?: Draws | null;
  limits?: readonly LimitsChange[];
};

/** Refusals are checked in this order. */
export type OperatorRefusal =
  | { kind: 'taken' }
  | { kind: 'unknown' }
  | { kind: 'has_players' }
  | { kind: 'dialect_of_players' }
  | { kind: 'dialect_without_wallet' }
  | { kind: 'completion_forbidden' }
  | { kind: 'default_without_wallet' }
  | { kind: 'other_default'; code: string };

/**
 * newSecret is the generated secret, when the operator needs one and none was given. The command
 * shows it once.
 */
export type ChangeOutcome =
  | { ok: true; operator: OperatorRecord; newSecret: string | undefined }
  | { ok: false; refusal: OperatorRefusal };

/**
 * add: the operator must be new. set: it must exist. add_or_set allows both, for scripts that run
 * again.
 */
export type ChangeKind = 'add' | 'set' | 'add_or_set';

type ChangeOptions = { code: string; kind: ChangeKind; change: OperatorChange; makeSecret: () => string };

/**
 * Creates an operator, or changes the given settings of one.
 * @throws SecretKeyError when there is a secret to store and no key to encrypt it.
 */
export async function changeOperator(
  db: Database,
  { code, kind, change, makeSecret }: ChangeOptions,
): Promise<ChangeOutcome> {
  return db.$transaction(async (tx) => {
    // The lock blocks other changes of operators, and new players of this one.
    await tx.$executeRaw`LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE`;
    await tx.$executeRaw`SELECT 1 FROM operators WHERE code = ${code} FOR UPDATE`;
    const current = await tx.operator.findUnique({ where: { code } });
    const walletUrl = change.walletUrl === undefined ? (current?.walletUrl ?? null) : change.walletUrl;
    const refusal = await refusalOf(tx, { code, kind, current, change, isSeamless: walletUrl !== null });
    if (refusal !== undefined) return { ok: false as const, refusal };

    const { walletUrl: _url, secret: _secret, dialect, draws, limits = [], ...settings } = change;
    const known = current?.secrets ?? [];
    const given = secretsAfter(known, { code, secret: change.secret, keys: db.secretKeys });
    const newSecret = walletUrl !== null && given.length === 0 ? makeSecret() : undefined;
    const secrets = newSecret === undefined ? given : [db.secretKeys.seal(newSecret, code)];
    // A wallet verifies sessions that name no operator; the house has no such wallet.
    const wallet =
      walletUrl === null ? { wallet: 'house' as const, isDefault: false } : { wallet: 'seamless' as const };
    const columns = {
      ...settings,
      ...wallet,
      ...(draws !== undefined && { draws: drawKindOf(draws) }),
      ...dialectColumns(dialect, { code, keys: db.secretKeys }),
      walletUrl,
      secrets,
    };
    const { id } = await tx.operator.upsert({
      where: { code },
      create: { ...columns, code, name: change.name ?? code },
      update: columns,
    });
    await changeLimits(tx, id, limits);
    const operator = await tx.operator.findUniqueOrThrow({ where: { id }, include: { limits: true } });
    return { ok: true as const, operator: recordOf(operator, db.secretKeys), newSecret };
  });
}

/** Only launched sessions have the token that the wallet of another protocol wants. */
function dialectColumns(dialect: DialectChange | undefined, { code, keys }: { code: string; keys: SecretKeys }) {
  if (dialect === undefined) return {};
  const { name, settings, freeRounds, completesRounds } = dialect;
  if (name === OWN_PROTOCOL) return { dialect: name, dialectSettings: null, completesRounds };
  return { dialect: name, dialectSettings: keys.seal(settings, code), launchedOnly: true, freeRounds, completesRounds };
}

type NewSecret = { code: string; secret: string | undefined; keys: SecretKeys };

/** Returns the secrets as stored in the database. A known secret does not end a rotation. */
function secretsAfter(known: readonly string[], { code, secret, keys }: NewSecret): string[] {
  if (secret === undefined || known.some((each) => openIfReadable(keys, each, code) === secret)) return [...known];
  return [keys.seal(secret, code)];
}

type Judged = {
  code: string;
  current: Operator | null;
  change: OperatorChange;
  kind: ChangeKind;
  isSeamless: boolean;
};

async function refusalOf(
  tx: Prisma.TransactionClient,
  { code, current, change, kind, isSeamless }: Judged,
): Promise<OperatorRefusal | undefined> {
  if (kind === 'add' && current !== null) return { kind: 'taken' };
  if (kind === 'set' && current === null) return { kind: 'unknown' };
  const isOtherWallet = current !== null && (current.wallet === 'seamless') !== isSeamless;
  const isOtherDialect = current !== null && change.dialect !== undefined && change.dialect.name !== current.dialect;
  if (isOtherWallet || isOtherDialect) {
    const account = await tx.account.findFirst({ where: { operatorId: current.id, kind: 'player' } });
    if (account !== null) return { kind: isOtherWallet ? 'has_players' : 'dialect_of_players' };
  }
  const dialect = change.dialect?.name ?? current?.dialect ?? OWN_PROTOCOL;
  if (dialect !== OWN_PROTOCOL && !isSeamless) return { kind: 'dialect_without_wallet' };
  const hours = change.completeRoundsAfterHours ?? null;
  const completesRounds = change.dialect?.completesRounds ?? current?.completesRounds ?? true;
  if (hours !== null && !completesRounds) return { kind: 'completion_forbidden' };
  if (change.isDefault !== true) return undefined;
  if (!isSeamless) return { kind: 'default_without_wallet' };
  const other = await tx.operator.findFirst({ where: { isDefault: true, code: { not: code } } });
  return other === null ? undefined : { kind: 'other_default', code: other.code };
}

async function changeLimits(
  tx: Prisma.TransactionClient,
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
