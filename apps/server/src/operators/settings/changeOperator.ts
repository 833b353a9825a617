import type { Draws } from '@roundhouse/contract';
import type { Database } from '../../store/database/database.ts';
import { openIfReadable, type SecretKeys } from '../../store/database/secretKeys.ts';
import { type OperatorRecord, type OperatorSettings, OWN_PROTOCOL, recordOf } from '../../store/operators/operators.ts';
import {
  findOtherDefault,
  hasPlayerAccount,
  type LimitsChange,
  lockOperator,
  type OperatorTransaction,
  storeOperator,
} from '../../store/operators/storeOperator.ts';

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
  /** The largest number of rounds in a grant. */
  maxFreeRounds?: number;
  /** The wallet takes a debit that closes its lost round. */
  closingDebits?: boolean;
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
    const current = await lockOperator(tx, code);
    const walletUrl = change.walletUrl === undefined ? (current?.walletUrl ?? null) : change.walletUrl;
    const refusal = await refusalOf(tx, { code, kind, current, change, isSeamless: walletUrl !== null });
    if (refusal !== undefined) return { ok: false as const, refusal };

    const { walletUrl: _url, secret: _secret, dialect, limits = [], ...settings } = change;
    const known = current?.secrets ?? [];
    const given = secretsAfter(known, { code, secret: change.secret, keys: db.secretKeys });
    const newSecret = walletUrl !== null && given.length === 0 ? makeSecret() : undefined;
    const secrets = newSecret === undefined ? given : [db.secretKeys.seal(newSecret, code)];
    // A wallet verifies sessions that name no operator; the house has no such wallet.
    const wallet =
      walletUrl === null ? { wallet: 'house' as const, isDefault: false } : { wallet: 'seamless' as const };
    const columns = { ...settings, ...wallet, ...dialectColumns(dialect, { code, keys: db.secretKeys }) };
    const operator = await storeOperator(tx, code, { ...columns, walletUrl, secrets, limits });
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
  current: Awaited<ReturnType<typeof lockOperator>>;
  change: OperatorChange;
  kind: ChangeKind;
  isSeamless: boolean;
};

async function refusalOf(
  tx: OperatorTransaction,
  { code, current, change, kind, isSeamless }: Judged,
): Promise<OperatorRefusal | undefined> {
  if (kind === 'add' && current !== undefined) return { kind: 'taken' };
  if (kind === 'set' && current === undefined) return { kind: 'unknown' };
  const isOtherWallet = current !== undefined && (current.wallet === 'seamless') !== isSeamless;
  const isOtherDialect =
    current !== undefined && change.dialect !== undefined && change.dialect.name !== current.dialect;
  if (isOtherWallet || isOtherDialect) {
    if (await hasPlayerAccount(tx, current.id)) return { kind: isOtherWallet ? 'has_players' : 'dialect_of_players' };
  }
  const dialect = change.dialect?.name ?? current?.dialect ?? OWN_PROTOCOL;
  if (dialect !== OWN_PROTOCOL && !isSeamless) return { kind: 'dialect_without_wallet' };
  const hours = change.completeRoundsAfterHours ?? null;
  const completesRounds = change.dialect?.completesRounds ?? current?.completesRounds ?? true;
  if (hours !== null && !completesRounds) return { kind: 'completion_forbidden' };
  if (change.isDefault !== true) return undefined;
  if (!isSeamless) return { kind: 'default_without_wallet' };
  const other = await findOtherDefault(tx, code);
  return other === undefined ? undefined : { kind: 'other_default', code: other };
}
