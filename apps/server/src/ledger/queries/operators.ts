import type { PartialJurisdiction } from '@roundhouse/contract';
import type { Database } from '../database.ts';

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

export type OperatorRecord = Required<OperatorSettings> & { code: string };

/** Makes the operator when it is new, and changes only what is given when it is not. */
export async function setOperator(db: Database, code: string, settings: OperatorSettings): Promise<OperatorRecord> {
  const operator = await db.operator.upsert({
    where: { code },
    create: { ...settings, code, name: settings.name ?? code },
    update: settings,
  });
  return operator as typeof operator & { jurisdiction: PartialJurisdiction };
}

export async function listOperators(db: Database): Promise<OperatorRecord[]> {
  const operators = await db.operator.findMany({ orderBy: { code: 'asc' } });
  return operators as ((typeof operators)[number] & { jurisdiction: PartialJurisdiction })[];
}
