import path from 'node:path';
import type { ViteDevServer } from 'vite';
import { createMathScript } from './mathScript.ts';
import type { PageStatus } from './pageStatus.ts';

const PUBLISHED_FILE = /^(index\.json$|books_|lookUpTable_)/;
const TEST_FILE = /\.(test|spec)\.\w+$/;

/** Runs the script that publishes the math, when it has to. `false` is not a script. */
export function createLiveMath(server: ViteDevServer, page: PageStatus, math: string | false) {
  const { root, logger } = server.config;
  const script = math === false ? undefined : createMathScript({ root, math });
  let isDue = false;
  let runs = 0;
  let isStopped = false;

  return {
    folder: script?.folder,
    isSource: (file: string) => script !== undefined && isSource(file, script.folder),
    /** The next update runs the script. */
    require(): void {
      isDue = true;
    },
    /** A source has changed: an error and a running script belong to the files before. */
    change(): void {
      isDue = true;
      runs += 1;
      page.clear('math');
      page.setMaking(true);
    },
    /** Runs the script when it has to. Returns false when it failed, or a later run replaces it. */
    async update(): Promise<boolean> {
      if (!isDue) return true;
      isDue = false;
      if (script === undefined) return true;
      runs += 1;
      const run = runs;
      logger.info(`roundhouse: ${math}`, { timestamp: true });
      page.setMaking(true);
      const outcome = await script.run();
      if (run !== runs || isStopped) return false;
      page.setMaking(false);
      if (!outcome.ok) page.fail('math', outcome.error);
      return outcome.ok;
    },
    async stop(): Promise<void> {
      isStopped = true;
      await script?.stop();
    },
  };
}

/** Returns whether the script reads the file: it writes the published ones, and no test is read. */
function isSource(file: string, folder: string): boolean {
  const below = path.relative(folder, file);
  const name = path.basename(file);
  return !below.startsWith('..') && !path.isAbsolute(below) && !PUBLISHED_FILE.test(name) && !TEST_FILE.test(name);
}
