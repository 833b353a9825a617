import { CleanUp } from '@roundhouse/service';
import { Command } from 'commander';
import { pino } from 'pino';
import { vi } from 'vitest';
import { explain } from '../../src/cli/explain.ts';
import { addServeOptions, type ServeOptions } from '../../src/cli/serveOptions.ts';
import { createRoundStops } from '../../src/play/roundStops.ts';
import type { NodeOptions } from '../../src/workers/messages.ts';
import { startServing } from '../../src/workers/startServing.ts';
import { environment } from '../support/roundhouse.ts';

/**
 * Why a node cannot start with these settings, in the line that `roundhouse serve` prints. The work
 * of its first worker is done here: the two processes cost two seconds of a core.
 */
export async function serveRefusal(settings: NodeJS.ProcessEnv, args: string[] = []): Promise<string> {
  const cleanUp = new CleanUp();
  const own = Object.entries(environment({ ROUNDHOUSE_LISTEN_PORT: '0', ...settings })).filter(
    ([, value]) => value !== '',
  );
  for (const name of Object.keys(process.env)) vi.stubEnv(name, undefined);
  for (const [name, value] of own) vi.stubEnv(name, value);
  try {
    const options = addServeOptions(new Command('serve')).parse(args, { from: 'user' }).opts<ServeOptions>();
    const log = pino({ level: 'silent' });
    const deps = { log, roundStops: createRoundStops(() => {}), signal: new AbortController().signal, cleanUp };
    const sharedMetrics = { share() {}, report: async () => '' };
    const job = { options: { ...options, settings: {} } as NodeOptions, recovers: true, roundStops: [] };
    const { close } = await startServing(job, { ...deps, sharedMetrics });
    await close();
    return 'It serves.';
  } catch (error) {
    return explain(error);
  } finally {
    vi.unstubAllEnvs();
    await cleanUp.run();
  }
}
