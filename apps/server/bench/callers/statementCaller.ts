import { openClient } from '@roundhouse/service';
import { BET_AMOUNT, type BenchPlayer, type Caller } from '../workload.ts';

/** One play of mode LOSE for the player of this number, which is also that of the session. */
export const OPEN_ROUND_OF = (number: string) =>
  `SELECT * FROM open_rounds(ARRAY[${number}::bigint], ARRAY[${number}::bigint],
  ARRAY['LOSE'], ARRAY[1::numeric], ARRAY[${BET_AMOUNT}::bigint], ARRAY[${BET_AMOUNT}::bigint], ARRAY[1::bigint], ARRAY[0::bigint],
  ARRAY[0::bigint], ARRAY[true], ARRAY[0::bigint], ARRAY[NULL::text], ARRAY[false], ARRAY[false])`.replace(/\s+/g, ' ');

/** The function that the server calls, for one play at a time: a prepared statement on a database connection of its own. */
export async function openStatementCaller(databaseUrl: string, { number }: BenchPlayer): Promise<Caller> {
  const client = await openClient(databaseUrl);
  const query = { name: 'open', text: OPEN_ROUND_OF('$1'), values: [number] };
  const play = async () => {
    const { rows } = await client.query(query);
    if (rows[0]?.outcome !== 'opened') throw new Error(`open_rounds answered ${JSON.stringify(rows)}`);
  };
  return { calls: [play], close: () => client.end() };
}
