import { defineConfig } from 'vitest/config';

const isMutationRun = process.env.STRYKER_MUTATOR_WORKER !== undefined;

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.{ts,js}', 'test/**/*.test.ts'],
    globalSetup: 'test/support/globalSetup.ts',
    setupFiles: 'test/support/setUpFile.ts',
    // Processes and not threads: some tests send signals.
    pool: 'forks',
    // What a request leaves behind dies young, here thousands of times a second. Stryker runs the
    // tests in threads, which take no such option.
    execArgv: isMutationRun ? [] : ['--max-semi-space-size=64'],
    // Each file has its own database and servers. Loading the server anew for each took two seconds
    // of a core, more than most tests.
    isolate: false,
    // A start of the command takes a second of a whole core, and half a minute where twenty others
    // want the cores. A mutant that never responds is found sooner.
    testTimeout: isMutationRun ? 60_000 : 300_000,
    hookTimeout: isMutationRun ? 60_000 : 300_000,
    expect: { poll: { timeout: isMutationRun ? 20_000 : 100_000 } },
  },
});
