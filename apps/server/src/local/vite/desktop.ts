import { existsSync } from 'node:fs';
import path from 'node:path';

type Machine = { env?: NodeJS.ProcessEnv; platform?: NodeJS.Platform };

/** Vite opens a browser with this program on Linux, and prints a stack when it is missing. */
const PROGRAM = 'xdg-open';

/** Returns whether Vite can open a browser here, for `server.open` of its configuration. */
export function canOpenBrowser({ env = process.env, platform = process.platform }: Machine = {}): boolean {
  // Under WSL the browser of Windows opens.
  if (platform !== 'linux' || env.BROWSER || env.WSL_DISTRO_NAME) return true;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  return (env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, PROGRAM)));
}
