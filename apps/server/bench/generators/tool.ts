import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where Debian keeps the programs of PostgreSQL that no plain user needs. */
const POSTGRES_FOLDER = '/usr/lib/postgresql';

/** The path of a program that is installed: in PATH, else beside a PostgreSQL, the newest one first. */
export async function findTool(name: string): Promise<string | undefined> {
  const versions = await readdir(POSTGRES_FOLDER).catch(() => []);
  const beside = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(POSTGRES_FOLDER, version, 'bin'));
  for (const folder of [...(process.env.PATH ?? '').split(path.delimiter), ...beside]) {
    const file = path.join(folder, name);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}

export type ToolRun = { file: string; args: readonly string[]; env?: NodeJS.ProcessEnv; signal: AbortSignal };

/** What the program prints. Rejects with what it complains of when it does not end well, and when the bench is stopped. */
export async function runTool({ file, args, env, signal }: ToolRun): Promise<string> {
  const { stdout } = await run(file, args, { signal, ...(env && { env: { ...process.env, ...env } }) });
  return stdout;
}
