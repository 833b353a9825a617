import { StartError } from '@roundhouse/service';
import { loadGames } from '../cli/loadGames.ts';
import type { Catalogue } from '../games/catalogue.ts';
import type { Database } from '../ledger/database.ts';
import type { GameMark, WorkerJob } from './messages.ts';

export function gameMarks({ games }: Catalogue): GameMark[] {
  return games.map(({ gameID, version, math }) => ({ gameID, version, mathSha256: math.sha256 }));
}

/**
 * Opens what the first process has indexed, in milliseconds. A worker that comes later may find other games on the disk; with these it
 * would answer other than its neighbours, so it does not start.
 */
export async function openGames({ folders, storeFolder, games }: WorkerJob, db: Database): Promise<Catalogue> {
  // What there is to be warned of the first process has said.
  const catalogue = await loadGames({ db, folders, storeFolder, warn: () => {} });
  if (JSON.stringify(gameMarks(catalogue)) === JSON.stringify(games)) return catalogue;
  await catalogue.close();
  throw new StartError('The games on the disk are not those that the node was started with: restart it.');
}
