import { cp } from 'node:fs/promises';
import path from 'node:path';
import { createEmptyDatabase } from './database.ts';
import { writeFixtureGame } from './fixtureGame.ts';
import { succeed, temporaryFolder } from './roundhouse.ts';

/** The environment of a `roundhouse serve` with one small game and a migrated database of its own. */
export async function servedFixture(name: string): Promise<NodeJS.ProcessEnv> {
  const home = await temporaryFolder(name);
  const game = await writeFixtureGame({ version: '1.0.0' });
  await cp(game.folder, path.join(home, 'games', 'fixture'), { recursive: true });
  await game.remove();
  const { url } = await createEmptyDatabase();
  const env = {
    DATABASE_URL: url,
    ROUNDHOUSE_GAMES: path.join(home, 'games'),
    ROUNDHOUSE_DATA: path.join(home, 'data'),
  };
  await succeed(['migrate'], { env });
  return env;
}
