import { readdirSync, readFileSync } from 'node:fs';

type Exports = Record<string, { default: string } | string>;

/**
 * Aliases that give a test the sources of the packages of this workspace, so that it needs no build
 * of them.
 */
export const SOURCES = readdirSync(new URL('packages/', import.meta.url)).flatMap((folder) => {
  const place = new URL(`packages/${folder}/`, import.meta.url);
  const manifest = JSON.parse(readFileSync(new URL('package.json', place), 'utf8'));
  return Object.entries((manifest.exports ?? {}) as Exports).flatMap(([name, target]) => {
    if (typeof target === 'string') return [];
    const source = target.default.replace('./dist/', './src/').replace(/[.]js$/, '.ts');
    return [{ find: new RegExp(`^${manifest.name}${name.slice(1)}$`), replacement: new URL(source, place).pathname }];
  });
});
