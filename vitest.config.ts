import os from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longestFirst.mjs';

export default defineConfig({
  test: {
    projects: [
      'packages/*',
      'apps/*',
      'games/sample',
      'deploy/observability',
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], testTimeout: 300_000, hookTimeout: 300_000 } },
    ],
    // Half of the cores, because PostgreSQL and the servers under test need the rest; three at
    // least, since some files wait for processes most of the time.
    maxWorkers: Math.max(3, Math.floor(os.availableParallelism() / 2)),
    sequence: { sequencer: LongestFirst },
  },
});
