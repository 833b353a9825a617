import type { CurrencyCode, Jurisdiction, PartialJurisdiction } from '@roundhouse/contract';
import {
  batchCommand,
  bigint,
  boolean,
  bytea,
  type CommandOf,
  integer,
  jsonb,
  text,
  timestamptz,
} from '../batchCommand.ts';
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

export type FoundSession =
  | { kind: 'session'; facts: SessionFacts }
  /** It has not authenticated yet. */
  | { kind: 'launch'; launch: LaunchRecord }
  /** offeredTo: the operator that may know it. */
  | { kind: 'unknown'; offeredTo: number | undefined };

/** Not by the players' pool: anybody can ask for any number of sessions that do not exist. */
export const findSessions = batchCommand({
  name: 'find_sessions',
  columns: {
    tokenSha256: bytea,
    /** The code of the operator that the sessionID names, if it names one. */
    prefix: text.as<string | undefined>(),
  },
  returns: {
    kind: text.as<FoundSession['kind']>(),
    operator_id: integer.as<number | null>(),
    session_id: bigint,
    player_id: bigint,
    is_seamless: boolean,
    external_id: text.as<string | null>(),
    currency: text.as<CurrencyCode>(),
    game: text,
    version: text,
    jurisdiction: jsonb.as<Jurisdiction | PartialJurisdiction>(),
    country: text.as<string | null>(),
    sealed_token: bytea,
    revoked: boolean,
    expires_at: timestamptz,
  },
  outcomeOf: (row): FoundSession => {
    const { kind, operator_id } = row;
    if (kind === 'unknown' || operator_id === null) return { kind: 'unknown', offeredTo: operator_id ?? undefined };
    const shared = {
      operatorID: operator_id,
      currency: row.currency,
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
  },
});
export type SessionLookUp = CommandOf<typeof findSessions>;
