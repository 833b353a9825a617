import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, it } from 'vitest';

const MAX_BYTES = 6 * 1024;

it('weighs at most 6 KB, minified and gzipped, and holds no code but its own', async () => {
  const folder = path.join(import.meta.dirname, '..');
  const entry = path.join(folder, 'src/index.ts');
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      minify: 'oxc',
      lib: { entry, formats: ['iife'], name: 'Fair', fileName: () => 'fair.js' },
      rolldownOptions: { output: { generatedCode: { symbols: false } } },
    },
  });
  const [{ code, moduleIds, imports }] = [result]
    .flat()
    .flatMap((each) => ('output' in each ? each.output : [])) as unknown as [
    { code: string; moduleIds: string[]; imports: string[] },
  ];
  const size = gzipSync(code, { level: 9 }).length;
  console.info(`@roundhouse/fair: ${size} bytes gzipped, ${code.length} minified`);
  expect(moduleIds.filter((id) => !id.startsWith(path.join(folder, 'src')) && !id.startsWith('\0rolldown'))).toEqual(
    [],
  );
  expect(imports).toEqual([]);
  expect(size).toBeGreaterThan(2048);
  expect(size).toBeLessThanOrEqual(MAX_BYTES);
});
