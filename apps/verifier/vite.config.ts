import { defineConfig } from 'vitest/config';
import { SOURCES } from '../../vitest.sources.ts';
import { oneFile } from './oneFile.ts';

export default defineConfig({
  plugins: [oneFile()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    // The worker runs the script of the page. A module worker cannot start from a file.
    rolldownOptions: { output: { format: 'iife' } },
  },
  test: { name: 'verifier', alias: SOURCES, include: ['src/**/*.test.ts'], testTimeout: 300_000 },
});
