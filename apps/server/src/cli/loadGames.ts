import type { Catalogue } from '../games/catalogue.ts';
import { type LoadCatalogueOptions, loadCatalogue } from '../games/loadCatalogue.ts';
import { StartError } from '../startError.ts';
import { createProgressView } from './gameProgress.ts';
import { renderProblems } from './verifyReport.ts';

/** Loads the games with their progress shown. What is wrong with a game is told in full, and is the end of the command. */
export async function loadGames(options: Omit<LoadCatalogueOptions, 'onProgress'>): Promise<Catalogue> {
  const view = createProgressView();
  const loaded = await loadCatalogue({ ...options, onProgress: view.show }).finally(view.end);
  if (loaded.ok) return loaded.catalogue;
  const { faults, mathProblems } = loaded;
  const problems = mathProblems === undefined ? [] : [renderProblems(mathProblems.problems, mathProblems.problemCount)];
  throw new StartError([...faults, ...problems].join('\n').trimEnd());
}
