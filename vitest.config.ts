import os from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*', 'games/*', { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'] } }],
    // Half of the cores, because PostgreSQL and the servers under test need the rest; two at least.
    maxWorkers: Math.max(2, Math.floor(os.availableParallelism() / 2)),
  },
});
