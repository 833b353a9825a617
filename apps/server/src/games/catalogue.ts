import type { MathMode } from '@roundhouse/math';
import type { GameVersion } from './game.ts';

/** What this node serves. */
export type Catalogue = {
  /** In the order in which they were loaded. */
  games: readonly GameVersion[];
  find(gameID: string, version: string): GameVersion | undefined;
  /** The version that was loaded last, of the game or, without an id, of the first game. */
  current(gameID?: string): GameVersion | undefined;
  /**
   * The math of a mode, also of a version that is no longer served: rounds stay on the version that they were played on, and
   * its books are kept on disk.
   */
  math(key: { gameID: string; version: string; mode: string }): MathMode | undefined;
  close(): Promise<void>;
};

/** The math of a version that was published before and whose books are still here. */
export type RetiredVersion = Pick<GameVersion, 'gameID' | 'version' | 'math'>;

export function createCatalogue(games: readonly GameVersion[], retired: readonly RetiredVersion[] = []): Catalogue {
  const served = new Map(games.map((game) => [keyOf(game.gameID, game.version), game]));
  const math = new Map([...retired, ...games].map((game) => [keyOf(game.gameID, game.version), game.math]));
  return {
    games,
    find: (gameID, version) => served.get(keyOf(gameID, version)),
    current: (gameID = games[0]?.gameID) => games.findLast((game) => game.gameID === gameID),
    math: ({ gameID, version, mode }) => math.get(keyOf(gameID, version))?.modes.get(mode),
    async close() {
      await Promise.all([...math.values()].map((each) => each.close()));
    },
  };
}

function keyOf(gameID: string, version: string): string {
  return `${gameID}/${version}`;
}
