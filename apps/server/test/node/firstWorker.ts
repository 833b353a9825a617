import { CleanUp } from '@roundhouse/service';
import { Command } from 'commander';
import { pino } from 'pino';
import { vi } from 'vitest';
import { addServeOptions } from '../../src/cli/options/serveOptions.ts';
import { settingsOf } from '../../src/cli/options/settings.ts';
import type { NodeOptions, ServeOptions } from '../../src/node/workers/nodeOptions.ts';
import { startServing } from '../../src/node/workers/startServing.ts';
import { createRoundStops } from '../../src/rounds/sessions/roundStops.ts';
import { explain } from '../../src/store/database/explain.ts';
import { environment } from '../support/roundhouse.ts';

/**
 * Does here what the first worker of `roundhouse serve` does with these settings: the two processes
 * of a node cost two seconds of a core.
 */
export async function startFirstWorker(settings: NodeJS.ProcessEnv, args: string[] = []) {
  const cleanUp = new CleanUp();
  const own = { ROUNDHOUSE_LISTEN_PORT: '0', ...settings };
  const all = Object.entries(environment(own)).filter(([, value]) => value !== '');
  for (const name of Object.keys(process.env)) vi.stubEnv(name, undefined);
  for (const [name, value] of all) vi.stubEnv(name, value);
  try {
    const command = addServeOptions(new Command('serve')).parse(args, { from: 'user' });
    const options = command.opts<ServeOptions>();
    let lines = '';
    const write = (line: string) => {
      lines += line;
    };
    const nodeOptions = { ...options, settings: settingsOf(command, options.database) } as NodeOptions;
    const job = { options: nodeOptions, recovers: true, roundStops: [] };
    const serving = await startServing(job, {
      ...{ log: pino({}, { write }), roundStops: createRoundStops(), cleanUp },
      sharedMetrics: { share() {}, report: async () => '' },
      signal: new AbortController().signal,
    });
    const close = () => serving.close().finally(() => cleanUp.run());
    return { url: serving.url, lines: () => lines, close };
  } catch (error) {
    await cleanUp.run();
    throw error;
  } finally {
    vi.unstubAllEnvs();
  }
}

/** Returns why a node cannot start with these settings, as `roundhouse serve` prints it. */
export async function serveRefusal(settings: NodeJS.ProcessEnv, args?: string[]): Promise<string> {
  try {
    await (await startFirstWorker(settings, args)).close();
    return 'It serves.';
  } catch (error) {
    return explain(error);
  }
}
