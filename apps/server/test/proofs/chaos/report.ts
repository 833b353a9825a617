import type { Database } from '../../../src/store/database/database.ts';
import type { ChaosPlayer } from './chaosPlayer.ts';
import { FAULTS, SHARE } from './simulate.ts';

/** Prints what went wrong on the way, for those who read the output as evidence. */
export async function report(db: Database, players: readonly ChaosPlayer[], more: readonly string[]): Promise<void> {
  const stored = await db.$queryRaw<{ line: string }[]>`
    SELECT format('%s rounds %s, %s of them free', count(*), coalesce(wallet_state::text, 'of the house'), count(grant_id)) AS line
    FROM rounds GROUP BY wallet_state
    UNION ALL
    SELECT format('%s grants %s, %s of them automatic, %s paid at the end: given %s, used %s, expired %s, cancelled %s, won %s',
      count(*), state, count(*) FILTER (WHERE automatic), count(*) FILTER (WHERE paid_at_end), sum(given), sum(used),
      sum(expired), sum(cancelled), sum(won_micros))
    FROM grants GROUP BY state
    UNION ALL
    SELECT format('%s winnings of grants of the house', count(*)) FROM transfers WHERE kind = 'winnings'
    UNION ALL
    SELECT format('%s wallet requests of kind %s, %s of them sent more than once, %s times in all',
      count(*), kind, count(*) FILTER (WHERE attempts > 1), sum(attempts))
    FROM wallet_transactions GROUP BY kind`;
  const statuses = players.flatMap(({ calls }) => calls.map(({ status }) => status));
  const told = [...new Set(statuses)].map((status) => {
    const count = statuses.filter((each) => each === status).length;
    return `${count} requests of players ${status ? `got ${status}` : 'without a response'}`;
  });
  const names = FAULTS.map((fault) => ('afterWork' in fault ? `${fault.kind} after the work` : fault.kind));
  const faults = `of the calls to the wallet ${SHARE * 100} % each: ${names.join(', ')}`;
  console.log([...stored.map(({ line }) => line), ...told, faults, ...more].join('\n'));
}
