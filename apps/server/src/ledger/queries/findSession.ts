import type { CurrencyCode, Jurisdiction, PartialJurisdiction } from '@roundhouse/contract';
import { batchRows } from '../commands/batchRows.ts';
import type { Database } from '../database.ts';
import type { LaunchRecord } from './launches.ts';

/**
 * What never changes about a session, so that a node may remember it. What can change (state, time-outs, limits, switches,
 * countries, balance) is not here: the SQL functions judge that at each call.
 */
export type SessionFacts = {
  sessionRowID: bigint;
  playerID: bigint;
  operatorID: number;
  /** The operator's name for the player. */
  externalID: string;
  /** The operator keeps the player's money. */
  isSeamless: boolean;
  currency: CurrencyCode;
  gameID: string;
  gameVersion: string;
  jurisdiction: Jurisdiction;
};

export type SessionLookUp = {
  tokenSha256: Buffer;
  /** The code of the operator that the sessionID names, if it names one. */
  prefix: string | undefined;
};

export type FoundSession =
  | { kind: 'session'; facts: SessionFacts }
  /** It has not authenticated yet. */
  | { kind: 'launch'; launch: LaunchRecord }
  /** offeredTo: the operator that may know it. */
  | { kind: 'unknown'; offeredTo: number | undefined };

const STATEMENT = { name: 'find_sessions', text: 'SELECT * FROM find_sessions($1::bytea[], $2::text[])' };

type Row = {
  ordinal: bigint;
  kind: FoundSession['kind'];
  operator_id: number | null;
  session_id: bigint;
  player_id: bigint;
  is_seamless: boolean;
  external_id: string | null;
  currency: string;
  game: string;
  version: string;
  jurisdiction: Jurisdiction | PartialJurisdiction;
  country: string | null;
  sealed_token: Buffer;
  revoked: boolean;
  expires_at: Date;
};

/** Not by the players' pool: anybody can ask for any number of sessions that there are not. */
export async function findSessions(db: Database, lookUps: readonly SessionLookUp[]): Promise<FoundSession[]> {
  const columns = [lookUps.map(({ tokenSha256 }) => byteaOf(tokenSha256)), lookUps.map(({ prefix }) => prefix ?? null)];
  const rows = await batchRows<Row>({ pool: db.anonymous }, { statement: STATEMENT, columns, count: lookUps.length });
  return rows.map(toFound);
}

export function byteaOf(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}

function toFound(row: Row): FoundSession {
  const { kind, operator_id } = row;
  if (kind === 'unknown' || operator_id === null) return { kind: 'unknown', offeredTo: operator_id ?? undefined };
  const shared = {
    operatorID: operator_id,
    currency: row.currency as CurrencyCode,
    gameID: row.game,
    gameVersion: row.version,
  };
  if (kind === 'session') {
    const { session_id, player_id, is_seamless, external_id, jurisdiction } = row;
    return {
      kind,
      facts: {
        ...shared,
        sessionRowID: session_id,
        playerID: player_id,
        externalID: external_id ?? '',
        isSeamless: is_seamless,
        jurisdiction: jurisdiction as Jurisdiction,
      },
    };
  }
  const { external_id, country, jurisdiction, sealed_token, revoked, expires_at } = row;
  return {
    kind,
    launch: {
      ...shared,
      externalID: external_id ?? undefined,
      country: country ?? undefined,
      jurisdiction,
      sealedToken: sealed_token,
      revoked,
      expiresAt: expires_at,
    },
  };
}
