import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
/** The folder is below node_modules, so that the package's dependencies are found from it. */
const buildFolder = join(packageFolder, 'node_modules', '.child-processes');

/**
 * Compiles the sources as they are now, for processes that a test starts. Returns the URL of the
 * package's entry.
 */
export async function buildForChildren(name: string): Promise<{ entry: string; remove: () => Promise<void> }> {
  const outDir = join(buildFolder, `${name}-${process.pid}`);
  const compiler = join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', outDir], {
    cwd: packageFolder,
  });
  await writeFile(join(outDir, 'package.json'), '{"type":"module"}');
  return { entry: join(outDir, 'index.js'), remove: () => rm(outDir, { recursive: true, force: true }) };
}

export type ChildResult = { code: number | null; output: string; errors: string };

/**
 * Runs `script`, an ES module in which `math` is the package; `onOutput` sees the output as it
 * grows.
 */
export function runChild(
  entry: string,
  script: string,
  onOutput: (output: string, child: ChildProcess) => void = () => undefined,
): Promise<ChildResult> {
  const code = `const math = await import(${JSON.stringify(entry)});\n${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] });
  const result: ChildResult = { code: null, output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    result.output += chunk.toString();
    onOutput(result.output, child);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    result.errors += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ ...result, code: exitCode }));
  });
}
