import { Client } from 'pg';
import { BET_AMOUNT, type BenchPlayer, type Caller, MODE_OF, PAYOUT_MULTIPLIER, type Workload } from '../workload.ts';

const OPEN_ROUND = `SELECT * FROM open_rounds(ARRAY[$1::bigint], ARRAY[$2::bigint], ARRAY[$3::text], ARRAY[1::numeric],
  ARRAY[$4::bigint], ARRAY[$4::bigint], ARRAY[$5::bigint], ARRAY[$6::bigint], ARRAY[$7::bigint], ARRAY[$8::boolean],
  ARRAY[0::bigint], ARRAY[NULL::text], ARRAY[false], ARRAY[false])`;
const CLOSE_ROUND = 'SELECT * FROM close_rounds(ARRAY[$1::bigint], ARRAY[$2::bigint])';

/** The function that the server calls, for one round at a time: a prepared statement on a database connection of its own. */
export async function openStatementCaller(
  databaseUrl: string,
  { player, workload }: { player: BenchPlayer; workload: Workload },
): Promise<Caller> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const mode = MODE_OF[workload];
  const multiplier = PAYOUT_MULTIPLIER[mode];
  const bet = [mode, BET_AMOUNT, 1, multiplier, (BET_AMOUNT * multiplier) / 100, workload === 'play'];
  const ids = [player.playerID, player.sessionRowID];
  const call = async ({ outcome, ...query }: { name: string; text: string; values: unknown[]; outcome: string }) => {
    const { rows } = await client.query(query);
    if (rows[0]?.outcome !== outcome) throw new Error(`${query.name} answered ${JSON.stringify(rows)}`);
  };
  return {
    play: () => call({ name: 'open', text: OPEN_ROUND, values: [...ids, ...bet], outcome: 'opened' }),
    endRound: () => call({ name: 'close', text: CLOSE_ROUND, values: ids, outcome: 'closed' }),
    close: () => client.end(),
  };
}
