import {
  type CurrencyCode,
  type Draws,
  type Jurisdiction,
  mergeJurisdictions,
  type PartialJurisdiction,
} from '@roundhouse/contract';
import { batchCommand, bigint, boolean, bytea, integer, jsonb, text, timestamptz } from '../database/batchCommand.ts';
import type { Database } from '../database/database.ts';
import { type DrawKind, Prisma } from '../generated/client.ts';
import { actAs } from '../watch/significantEvents.ts';
import { drawKindOf, drawsOf } from './draws.ts';

/**
 * These parts of a session never change, so a node may cache them. The SQL functions check the
 * others at each request: state, timeouts, limits, maintenance, countries, balance.
 */
export type SessionFacts = {
  sessionRowID: bigint;
  playerID: bigint;
  operatorID: number;
  /** The operator knows the player by this name. */
  externalID: string;
  /** The operator keeps the player's money. */
  isSeamless: boolean;
  currency: CurrencyCode;
  gameID: string;
  gameVersion: string;
  jurisdiction: Jurisdiction;
  /** The token of the launch, encrypted, where the wallet gets it with each request. */
  walletToken?: string | undefined;
  /** The wallet moves multiples of this number of micros; undefined when it moves every micro. */
  walletUnit?: number | undefined;
  /** Its rounds are drawn by seeds, so that the player can check them. */
  isFair: boolean;
};

export type FoundSession<Session = SessionFacts> =
  | { kind: 'session'; session: Session }
  /** The session has not authenticated yet. */
  | { kind: 'launch'; launch: LaunchRecord }
  /** operatorID names the operator that can verify it. */
  | { kind: 'unknown'; operatorID: number | undefined };

/** Uses no connection of players: anybody can send any number of sessionIDs that do not exist. */
export const findSessions = batchCommand({
  name: 'find_sessions',
  columns: {
    tokenSha256: bytea,
    /** The sessionID may name an operator by this code. */
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
    jurisdiction: jsonb.as<PartialJurisdiction>(),
    country: text.as<string | null>(),
    sealed_token: bytea,
    revoked: boolean,
    expires_at: timestamptz,
    wallet_token: text.as<string | null>(),
    wallet_unit: integer.as<number | null>(),
    draws: text.as<DrawKind | null>(),
  },
  outcomeOf: (row): FoundSession => {
    const { kind, operator_id } = row;
    if (kind === 'unknown' || operator_id === null) return { kind: 'unknown', operatorID: operator_id ?? undefined };
    const shared = {
      operatorID: operator_id,
      currency: row.currency,
      gameID: row.game,
      gameVersion: row.version,
    };
    if (kind === 'session') {
      const { session_id, player_id, is_seamless, external_id, jurisdiction, wallet_token, wallet_unit } = row;
      return {
        kind,
        session: {
          ...shared,
          sessionRowID: session_id,
          playerID: player_id,
          externalID: external_id ?? '',
          isSeamless: is_seamless,
          // A session may be older than some of the fields.
          jurisdiction: mergeJurisdictions(jurisdiction),
          ...(wallet_token !== null && { walletToken: wallet_token }),
          ...(wallet_unit !== null && { walletUnit: wallet_unit }),
          isFair: row.draws === 'provably_fair',
        },
      };
    }
    const { external_id, country, jurisdiction, draws, sealed_token, revoked, expires_at } = row;
    return {
      kind,
      launch: {
        ...shared,
        externalID: external_id ?? undefined,
        country: country ?? undefined,
        jurisdiction,
        draws: drawsOf(draws) ?? undefined,
        sealedToken: sealed_token,
        revoked,
        expiresAt: expires_at,
      },
    };
  },
});

/** An operator has launched the session, and it has not authenticated yet. */
export type LaunchRecord = Pick<SessionFacts, 'operatorID' | 'gameID' | 'gameVersion' | 'currency'> & {
  /** The operator knows the player by this name, when the launch named one. */
  externalID: string | undefined;
  country: string | undefined;
  jurisdiction: PartialJurisdiction;
  /** How its rounds are drawn; undefined: as the operator says, else as the game says. */
  draws?: Draws | undefined;
  sealedToken: Uint8Array;
  revoked: boolean;
  expiresAt: Date;
};

type NewLaunch = Omit<LaunchRecord, 'revoked' | 'sealedToken'> &
  Record<'tokenSha256' | 'sealedToken', Uint8Array<ArrayBuffer>>;

/**
 * Stores a launch with what findOffer has found. Returns false when a launch or a session of this
 * sessionID exists.
 */
export async function addLaunch(db: Database, launch: NewLaunch): Promise<boolean> {
  const {
    tokenSha256,
    operatorID,
    gameID,
    gameVersion,
    currency,
    externalID,
    country,
    jurisdiction,
    draws,
    sealedToken,
    expiresAt,
  } = launch;
  const version = await db.gameVersion.findFirstOrThrow({
    where: { version: gameVersion, game: { code: gameID } },
    select: { id: true },
  });
  const known = await db.session.findUnique({ where: { tokenSha256 }, select: { id: true } });
  if (known !== null) return false;
  const { count } = await db.launch.createMany({
    data: {
      tokenSha256,
      operatorId: operatorID,
      gameVersionId: version.id,
      currency,
      externalId: externalID ?? null,
      country: country ?? null,
      jurisdiction,
      draws: drawKindOf(draws),
      sealedToken,
      expiresAt,
    },
    skipDuplicates: true,
  });
  return count === 1;
}

/** Returns the version of the game that was launched with this sessionID. */
export async function findLaunchedVersion(
  db: Database,
  tokenSha256: Uint8Array<ArrayBuffer>,
): Promise<string | undefined> {
  const select = { gameVersion: { select: { version: true } } };
  return (await db.launch.findUnique({ where: { tokenSha256 }, select }))?.gameVersion.version;
}

/** Stores the most that one play may cost in micros, as the operator says now. */
export async function setVerifiedStake(
  db: Database,
  { sessionRowID, maxStake }: { sessionRowID: bigint; maxStake: number },
): Promise<void> {
  await db.session.updateMany({ where: { id: sessionRowID }, data: { verifiedMaxStakeMicros: maxStake } });
}

/** Returns whether the session can be played in: it has not expired, and nobody has ended it. */
export async function isSessionOpen(db: Database, tokenSha256: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const found = await db.session.findUnique({ where: { tokenSha256 }, select: { state: true, expiresAt: true } });
  return found !== null && found.state !== 'revoked' && found.expiresAt > new Date();
}

/**
 * An operator ends one session, or all of a player. operatorCode is set when the operator itself
 * ends them.
 */
export type EndedSessions = { operatorID: number; operatorCode?: string } & (
  | { tokenSha256: Uint8Array<ArrayBuffer> }
  /** The operator knows the player by this name. */
  | { externalID: string }
);

/**
 * Ends sessions for good, whether they have authenticated or not. Returns how many this call has
 * ended, undefined when the operator has no such session or player. It ends launches first, then
 * sessions, each in a separate transaction: see endIfRevoked.
 */
export async function endSessions(db: Database, which: EndedSessions): Promise<number | undefined> {
  const { operatorID } = which;
  const [launches, sessions] =
    'tokenSha256' in which
      ? [Prisma.sql`l.token_sha256 = ${which.tokenSha256}`, Prisma.sql`s.token_sha256 = ${which.tokenSha256}`]
      : [Prisma.sql`l.external_id = ${which.externalID}`, Prisma.sql`p.external_id = ${which.externalID}`];
  type Ended = { token: string }[];
  const run = async (statement: Prisma.PrismaPromise<Ended>): Promise<Ended> => {
    if (which.operatorCode === undefined) return statement;
    const [, ended] = await db.$transaction([actAs(db, `operator:${which.operatorCode}`), statement]);
    return ended;
  };
  const launched = await run(db.$queryRaw<Ended>`
    UPDATE launches l
    SET revoked = true
    WHERE l.operator_id = ${operatorID} AND ${launches} AND NOT l.revoked AND l.expires_at > now()
    RETURNING encode(l.token_sha256, 'hex') AS token`);
  const started = await run(db.$queryRaw<Ended>`
    UPDATE sessions s
    SET state = 'revoked'
    FROM players p
    WHERE p.id = s.player_id AND p.operator_id = ${operatorID} AND ${sessions} AND s.state <> 'revoked'
      AND s.expires_at > now()
    RETURNING encode(s.token_sha256, 'hex') AS token`);
  // A session that was launched has a row in each of the two.
  const ended = new Set([...launched, ...started].map(({ token }) => token)).size;
  if (ended > 0) return ended;
  const [row] = await db.$queryRaw<{ is_known: boolean }[]>`
    SELECT EXISTS (SELECT FROM launches l WHERE l.operator_id = ${operatorID} AND ${launches})
      OR EXISTS (
        SELECT FROM players p
        LEFT JOIN sessions s ON s.player_id = p.id
        WHERE p.operator_id = ${operatorID} AND ${sessions}
      ) AS is_known`;
  return row?.is_known ? 0 : undefined;
}

/**
 * Deletes sessions and launches that expired longer ago than `retentionMs`, at most `limit` of
 * each. Returns true when there may be more. Skips rows that another node is deleting. Rounds keep
 * the id of their session, and no id is used twice. A session whose token a wallet needs stays for
 * a week at least: longer than its credits are retried.
 */
export async function deleteExpired(
  db: Database,
  { retentionMs, limit }: { retentionMs: number; limit: number },
): Promise<boolean> {
  const sessions = await db.$executeRaw`
    WITH expired AS MATERIALIZED (
      SELECT id
      FROM sessions
      WHERE expires_at < now() - ${retentionMs} * interval '1 millisecond'
        AND (wallet_token IS NULL OR expires_at < now() - interval '7 days')
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM sessions s USING expired WHERE s.id = expired.id`;
  const launches = await db.$executeRaw`
    WITH expired AS MATERIALIZED (
      SELECT token_sha256
      FROM launches
      WHERE expires_at < now() - ${retentionMs} * interval '1 millisecond'
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )
    DELETE FROM launches l
    USING expired
    WHERE l.token_sha256 = expired.token_sha256`;
  return sessions === limit || launches === limit;
}
