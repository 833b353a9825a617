import path from 'node:path';
import { BaseSequencer } from 'vitest/node';

/**
 * These files take long, mostly waiting for processes. If one began last, the run would wait for it
 * alone.
 */
const LONGEST = [
  'scripts/packages.test.mjs',
  'create-roundhouse-game/test/templates.test.ts',
  'test/seamless/crash.test.ts',
  'test/failover/failover.test.ts',
  'test/chaos/chaos.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/race/lastFreeRound.test.ts',
  'test/workers/workers.test.ts',
  'test/docs/operators.test.ts',
  'test/process/logOutput.test.ts',
  'test/process/evidence.test.ts',
  'test/process/verifyInstall.test.ts',
  'test/process/killed.test.ts',
  'test/process/interruptedLoad.test.ts',
  'test/process/dev.test.ts',
  'src/embeddedPostgres.test.ts',
  'bench/bench.test.ts',
  'test/brokenWallets.test.ts',
  'test/wallet/anyOrder.test.ts',
  'sdk/test/package.test.ts',
];

/**
 * Sorts the longest first, then project after project: a worker keeps what it has loaded as long as
 * it stays with one.
 */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    if (process.env.MUTATION_FIRST !== undefined) return failingFirst(sorted, process.env.MUTATION_FIRST.split(','));
    const projects = [...new Set(files.map(({ project }) => project.name))];
    const placeOf = ({ moduleId, project }) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
      return place >= 0 ? place : LONGEST.length + (project.name === 'server' ? 0 : 1 + projects.indexOf(project.name));
    };
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** Sorts the files that found the latest mutants first, for scripts/mutation.mjs. */
function failingFirst(files, names) {
  const placeOf = ({ moduleId }) => (names.indexOf(path.basename(moduleId)) + names.length + 1) % (names.length + 1);
  return files.toSorted((one, other) => placeOf(one) - placeOf(other));
}
