import { postJson } from '../servers/postJson.ts';
import { BET, type BenchPlayer } from '../workload.ts';

const AT_ONCE = 64;

/** A round of each player that stays open. */
export async function openRounds(url: string, players: readonly BenchPlayer[]): Promise<void> {
  for (let from = 0; from < players.length; from += AT_ONCE) {
    const some = players.slice(from, from + AT_ONCE);
    await Promise.all(some.map(({ sessionID }) => postJson(url + BET.win.path, { sessionID, ...BET.win.fields })));
  }
}
