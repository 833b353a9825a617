import { createHash } from 'node:crypto';
import { type CurrencyCode, type Micros, type PartialJurisdiction, toMicros } from '@roundhouse/contract';
import type { Database } from '../database.ts';
import type { Operator, OperatorLimit } from '../generated/client.ts';
import { openIfReadable, type SecretKeys } from '../secretKeys.ts';

export type OperatorSettings = {
  name?: string;
  sessionTimeoutMs?: number;
  sessionLifetimeMs?: number;
  /** ISO 3166-1 alpha-2. An empty list allows every country that is not blocked. */
  allowedCountries?: string[];
  blockedCountries?: string[];
  /** What every session of the operator starts from; a session may set it further. */
  jurisdiction?: PartialJurisdiction;
};

/** What no player of an operator may exceed in one currency; null: no such limit. The daily ones count one day of UTC. */
export type OperatorLimits = {
  currency: CurrencyCode;
  maxBetMicros: Micros | null;
  dailyWagerLimitMicros: Micros | null;
  dailyLossLimitMicros: Micros | null;
};

export type OperatorRecord = Required<OperatorSettings> & {
  code: string;
  /** Where the operator's own wallet is; null: the house wallet keeps its players' money. */
  walletUrl: string | null;
  walletTimeoutMs: number;
  /** Of each secret the first four hexadecimal characters of its SHA-256, the one that signs first; `????` without its key. */
  secretFingerprints: string[];
  /** An empty list allows every currency. */
  currencies: string[];
  defaultGame: string | null;
  isDefault: boolean;
  /** Nobody plays there any more. */
  isDisabled: boolean;
  /** Sessions that it has not launched here are unknown. */
  launchedOnly: boolean;
  limits: OperatorLimits[];
};

const FINGERPRINT_CHARACTERS = 4;

/** Makes the operator when it is new, and changes only what is given when it is not. Its wallet: see changeOperator. */
export async function setOperator(db: Database, code: string, settings: OperatorSettings): Promise<void> {
  // Several nodes may start at once. Prisma's upsert would look and then insert; this is one ON CONFLICT DO NOTHING.
  await db.operator.createMany({ data: { ...settings, code, name: settings.name ?? code }, skipDuplicates: true });
  await db.operator.updateMany({ where: { code }, data: settings });
}

export async function listOperators(db: Database): Promise<OperatorRecord[]> {
  const operators = await db.operator.findMany({ orderBy: { code: 'asc' }, include: { limits: true } });
  return operators.map((each) => recordOf(each, db.secretKeys));
}

export function recordOf(operator: Operator & { limits: OperatorLimit[] }, keys: SecretKeys): OperatorRecord {
  const { code, name, sessionTimeoutMs, sessionLifetimeMs, allowedCountries, blockedCountries } = operator;
  const { wallet, walletUrl, walletTimeoutMs, currencies, defaultGame, isDefault, launchedOnly } = operator;
  return {
    code,
    name,
    sessionTimeoutMs,
    sessionLifetimeMs,
    allowedCountries,
    blockedCountries,
    jurisdiction: operator.jurisdiction as PartialJurisdiction,
    walletUrl: wallet === 'seamless' ? walletUrl : null,
    walletTimeoutMs,
    secretFingerprints: operator.secrets.map((each) => fingerprintOf(each, { keys, code })),
    currencies,
    defaultGame,
    isDefault,
    isDisabled: operator.disabled,
    launchedOnly,
    limits: operator.limits.map(limitsOf).sort((a, b) => (a.currency < b.currency ? -1 : 1)),
  };
}

/** Tells two secrets apart and gives neither away. */
function fingerprintOf(stored: string, { keys, code }: { keys: SecretKeys; code: string }): string {
  const secret = openIfReadable(keys, stored, code);
  if (secret === undefined) return '?'.repeat(FINGERPRINT_CHARACTERS);
  return createHash('sha256').update(secret).digest('hex').slice(0, FINGERPRINT_CHARACTERS);
}

function limitsOf(row: OperatorLimit): OperatorLimits {
  const micros = (limit: bigint | null) => (limit === null ? null : toMicros(limit));
  return {
    currency: row.currency as CurrencyCode,
    maxBetMicros: micros(row.maxBetMicros),
    dailyWagerLimitMicros: micros(row.dailyWagerLimitMicros),
    dailyLossLimitMicros: micros(row.dailyLossLimitMicros),
  };
}

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
