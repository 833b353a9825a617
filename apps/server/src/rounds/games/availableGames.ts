import type { Database } from '../../store/database/database.ts';
import { listWithdrawn } from '../../store/rounds/games.ts';
import type { Catalogue, GameVersion } from './catalogue.ts';

/**
 * Returns the version of each game that new players get: the current one, or, when it was
 * withdrawn, the newest served one that was not. A game without such a version is left out.
 */
export async function availableGames(db: Database, catalogue: Catalogue): Promise<GameVersion[]> {
  const withdrawn = await listWithdrawn(db);
  const available = catalogue.games.filter(
    (game) => !withdrawn.some(({ gameID, version }) => gameID === game.gameID && version === game.version),
  );
  return available.filter((game) => {
    const ofGame = available.filter(({ gameID }) => gameID === game.gameID);
    const current = catalogue.current(game.gameID);
    return game === (ofGame.find((other) => other === current) ?? ofGame.at(-1));
  });
}
