import type { PrismaClient } from '../../dist/ledger/generated/client.js';
import { sha256Of } from '../../dist/sessions/sessionToken.js';

export type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];

/** Prisma's default gives up after 2 s of waiting for a connection; a slow answer is what is to be measured here. */
export const TRANSACTION = { maxWait: 30_000, timeout: 30_000 };

const SESSION_TIMEOUT_MS = 1_800_000;

export async function liveSession(tx: Transaction, sessionID: string, now: Date) {
  const session = await tx.session.findUnique({
    where: { tokenSha256: sha256Of(sessionID) },
    include: { account: true, gameVersion: true },
  });
  if (session === null || session.state !== 'authenticated' || session.expiresAt <= now) return undefined;
  return session.lastActiveAt.getTime() + SESSION_TIMEOUT_MS <= now.getTime() ? undefined : session;
}

type Account = {
  operatorId: number;
  currency: string;
  countedOn: Date | null;
};

/** The sums of a day begin anew with the first movement of a day. */
export function todaysSums(
  { countedOn }: Account,
  now: Date,
  { wagered, won }: { wagered: bigint; won: bigint },
): { countedOn: Date; wageredTodayMicros: bigint | Increment; wonTodayMicros: bigint | Increment } {
  const today = new Date(now.toISOString().slice(0, 10));
  if (countedOn?.getTime() !== today.getTime()) {
    return { countedOn: today, wageredTodayMicros: wagered, wonTodayMicros: won };
  }
  return { countedOn: today, wageredTodayMicros: { increment: wagered }, wonTodayMicros: { increment: won } };
}

type Increment = { increment: bigint };

const houseAccounts = new Map<string, bigint>();

export async function houseAccountOf(tx: Transaction, { operatorId, currency }: Account): Promise<bigint> {
  const key = `${operatorId} ${currency}`;
  const known = houseAccounts.get(key);
  if (known !== undefined) return known;
  const { id } = await tx.account.findFirstOrThrow({ where: { operatorId, currency, kind: 'house' } });
  houseAccounts.set(key, id);
  return id;
}
