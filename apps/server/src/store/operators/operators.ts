import { createHash } from 'node:crypto';
import { type CurrencyCode, type Draws, type Micros, type PartialJurisdiction, toMicros } from '@roundhouse/contract';
import { retryConflicts } from '@roundhouse/service';
import type { Database } from '../database/database.ts';
import { microsOrNull } from '../database/rowShape.ts';
import { openIfReadable, type SecretKeys } from '../database/secretKeys.ts';
import type { Operator, OperatorLimit } from '../generated/client.ts';
import { drawsOf } from '../rounds/draws.ts';
import { switchMaintenanceOff, switchMaintenanceOn } from '../rounds/maintenance.ts';
import { giveReason } from '../watch/significantEvents.ts';

export type OperatorSettings = {
  name?: string;
  sessionTimeoutMs?: number;
  sessionLifetimeMs?: number;
  /** Countries are ISO 3166-1 alpha-2. An empty list allows every country that is not blocked. */
  allowedCountries?: string[];
  blockedCountries?: string[];
  /** A session may override these defaults of the operator. */
  jurisdiction?: PartialJurisdiction;
  /** The hours after which the server completes a round that its player has left; null: never. */
  completeRoundsAfterHours?: number | null;
};

/**
 * The limits hold for every player of an operator in one currency; null: no limit. Daily limits
 * count one day of UTC.
 */
export type OperatorLimits = {
  currency: CurrencyCode;
  maxBetMicros: Micros | null;
  dailyWagerLimitMicros: Micros | null;
  dailyLossLimitMicros: Micros | null;
  /** Bets and wins from these amounts on are significant events. */
  largeBetMicros: Micros | null;
  largeWinMicros: Micros | null;
  /** A player's bets or wins of a day are also an event, when they add up to this amount. */
  largeDailyWagerMicros: Micros | null;
  largeDailyWinMicros: Micros | null;
  /** The most that the rounds of a grant may pay together. */
  maxGrantLiabilityMicros: Micros | null;
};

export type OperatorRecord = Required<OperatorSettings> & {
  code: string;
  /** The operator's own wallet has this base URL; null: the house wallet. */
  walletUrl: string | null;
  walletTimeoutMs: number;
  /** The wallet speaks this protocol. */
  dialect: string;
  /** The dialect has settings: keys and names, which nobody reads here. */
  hasDialectSettings: boolean;
  /**
   * A fingerprint is the first four hexadecimal digits of a secret's SHA-256; `????` without its
   * key. The first secret signs.
   */
  secretFingerprints: string[];
  /** An empty list allows every currency. */
  currencies: string[];
  /** Launches of the operator may use these languages beside the 16 of the protocol. */
  languages: string[];
  defaultGame: string | null;
  isDefault: boolean;
  /** No player of the operator can play. */
  isDisabled: boolean;
  /**
   * Sessions that the operator has not launched here are refused without a session verification.
   */
  launchedOnly: boolean;
  /** The wallet of the operator knows free rounds. The house wallet does, whatever this says. */
  freeRounds: boolean;
  /** The largest number of rounds in a grant. */
  maxFreeRounds: number;
  /** The wallet takes a debit that closes its lost round; only the server's own protocol asks. */
  closingDebits: boolean;
  /** How the rounds of new sessions are drawn, unless a launch says it; null: as the game says. */
  draws: Draws | null;
  limits: OperatorLimits[];
};

const FINGERPRINT_CHARACTERS = 4;

/**
 * Creates the operator, or changes the given settings of an existing one. For its wallet see
 * changeOperator.
 */
export async function setOperator(db: Database, code: string, settings: OperatorSettings): Promise<void> {
  // Several nodes may start at once: Prisma's upsert reads and then inserts, this is one ON
  // CONFLICT DO NOTHING.
  await db.operator.createMany({ data: { ...settings, code, name: settings.name ?? code }, skipDuplicates: true });
  await db.operator.updateMany({ where: { code }, data: settings });
}

export async function listOperators(db: Database): Promise<OperatorRecord[]> {
  const operators = await db.operator.findMany({ orderBy: { code: 'asc' }, include: { limits: true } });
  return operators.map((each) => recordOf(each, db.secretKeys));
}

type PageOptions = { code?: string | undefined; before?: bigint | undefined; limit: number };

/**
 * Reads one operator more than `limit`, the newest first, so that the caller sees whether a page
 * follows.
 */
export async function listOperatorPage(
  db: Database,
  { code, before, limit }: PageOptions,
): Promise<(OperatorRecord & { operatorID: number })[]> {
  const operators = await db.operator.findMany({
    where: { ...(code !== undefined && { code }), ...(before !== undefined && { id: { lt: Number(before) } }) },
    orderBy: { id: 'desc' },
    include: { limits: true },
    take: limit + 1,
  });
  return operators.map((each) => ({ operatorID: each.id, ...recordOf(each, db.secretKeys) }));
}

/** Returns undefined when there is no such operator. */
export async function findOperator(db: Database, code: string): Promise<OperatorRecord | undefined> {
  const operator = await db.operator.findUnique({ where: { code }, include: { limits: true } });
  return operator === null ? undefined : recordOf(operator, db.secretKeys);
}

export function recordOf(operator: Operator & { limits: OperatorLimit[] }, keys: SecretKeys): OperatorRecord {
  const { code, name, sessionTimeoutMs, sessionLifetimeMs, allowedCountries, blockedCountries } = operator;
  const { wallet, walletUrl, walletTimeoutMs, currencies, languages, defaultGame, isDefault, launchedOnly } = operator;
  return {
    code,
    name,
    sessionTimeoutMs,
    sessionLifetimeMs,
    allowedCountries,
    blockedCountries,
    jurisdiction: operator.jurisdiction as PartialJurisdiction,
    completeRoundsAfterHours: operator.completeRoundsAfterHours,
    walletUrl: wallet === 'seamless' ? walletUrl : null,
    walletTimeoutMs,
    dialect: operator.dialect,
    hasDialectSettings: operator.dialectSettings !== null,
    secretFingerprints: operator.secrets.map((each) => fingerprintOf(each, { keys, code })),
    currencies,
    languages,
    defaultGame,
    isDefault,
    isDisabled: operator.disabled,
    launchedOnly,
    freeRounds: operator.freeRounds,
    maxFreeRounds: operator.maxFreeRounds,
    closingDebits: operator.closingDebits,
    draws: drawsOf(operator.draws),
    limits: operator.limits.map(limitsOf).sort((a, b) => (a.currency < b.currency ? -1 : 1)),
  };
}

/** Distinguishes two secrets and reveals neither. */
function fingerprintOf(stored: string, { keys, code }: { keys: SecretKeys; code: string }): string {
  const secret = openIfReadable(keys, stored, code);
  if (secret === undefined) return '?'.repeat(FINGERPRINT_CHARACTERS);
  return createHash('sha256').update(secret).digest('hex').slice(0, FINGERPRINT_CHARACTERS);
}

function limitsOf(row: OperatorLimit): OperatorLimits {
  return {
    currency: row.currency as CurrencyCode,
    maxBetMicros: microsOrNull(row.maxBetMicros),
    dailyWagerLimitMicros: microsOrNull(row.dailyWagerLimitMicros),
    dailyLossLimitMicros: microsOrNull(row.dailyLossLimitMicros),
    largeBetMicros: microsOrNull(row.largeBetMicros),
    largeWinMicros: microsOrNull(row.largeWinMicros),
    largeDailyWagerMicros: microsOrNull(row.largeDailyWagerMicros),
    largeDailyWinMicros: microsOrNull(row.largeDailyWinMicros),
    maxGrantLiabilityMicros: microsOrNull(row.maxGrantLiabilityMicros),
  };
}

/**
 * Disables or enables an operator, on every node at once. Returns false when it does not exist.
 * Players of a disabled operator get ERR_MAINTENANCE, by the switch that the round commands read,
 * and it launches nothing. Pending credits and rollbacks are still sent.
 */
export async function disableOperator(
  db: Database,
  { code, disabled, reason }: { code: string; disabled: boolean; reason?: string | undefined },
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    if (reason !== undefined) await giveReason(tx, reason);
    const { count } = await tx.operator.updateMany({ where: { code }, data: { disabled } });
    if (count === 0) return false;
    const key = { scope: 'operator' as const, target: code };
    if (disabled) await switchMaintenanceOn(tx, { ...key, level: 'nothing_at_all' });
    else await switchMaintenanceOff(tx, key);
    return true;
  });
}

/** The operator has a wallet, and these facts say how to reach it. */
export type WalletOperator = {
  operatorID: number;
  code: string;
  url: string;
  /** The first one signs, all of them verify. */
  secrets: readonly string[];
  timeoutMs: number;
  /** The protocol of the wallet, and its settings as they were given. */
  dialect: string;
  dialectSettings: unknown;
  /** As in OperatorRecord. */
  closingDebits: boolean;
  /** The wallet gets the token of the launch with each request, so a session keeps it. */
  keepsTokens: boolean;
  /** Sessions without a launch play this game, if the operator has one. */
  defaultGame: string | undefined;
  /** No player of the operator can play; credits and rollbacks are still sent. */
  isDisabled: boolean;
  /**
   * Sessions that the operator has not launched here are refused without a session verification.
   */
  launchedOnly: boolean;
};

/**
 * Says of each operator when it was changed: `version` is another text after each change of its
 * row.
 */
export async function readOperatorVersions({
  anonymous,
}: Pick<Database, 'anonymous'>): Promise<Map<string, { operatorID: number; version: string }>> {
  const statement = { name: 'operator_versions', text: 'SELECT id, code, xmin::text AS version FROM operators' };
  type Row = { id: number; code: string; version: string };
  const { rows } = await retryConflicts(() => anonymous.query<Row>(statement), anonymous);
  return new Map(rows.map(({ id, code, version }) => [code, { operatorID: id, version }]));
}

/** A wallet speaks it unless it has a dialect of another company. */
export const OWN_PROTOCOL = 'roundhouse';

type Choice = { operatorID: number } | { code: string };

/**
 * What was read last of each operator, as stored: decrypting and parsing its settings takes a
 * millisecond.
 */
const lastRead = new WeakMap<Database, Map<number, { stored: string; operator: WalletOperator }>>();

/**
 * Returns undefined when there is no such operator, or it has the house wallet. An operator that
 * has not changed is the same object again.
 */
export async function findWalletOperator(db: Database, choice: Choice): Promise<WalletOperator | undefined> {
  const where = 'code' in choice ? { code: choice.code } : { id: choice.operatorID };
  const row = await db.operator.findFirst({ where: { ...where, wallet: 'seamless' } });
  if (row === null || row.walletUrl === null) return undefined;
  const stored = JSON.stringify(row);
  const known = lastRead.get(db) ?? new Map<number, { stored: string; operator: WalletOperator }>();
  const last = known.get(row.id);
  if (last?.stored === stored) return last.operator;
  const operator = walletOperatorOf(db, { ...row, walletUrl: row.walletUrl });
  lastRead.set(db, known.set(row.id, { stored, operator }));
  return operator;
}

function walletOperatorOf(db: Database, operator: Operator & { walletUrl: string }): WalletOperator {
  const { id, code, walletUrl, secrets, walletTimeoutMs, dialect, dialectSettings } = operator;
  return {
    operatorID: id,
    code,
    url: walletUrl,
    secrets: secrets.map((each) => db.secretKeys.open(each, code)),
    timeoutMs: walletTimeoutMs,
    dialect,
    keepsTokens: dialect !== OWN_PROTOCOL,
    dialectSettings: dialectSettings === null ? {} : JSON.parse(db.secretKeys.open(dialectSettings, code)),
    closingDebits: operator.closingDebits && dialect === OWN_PROTOCOL,
    defaultGame: operator.defaultGame ?? undefined,
    isDisabled: operator.disabled,
    launchedOnly: operator.launchedOnly,
  };
}

/** The operator gives free rounds within these bounds. */
export type Giver = {
  isDisabled: boolean;
  /** The house wallet does, and a wallet that its operator says it of. */
  knowsFreeRounds: boolean;
  /** Its wallet speaks this protocol. */
  dialect: string;
  maxFreeRounds: number;
  /** An empty list allows every currency. */
  currencies: CurrencyCode[];
  jurisdiction: PartialJurisdiction;
  /** The most that the rounds of one grant may pay together, in micros by currency. */
  maxLiabilities: ReadonlyMap<CurrencyCode, Micros>;
};

export async function findGiver(db: Database, operatorID: number): Promise<Giver> {
  const operator = await db.operator.findUniqueOrThrow({ where: { id: operatorID }, include: { limits: true } });
  return {
    isDisabled: operator.disabled,
    dialect: operator.dialect,
    knowsFreeRounds: operator.wallet === 'house' || operator.freeRounds,
    maxFreeRounds: operator.maxFreeRounds,
    currencies: operator.currencies as CurrencyCode[],
    jurisdiction: operator.jurisdiction as PartialJurisdiction,
    maxLiabilities: new Map(
      operator.limits.flatMap(({ currency, maxGrantLiabilityMicros: most }) =>
        most === null ? [] : [[currency as CurrencyCode, toMicros(most)] as const],
      ),
    ),
  };
}

/** Returns undefined when there is no such operator. */
export async function findOperatorID(db: Pick<Database, 'operator'>, code: string): Promise<number | undefined> {
  return (await db.operator.findUnique({ where: { code }, select: { id: true } }))?.id;
}

/** Returns the code of each operator. A code never changes. */
export async function readOperatorCodes(db: Database): Promise<{ operatorID: number; code: string }[]> {
  return (await db.operator.findMany({ select: { id: true, code: true } })).map(({ id, code }) => ({
    operatorID: id,
    code,
  }));
}
