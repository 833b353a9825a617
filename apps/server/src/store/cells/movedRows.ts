import { CELL_SHIFT } from '@roundhouse/fleet';
import type { PoolClient } from 'pg';
import type { Database } from '../database/database.ts';
import type { CellMove } from './cellMoves.ts';

/** Rows travel as the text of their JSON: no number of theirs becomes one of JavaScript. */
type TravellingRow = { table_name: string; key: string; fields: string };

const ROWS_AT_ONCE = 2_000;

/** The target refuses the rows of a player: the message says why, in one line. */
export class MoveRefused extends Error {
  override name = 'MoveRefused';
}

export type Staging = {
  source: Database;
  target: Database;
  operatorCode: string;
  move: CellMove;
  /** New ids of the target have this number; every id of the player must have a lower one. */
  lastNumber: number;
};

/**
 * Copies the rows of a player to the target, where nobody uses them yet, in one transaction there.
 * It rehearses the landing: the rows go into the live tables, their proof is compared with that of
 * the source, and they are taken out again. Returns the proof, as text of its JSON; undefined when
 * the player has landed before.
 * @throws MoveRefused when the target cannot take the rows. Nothing is changed then.
 */
export async function stagePlayer(staging: Staging): Promise<string | undefined> {
  return inTransaction(staging.source, 'ISOLATION LEVEL REPEATABLE READ READ ONLY', (from) =>
    inTransaction(staging.target, '', (to) => copy(from, to, staging)),
  );
}

async function copy(from: PoolClient, to: PoolClient, staging: Staging): Promise<string | undefined> {
  const { operatorCode, move, lastNumber } = staging;
  // After the switch the rows are those that the source keeps.
  const isSwitched = move.state === 'switched';
  const proof = await one<string>(from, 'SELECT move_proof($1::uuid, $2::bigint)::text AS value', [
    isSwitched ? move.id : null,
    isSwitched ? null : move.playerID,
  ]);
  const { id, playerID, externalID, source, target } = move;
  const staged = await one<string>(to, 'SELECT stage_player($1, $2, $3, $4, $5, $6, $7::jsonb) AS value', [
    ...[id, playerID, operatorCode, externalID, source, target, proof],
  ]);
  if (staged === 'finished') return undefined;
  if (staged === 'here') throw new MoveRefused(`the target already has a player ${externalID}`);
  await copyCampaigns(from, to, staging);
  const rows = isSwitched
    ? { text: 'SELECT table_name, key, fields::text FROM moved_rows WHERE move_id = $1', values: [id] }
    : { text: 'SELECT table_name, key, fields::text FROM player_rows($1)', values: [playerID] };
  // A cursor takes no parameters, and both values are ids.
  await from.query(`DECLARE travelling CURSOR FOR ${rows.text.replace('$1', `'${rows.values[0]}'`)}`);
  for (;;) {
    const { rows: some } = await from.query<TravellingRow>(`FETCH ${ROWS_AT_ONCE} FROM travelling`);
    if (some.length === 0) break;
    await to.query(
      `INSERT INTO moved_rows (move_id, table_name, key, fields)
       SELECT $1, r.*
       FROM unnest($2::text[], $3::text[], $4::jsonb[]) r (table_name, key, fields)`,
      [id, some.map((row) => row.table_name), some.map((row) => row.key), some.map((row) => row.fields)],
    );
  }
  const number = await one<number>(
    to,
    `SELECT coalesce(max((fields ->> 'id')::bigint), 0) >> ${CELL_SHIFT} AS value
     FROM moved_rows
     WHERE move_id = $1 AND jsonb_typeof(fields -> 'id') = 'number'`,
    [id],
  );
  if (Number(number) >= lastNumber) throw new MoveRefused(numberText(Number(number), lastNumber));
  await openHouseAccounts(to, id, operatorCode);
  await rehearse(to, move, proof);
  return proof;
}

/** Says what the operator of the fleet has to do first. */
export function numberText(number: number, lastNumber: number): string {
  return (
    `it has ids of number ${number}, and the target makes new ones with number ${lastNumber}: newer ids must be higher, ` +
    'so give the target one more number in the fleet file and migrate'
  );
}

async function rehearse(to: PoolClient, { id, playerID }: CellMove, proof: string): Promise<void> {
  await to.query('SAVEPOINT rehearsal');
  let landed: string;
  try {
    await to.query('SELECT insert_moved_rows($1)', [id]);
    landed = await one<string>(to, 'SELECT move_proof(NULL, $1::bigint)::text AS value', [playerID]);
  } catch (error) {
    throw new MoveRefused(`the target cannot take its rows: ${(error as Error).message}`, { cause: error });
  }
  await to.query('ROLLBACK TO SAVEPOINT rehearsal');
  if (landed !== proof) throw new MoveRefused('the target would have other rows than the source');
}

/**
 * Each campaign of the player's grants is created as it is; one of the same name must be the same.
 */
async function copyCampaigns(from: PoolClient, to: PoolClient, { move, operatorCode }: Staging): Promise<void> {
  if (move.state === 'switched') return;
  const { rows } = await from.query<{ fields: string }>(
    `SELECT DISTINCT with_codes(to_jsonb(c) - 'id')::text AS fields
     FROM accounts a
     JOIN grants g ON g.account_id = a.id
     JOIN campaigns c ON c.id = g.campaign_id
     WHERE a.player_id = $1`,
    [move.playerID],
  );
  for (const { fields } of rows) {
    await to.query(
      `INSERT INTO campaigns
       SELECT r.*
       FROM operators o
       CROSS JOIN LATERAL jsonb_populate_record(NULL::campaigns,
         with_ids($1::jsonb, o.id) || jsonb_build_object('id', nextval('campaigns_id_seq'))) r
       WHERE o.code = $2
       ON CONFLICT (operator_id, external_id) DO NOTHING`,
      [fields, operatorCode],
    );
    const different = await one<string | null>(
      to,
      `SELECT min(c.external_id) AS value
       FROM campaigns c
       JOIN operators o ON o.id = c.operator_id
       WHERE o.code = $2 AND c.external_id = $1::jsonb ->> 'external_id'
         AND with_codes(to_jsonb(c)) - '{id,created_at,cancelled_at}'::text[]
           <> $1::jsonb - '{created_at,cancelled_at}'::text[]`,
      [fields, operatorCode],
    );
    if (different !== null) throw new MoveRefused(`campaign ${different} has other terms at the target`);
  }
}

/** The house wallet moves money between a player and the house, or the cashier. */
async function openHouseAccounts(to: PoolClient, moveID: string, operatorCode: string): Promise<void> {
  await to.query(
    `INSERT INTO accounts (operator_id, kind, currency)
     SELECT o.id, k.kind, c.currency
     FROM (
       SELECT DISTINCT fields ->> 'currency' AS currency
       FROM moved_rows
       WHERE move_id = $1 AND table_name = 'accounts'
     ) c
     CROSS JOIN unnest('{house,cashier}'::account_kind[]) k (kind)
     JOIN operators o ON o.code = $2 AND o.wallet = 'house'
     ORDER BY c.currency, k.kind
     ON CONFLICT DO NOTHING`,
    [moveID, operatorCode],
  );
}

async function one<Value>(client: PoolClient, text: string, values: unknown[]): Promise<Value> {
  const { rows } = await client.query<{ value: Value }>(text, values);
  if (rows[0] === undefined) throw new Error('the database returned no row');
  return rows[0].value;
}

async function inTransaction<Value>(
  { pool }: Database,
  mode: string,
  work: (client: PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(`BEGIN ${mode}`);
    const value = await work(client);
    await client.query('COMMIT');
    return value;
  } catch (error) {
    // The connection may be the reason.
    await client.query('ROLLBACK').catch((broken: Error) => {
      failure = broken;
    });
    throw error;
  } finally {
    client.release(failure);
  }
}
