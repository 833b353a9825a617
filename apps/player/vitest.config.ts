import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'player', include: ['src/**/*.test.ts'], testTimeout: 300_000 } });
