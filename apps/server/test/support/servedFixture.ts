import path from 'node:path';
import { createTestDatabase } from './database.ts';
import { writeFixtureFiles } from './fixtureGame.ts';
import { temporaryFolder } from './roundhouse.ts';

export type ServedFixture = { DATABASE_URL: string; ROUNDHOUSE_GAMES: string; ROUNDHOUSE_DATA: string };

/** Returns the environment of a `roundhouse serve` with one small game and its own database. */
export async function servedFixture(name: string): Promise<ServedFixture> {
  const home = await temporaryFolder(name);
  const games = path.join(home, 'games');
  await writeFixtureFiles(path.join(games, 'fixture'));
  const { url } = await createTestDatabase();
  return { DATABASE_URL: url, ROUNDHOUSE_GAMES: games, ROUNDHOUSE_DATA: path.join(home, 'data') };
}
