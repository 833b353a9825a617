import roundhouse from 'roundhouse/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: { outDir: 'dist/frontend' },
  server: { open: true },
  plugins: [roundhouse()],
});
