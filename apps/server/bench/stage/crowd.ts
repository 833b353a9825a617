import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BenchPlayer } from '../workload.ts';

/** Players who play at the same time, and their sessionIDs, all of one length, in a file for a generator that is no part of us. */
export type Crowd = { players: readonly BenchPlayer[]; sessionFile: string };

export async function gather(folder: string, name: string, players: readonly BenchPlayer[]): Promise<Crowd> {
  const sessionFile = path.join(folder, `${name}.sessions`);
  await writeFile(sessionFile, players.map(({ sessionID }) => `${sessionID}\n`).join(''));
  return { players, sessionFile };
}
