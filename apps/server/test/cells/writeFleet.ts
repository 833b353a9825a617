import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../support/roundhouse.ts';

type CellWanted = { name?: string; numbers?: number[]; databaseUrl: string; url?: string; nodes?: string[] };

/** Makes the content of a fleet file: the cells have the names eu-1, eu-2 … and their numbers. */
export function fleetOfCells(cells: readonly CellWanted[], more: object = {}) {
  const named = cells.map((cell, at) => ({
    ...{ name: `eu-${at + 1}`, numbers: [at + 1], url: `http://127.0.0.1:${at + 1}` },
    ...cell,
  }));
  return { version: 1, cells: named, placements: [{ cells: named.map(({ name }) => name) }], ...more };
}

/**
 * Writes a fleet file until the end of the test file, with each member of a cell on its own line.
 */
export async function writeFleet(content: object): Promise<string> {
  const file = path.join(await temporaryFolder('fleet'), 'fleet.yaml');
  await writeFile(file, JSON.stringify(content, null, 2));
  return file;
}
