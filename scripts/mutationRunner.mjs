// This is a plugin of Stryker for scripts/mutation.mjs.
import path from 'node:path';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';

/**
 * Returns Stryker's own runner for Vitest, with two differences. The test files that found the
 * latest mutants run first, because one test that fails ends the run of a mutant. And a mutant is
 * active before its module is loaded, since code of modules runs then; Stryker forgets this when it
 * is given the test files.
 */
function createRunner(injector) {
  const [vitest] = vitestPlugins;
  const runner = injector.injectFunction(vitest.factory);
  const run = runner.mutantRun.bind(runner);
  let first = [];
  runner.mutantRun = async (options) => {
    process.env.MUTATION_FIRST = first.join();
    const result = await run({ ...options, mutantActivation: 'static' });
    const found = (result.killedBy ?? []).map((test) => path.basename(test.split('#', 1)[0]));
    first = [...new Set([...found, ...first])];
    return result;
  };
  return runner;
}
createRunner.inject = ['$injector'];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'failingFirst', factory: createRunner }];
