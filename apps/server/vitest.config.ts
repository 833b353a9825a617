import { configDefaults, defineConfig } from 'vitest/config';

const isMutationRun = process.env.STRYKER_MUTATOR_WORKER !== undefined;

/** Proofs of many minutes, by the variable that their command sets: they have no short form. */
const LONG = { FAULTS_TIMES: 'test/failover/faults.test.ts', PATRONI_TIMES: 'test/failover/patroni.test.ts' };
const leftOut = Object.entries(LONG).flatMap(([variable, file]) => (process.env[variable] === undefined ? file : []));

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.{ts,js}', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
    globalSetup: 'test/support/globalSetup.ts',
    setupFiles: 'test/support/setUpFile.ts',
    // Processes and not threads: some tests send signals.
    pool: 'forks',
    // What a request leaves behind dies young, here thousands of times a second. Stryker runs the
    // tests in threads, which take no such option.
    execArgv: isMutationRun ? [] : ['--max-semi-space-size=64'],
    // Each file has a database and servers of its own. To load the server anew for each took two
    // seconds of a core, more than most tests.
    isolate: false,
    // A start of the command takes a second of a whole core, and half a minute where twenty others
    // want the cores. A mutant that never responds is found sooner.
    testTimeout: isMutationRun ? 60_000 : 300_000,
    hookTimeout: isMutationRun ? 60_000 : 300_000,
    expect: { poll: { timeout: isMutationRun ? 20_000 : 100_000 } },
  },
});
