import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  // The console has its own port, and the page handles every path on it.
  base: '/',
  build: {
    target: 'es2022',
    // The content security policy allows only files of the same host.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
  test: { name: 'console', include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'], testTimeout: 300_000 },
});
