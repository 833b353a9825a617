import path from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { fromRoot, readTimes } from './testTimes.mjs';

/**
 * Sorts the projects and in each of them the files, the longest first: if a long file began last,
 * the run would wait for it alone. A worker keeps what it has loaded while it stays with a project.
 */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    if (process.env.MUTATION_FIRST !== undefined) return failingFirst(files, process.env.MUTATION_FIRST.split(','));
    const times = readTimes();
    const secondsOf = ({ moduleId }) => times[fromRoot(moduleId)] ?? 0;
    const sums = new Map();
    for (const file of files) sums.set(file.project.name, (sums.get(file.project.name) ?? 0) + secondsOf(file));
    const ofProject = ({ project }) => sums.get(project.name);
    return files.toSorted((one, other) => ofProject(other) - ofProject(one) || secondsOf(other) - secondsOf(one));
  }
}

/** Sorts the files that found the latest mutants first, for scripts/mutation.mjs. */
function failingFirst(files, names) {
  const placeOf = ({ moduleId }) => (names.indexOf(path.basename(moduleId)) + names.length + 1) % (names.length + 1);
  return files.toSorted((one, other) => placeOf(one) - placeOf(other));
}
