import { spawn } from 'node:child_process';

export type InstallOutcome = { ok: true } | { ok: false; reason: string };

/**
 * Returns the package manager that runs `npm create`, `pnpm create` and so on; npm when none does.
 */
export function packageManager(userAgent: string | undefined): string {
  const name = /^(npm|pnpm|yarn|bun)\//.exec(userAgent ?? '')?.[1];
  return name ?? 'npm';
}

export function install(folder: string, manager: string): Promise<InstallOutcome> {
  return new Promise((resolve) => {
    const child = spawn(manager, ['install'], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
    child.once('error', (error) => resolve({ ok: false, reason: error.message }));
    child.once('exit', (code, signal) => {
      resolve(code === 0 ? { ok: true } : { ok: false, reason: `${manager} install ended with ${signal ?? code}` });
    });
  });
}
