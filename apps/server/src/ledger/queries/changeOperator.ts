import type { Database } from '../database.ts';
import type { Operator, Prisma } from '../generated/client.ts';
import { type OperatorLimits, type OperatorRecord, type OperatorSettings, recordOf } from './operators.ts';

/** One limit or more of one currency; null takes a limit away, what is not given stays as it is. */
export type LimitsChange = Pick<OperatorLimits, 'currency'> & Partial<OperatorLimits>;

export type OperatorChange = OperatorSettings & {
  /** Base URL of the operator's own wallet; null: the house wallet. */
  walletUrl?: string | null;
  walletTimeoutMs?: number;
  /** Takes the place of all secrets that there are, unless it is one of them. */
  secret?: string;
  currencies?: string[];
  /** The game of sessions that come without a launch; null: none. */
  defaultGame?: string | null;
  isDefault?: boolean;
  limits?: readonly LimitsChange[];
};

/** In the order in which they are answered. */
export type OperatorFault =
  | { kind: 'taken' }
  | { kind: 'has_players' }
  | { kind: 'default_without_wallet' }
  | { kind: 'other_default'; code: string };

/** newSecret: the secret that was made because the operator needs one and none was given. Told this once. */
export type ChangeOutcome =
  | { ok: true; operator: OperatorRecord; newSecret: string | undefined }
  | { ok: false; fault: OperatorFault };

export type ChangeOptions = { mustBeNew: boolean; makeSecret: () => string };

/** Makes the operator when it is new, and changes only what is given when it is not. */
export async function changeOperator(
  db: Database,
  { code, change, mustBeNew, makeSecret }: { code: string; change: OperatorChange } & ChangeOptions,
): Promise<ChangeOutcome> {
  return db.$transaction(async (tx) => {
    // Nobody else changes an operator meanwhile, and no player joins this one.
    await tx.$executeRaw`LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE`;
    await tx.$executeRaw`SELECT 1 FROM operators WHERE code = ${code} FOR UPDATE`;
    const current = await tx.operator.findUnique({ where: { code } });
    const wallet = walletAfter(current, change, makeSecret);
    const fault = await faultOf(tx, { code, current, change, mustBeNew, isSeamless: wallet.wallet === 'seamless' });
    if (fault !== undefined) return { ok: false as const, fault };

    const { walletUrl: _url, secret: _secret, limits = [], ...settings } = change;
    const { newSecret, ...walletColumns } = { newSecret: undefined, ...wallet };
    const columns = { ...settings, ...walletColumns };
    const { id } = await tx.operator.upsert({
      where: { code },
      create: { ...columns, code, name: change.name ?? code },
      update: columns,
    });
    await changeLimits(tx, id, limits);
    const operator = await tx.operator.findUniqueOrThrow({ where: { id }, include: { limits: true } });
    return { ok: true as const, operator: recordOf(operator), newSecret };
  });
}

function walletAfter(current: Operator | null, change: OperatorChange, makeSecret: () => string) {
  const walletUrl = change.walletUrl === undefined ? (current?.walletUrl ?? null) : change.walletUrl;
  const known = current?.secrets ?? [];
  const given = change.secret === undefined || known.includes(change.secret) ? known : [change.secret];
  // Sessions that name no operator are vouched for by a wallet; the house has none that could be asked.
  if (walletUrl === null) return { wallet: 'house' as const, walletUrl, secrets: given, isDefault: false };
  const newSecret = given.length === 0 ? makeSecret() : undefined;
  return { wallet: 'seamless' as const, walletUrl, secrets: newSecret === undefined ? given : [newSecret], newSecret };
}

type Judged = {
  code: string;
  current: Operator | null;
  change: OperatorChange;
  mustBeNew: boolean;
  isSeamless: boolean;
};

async function faultOf(
  tx: Prisma.TransactionClient,
  { code, current, change, mustBeNew, isSeamless }: Judged,
): Promise<OperatorFault | undefined> {
  if (mustBeNew && current !== null) return { kind: 'taken' };
  if (current !== null && (current.wallet === 'seamless') !== isSeamless) {
    const account = await tx.account.findFirst({ where: { operatorId: current.id, kind: 'player' } });
    if (account !== null) return { kind: 'has_players' };
  }
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
    where: { operatorId, maxBetMicros: null, dailyWagerLimitMicros: null, dailyLossLimitMicros: null },
  });
}
