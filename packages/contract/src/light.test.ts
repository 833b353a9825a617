import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

it.each([
  { entry: 'light.ts', packages: [] },
  // The same walk finds what there is to find.
  { entry: 'index.ts', packages: ['@ts-rest/core', 'zod'] },
])('$entry needs these packages at run time: $packages', async ({ entry, packages }) => {
  const files = new Set([path.join(import.meta.dirname, entry)]);
  const found = new Set<string>();
  for (const file of files) {
    for (const specifier of runtimeImportsOf(await readFile(file, 'utf8'))) {
      if (specifier.startsWith('.')) files.add(path.resolve(file, '..', specifier));
      else found.add(specifier);
    }
  }
  expect([...found].sort()).toEqual(packages);
});

/** Compiled as they stand (verbatimModuleSyntax), only `import type` and `export type` disappear. */
function runtimeImportsOf(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)';/gm);
  return [...statements].map(([, specifier = '']) => specifier);
}
