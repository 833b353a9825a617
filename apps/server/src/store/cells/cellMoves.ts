import { idRangeOf } from '@roundhouse/fleet';
import { retryConflicts } from '@roundhouse/service';
import type { PoolClient } from 'pg';
import type { Database } from '../database/database.ts';
import type { CellMoveState } from '../generated/client.ts';

/** A move as one of the two databases has it. */
export type CellMove = {
  /** The same in both databases. */
  id: string;
  playerID: bigint;
  /** The operator knows the player by this name. */
  externalID: string;
  /** A cell is known by its first number. */
  source: number;
  target: number;
  state: CellMoveState;
};

/** Lists moves of an operator, the oldest first. */
export async function listMoves(
  db: Database,
  { operatorCode, states }: { operatorCode: string; states: readonly CellMoveState[] },
): Promise<CellMove[]> {
  const rows = await db.cellMove.findMany({
    where: { operator: { code: operatorCode }, state: { in: [...states] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, playerId: true, externalId: true, source: true, target: true, state: true },
  });
  return rows.map(({ playerId, externalId, ...row }) => ({ ...row, playerID: playerId, externalID: externalId }));
}

/** Both cells of a move have the operator with the same wallet. The secrets are sealed. */
export type OperatorInCell = { wallet: string; dialect: string; secrets: string[] };

export async function findOperatorInCell(
  db: Pick<Database, 'operator'>,
  code: string,
): Promise<OperatorInCell | undefined> {
  const operator = await db.operator.findUnique({
    where: { code },
    select: { wallet: true, dialect: true, secrets: true },
  });
  return operator ?? undefined;
}

/** Returns the state of each of these moves that the database has. */
export async function statesOfMoves(db: Database, ids: readonly string[]): Promise<Map<string, CellMoveState>> {
  const rows = await db.cellMove.findMany({ where: { id: { in: [...ids] } }, select: { id: true, state: true } });
  return new Map(rows.map(({ id, state }) => [id, state]));
}

export async function countMoves(db: Database): Promise<{ operator: string; state: CellMoveState; moves: number }[]> {
  const rows = await db.$queryRaw<{ operator: string; state: CellMoveState; moves: bigint }[]>`
    SELECT o.code AS operator, m.state, count(*) AS moves
    FROM cell_moves m
    JOIN operators o ON o.id = m.operator_id
    GROUP BY o.code, m.state
    ORDER BY o.code, m.state`;
  return rows.map(({ moves, ...row }) => ({ ...row, moves: Number(moves) }));
}

export type MovablePlayer = { playerID: bigint; externalID: string; movedTo: number | null };

/** Lists the players of an operator that the database has rows of, in the order of their ids. */
export async function listMovablePlayers(
  db: Database,
  operatorCode: string,
  externalIDs?: readonly string[],
): Promise<MovablePlayer[]> {
  const rows = await db.player.findMany({
    where: {
      operator: { code: operatorCode },
      ...(externalIDs === undefined ? { movedTo: null } : { externalId: { in: [...externalIDs] } }),
    },
    orderBy: { id: 'asc' },
    select: { id: true, externalId: true, movedTo: true },
  });
  return rows.map(({ id, externalId, movedTo }) => ({ playerID: id, externalID: externalId, movedTo }));
}

/**
 * Lists the games and versions that rows of these players name, and the games of their free rounds.
 */
export async function listGamesOfPlayers(
  db: Database,
  playerIDs: readonly bigint[],
): Promise<{ game: string; version: string | null }[]> {
  return db.$queryRaw<{ game: string; version: string | null }[]>`
    WITH own AS MATERIALIZED (SELECT id FROM accounts WHERE player_id = ANY (${playerIDs}))
    SELECT DISTINCT g.code AS game, v.version FROM (
      SELECT game_version_id FROM sessions WHERE player_id = ANY (${playerIDs})
      UNION
      SELECT game_version_id
      FROM all_rounds
      WHERE account_id IN (SELECT id FROM own)
    ) used
    JOIN game_versions v ON v.id = used.game_version_id
    JOIN games g ON g.id = v.game_id
    UNION
    SELECT g.code, NULL
    FROM grants
    JOIN games g ON g.id = ANY (grants.game_ids)
    WHERE account_id IN (SELECT id FROM own)
    ORDER BY 1, 2`;
}

/** Returns which of these games the database does not have. */
export async function findMissingGames(
  db: Database,
  games: readonly { game: string; version: string | null }[],
): Promise<{ game: string; version: string | null }[]> {
  return db.$queryRaw<{ game: string; version: string | null }[]>`
    SELECT n.game, n.version
    FROM unnest(
      ${games.map(({ game }) => game)}::text[],
      ${games.map(({ version }) => version)}::text[]
    ) n (game, version)
    WHERE NOT EXISTS (
      SELECT FROM games g
      LEFT JOIN game_versions v ON v.game_id = g.id
      WHERE g.code = n.game AND (n.version IS NULL OR v.version = n.version)
    )`;
}

/** Returns the highest id in the rows of these players; 0 without any. */
export async function highestIDOf(db: Database, playerIDs: readonly bigint[]): Promise<bigint> {
  const [row] = await db.$queryRaw<{ id: bigint }[]>`
    WITH own AS MATERIALIZED (SELECT id FROM accounts WHERE player_id = ANY (${playerIDs})),
    own_rounds AS MATERIALIZED (SELECT id FROM all_rounds WHERE account_id IN (SELECT id FROM own))
    SELECT coalesce(greatest(
      (SELECT max(id) FROM players WHERE id = ANY (${playerIDs})),
      (SELECT max(id) FROM own),
      (SELECT max(id) FROM sessions WHERE player_id = ANY (${playerIDs})),
      (SELECT max(id) FROM own_rounds),
      (SELECT max(id) FROM all_transfers WHERE round_id IN (SELECT id FROM own_rounds)),
      (SELECT max(id) FROM grants WHERE account_id IN (SELECT id FROM own)),
      (
        SELECT max(c.id)
        FROM fair_seeds f
        LEFT JOIN fair_client_seeds c ON c.seed_id = f.id
        WHERE f.account_id IN (SELECT id FROM own)
      ),
      (SELECT max(id) FROM fair_seeds WHERE account_id IN (SELECT id FROM own))
    ), 0) AS id`;
  return row?.id ?? 0n;
}

/**
 * Says whether this cell has players from before the fleet, other than those that came from the
 * source, and one of these players was never here.
 */
export async function hasOtherOldPlayers(
  db: Database,
  { source, playerIDs }: { source: number; playerIDs: readonly bigint[] },
): Promise<boolean> {
  const [row] = await db.$queryRaw<{ has: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM players p WHERE p.id <= ${idRangeOf(0).last}
        AND NOT EXISTS (SELECT FROM cell_moves m WHERE m.player_id = p.id AND m.source = ${source}::integer)
    ) AND EXISTS (
      SELECT FROM unnest(${playerIDs}::bigint[]) u (id)
      WHERE NOT EXISTS (SELECT FROM players p WHERE p.id = u.id)
    ) AS has`;
  return row?.has ?? false;
}

/** closed: the source opens no round of the player. The others say why it cannot move. */
export type CloseOutcome = 'closed' | 'unknown' | 'moved' | 'moving';

type NewMove = Pick<CellMove, 'id' | 'playerID' | 'source' | 'target'>;

export async function closePlayer(db: Database, { id, playerID, source, target }: NewMove): Promise<CloseOutcome> {
  const [row] = await db.$queryRaw<{ outcome: CloseOutcome }[]>`
    SELECT close_player(${id}::uuid, ${playerID}::bigint, ${source}::integer, ${target}::integer) AS outcome`;
  return outcomeOf(row);
}

/** Returns false when the move was further already: then the player has left this database. */
export async function reopenPlayer(db: Database, moveID: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ outcome: boolean }[]>`SELECT open_player(${moveID}::uuid) AS outcome`;
  return outcomeOf(row);
}

/**
 * open: the player has not ended the round. pending, parked: a wallet transaction has no result.
 */
export type Unsettled = { state: 'open' | 'pending' | 'parked'; roundID: bigint };

export async function findUnsettled(db: Database, playerID: bigint): Promise<Unsettled[]> {
  return db.$queryRaw<Unsettled[]>`
    SELECT state, round_id AS "roundID"
    FROM find_unsettled(${playerID}::bigint)
    ORDER BY round_id, state`;
}

export type SwitchOutcome = 'switched' | 'unsettled' | 'changed' | 'gone';

/** @param proof of the rows that the target has */
export async function switchPlayer(db: Database, moveID: string, proof: string): Promise<SwitchOutcome> {
  return retryConflicts(async () => {
    const [row] = await db.$queryRaw<{ outcome: SwitchOutcome }[]>`
      SELECT switch_player(${moveID}::uuid, ${proof}::jsonb) AS outcome`;
    return outcomeOf(row);
  });
}

export async function landPlayer(db: Database, moveID: string): Promise<'landed' | 'finished' | 'unknown'> {
  return retryConflicts(async () => {
    const [row] = await db.$queryRaw<{ outcome: 'landed' | 'finished' | 'unknown' }[]>`
      SELECT land_player(${moveID}::uuid) AS outcome`;
    return outcomeOf(row);
  });
}

export async function unstagePlayer(db: Database, moveID: string): Promise<void> {
  await db.$executeRaw`SELECT unstage_player(${moveID}::uuid)`;
}

/** The source remembers that the target serves the player. */
export async function finishMove(db: Database, moveID: string): Promise<void> {
  await db.$executeRaw`
    UPDATE cell_moves
    SET state = 'finished', changed_at = now()
    WHERE id = ${moveID}::uuid AND state = 'switched'`;
}

/** Returns the proof of a finished move as the database has stored it, as text of its JSON. */
export async function storedProof(db: Database, moveID: string): Promise<string | undefined> {
  const [row] = await db.$queryRaw<{ proof: string | null }[]>`
    SELECT proof::text AS proof
    FROM cell_moves
    WHERE id = ${moveID}::uuid AND state = 'finished'`;
  return row?.proof ?? undefined;
}

/** Returns the proof of the rows that moved_rows has of this move. */
export async function proofOfKeptRows(db: Database, moveID: string): Promise<string> {
  const [row] = await db.$queryRaw<{ proof: string }[]>`SELECT move_proof(${moveID}::uuid, NULL)::text AS proof`;
  if (row === undefined) throw new Error('move_proof returned no row');
  return row.proof;
}

/** Lists the finished moves of an operator whose rows are still kept. */
export async function listKeptMoves(db: Database, operatorCode: string): Promise<CellMove[]> {
  return db.$queryRaw<CellMove[]>`
    SELECT m.id, m.player_id AS "playerID", m.external_id AS "externalID", m.source, m.target, m.state
    FROM cell_moves m
    JOIN operators o ON o.id = m.operator_id
    WHERE o.code = ${operatorCode} AND m.state = 'finished' AND EXISTS (SELECT FROM moved_rows r WHERE r.move_id = m.id)
    ORDER BY m.created_at, m.id`;
}

/** Deletes the rows of a move that is finished. Returns how many. */
export async function forgetMove(db: Database, moveID: string): Promise<number> {
  return db.$executeRaw`
    DELETE FROM moved_rows r
    USING cell_moves m
    WHERE m.id = ${moveID}::uuid AND m.state = 'finished' AND r.move_id = m.id`;
}

function outcomeOf<Outcome>(row: { outcome: Outcome } | undefined): Outcome {
  if (row === undefined) throw new Error('the database returned no outcome');
  return row.outcome;
}

/** Takes the lock of moves of an operator for the connection; false when another command has it. */
export async function lockMoves(client: PoolClient, operatorCode: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
    [`cell moves of ${operatorCode}`],
  );
  return rows[0]?.locked === true;
}

/** Gives back each lock that the connection has. */
export async function unlockMoves(client: PoolClient): Promise<void> {
  await client.query('SELECT pg_advisory_unlock_all()');
}
