// Lists what an installed package exports: its entries with types, and the names of their types.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns each entry as a program imports it, with the names that its declarations export. */
export function exportsOf(packageFolder) {
  const { name, exports = {} } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([entry, { types }]) =>
    types === undefined
      ? []
      : [{ specifier: path.posix.join(name, entry), types: [...namesIn(path.join(packageFolder, types))] }],
  );
}

function namesIn(file) {
  const text = readFileSync(file, 'utf8');
  const names = new Set();
  for (const [, from] of text.matchAll(/^export \* from ['"](.+)['"];$/gm)) {
    for (const name of namesIn(declarationsOf(path.resolve(path.dirname(file), from)))) names.add(name);
  }
  for (const [, list] of text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)) {
    for (const item of list.split(',').filter((each) => each.trim() !== '')) {
      names.add(
        item
          .trim()
          .replace(/^type /, '')
          .replace(/^.* as /, ''),
      );
    }
  }
  for (const [, name] of text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:type|interface|const|function|class|enum) (\w+)/gm,
  )) {
    names.add(name);
  }
  return names;
}

function declarationsOf(file) {
  const candidates = [file, file.replace(/[.][jt]s$/, '.d.ts')];
  return candidates.find((each) => each.endsWith('.d.ts') && existsSync(each));
}
