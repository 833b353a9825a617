import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  // The console has a separate port, and every path below it is the page's.
  base: '/',
  build: {
    target: 'es2022',
    // The content security policy of the page allows only files from the page's host.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
  test: { name: 'console', include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'], testTimeout: 300_000 },
});
