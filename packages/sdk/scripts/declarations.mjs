// The declarations of the package: what tsc writes, and beside it those of the contract, which is not published.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { packageFolder } from './bundle.mjs';

const execute = promisify(execFile);
const CONTRACT = '@roundhouse/contract/light';
const contractDeclarations = path.join(packageFolder, 'node_modules/@roundhouse/contract/dist');
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)(["'])([^"']+)\2/g;

export async function buildDeclarations({ outDir }) {
  await mkdir(outDir, { recursive: true });
  // Inside the package, so that tsc finds the packages that the sources import.
  const written = await mkdtemp(path.join(packageFolder, 'node_modules/.declarations-'));
  try {
    await runCompiler(written);
    await cp(contractDeclarations, path.join(written, 'contract'), { recursive: true });
    await copyNeeded({ from: written, to: outDir, entries: ['index.d.ts', 'events.d.ts'] });
  } finally {
    await rm(written, { recursive: true, force: true });
  }
}

async function runCompiler(outDir) {
  const compiler = path.join(packageFolder, 'node_modules/typescript/bin/tsc');
  const options = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', outDir];
  await execute(process.execPath, [compiler, ...options], { cwd: packageFolder }).catch((error) => {
    throw new Error(`tsc refused the sources:\n${error.stdout}${error.stderr}`);
  });
}

/** Copies the entries and all that they import. */
async function copyNeeded({ from, to, entries }) {
  const seen = new Set(entries);
  for (const name of seen) {
    const text = await readFile(path.join(from, name), 'utf8');
    const rewritten = text.replace(SPECIFIER, (_, before, quote, specifier) => {
      const target = targetOf({ specifier, importer: name });
      seen.add(target);
      return `${before}${quote}${relativeSpecifier({ target, importer: name })}${quote}`;
    });
    await mkdir(path.dirname(path.join(to, name)), { recursive: true });
    await writeFile(path.join(to, name), rewritten);
  }
}

/** The declaration file that an import means. */
function targetOf({ specifier, importer }) {
  if (specifier === CONTRACT) return 'contract/light.d.ts';
  if (specifier.startsWith('.')) return path.join(path.dirname(importer), specifier.replace(/\.ts$/, '.d.ts'));
  throw new Error(`${importer} names ${specifier}, which an installation does not have`);
}

/** With the ending .js, which every module resolution of TypeScript understands. */
function relativeSpecifier({ target, importer }) {
  const relative = path.relative(path.dirname(importer), target).replace(/\.d\.ts$/, '.js');
  return relative.startsWith('.') ? relative : `./${relative}`;
}
