const cleanUps = new Set<() => Promise<void>>();

/**
 * Runs at the end of each test file, whatever became of its tests; said once by a module of these
 * helpers. A hook at the top of such a module would be of the first file only: the files share the
 * modules that they import.
 */
export function afterFile(cleanUp: () => Promise<void>): void {
  cleanUps.add(cleanUp);
}

export async function cleanUpAfterFile(): Promise<void> {
  for (const cleanUp of cleanUps) await cleanUp();
}
