import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'demo-slot',
    include: ['*.test.ts', 'math/**/*.test.ts', 'src/**/*.test.ts'],
    environment: 'node',
    // Some tests go through hundreds of thousands of books, which takes seconds on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Pixi and the game are loaded once, and not for each file.
    isolate: false,
  },
});
