import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkDraws, checkRawOutput, type Random64 } from '@roundhouse/math';
import type { Logger } from 'pino';
import type { Database } from '../../store/database/database.ts';
import { recordEvent } from '../../store/watch/significantEvents.ts';
import type { Catalogue } from '../games/catalogue.ts';
import type { RoundStops } from '../sessions/roundStops.ts';

const EVERY_MS = 3_600_000;
const STOP_REASON = 'the random number generator failed a health test';

export type RandomHealthDeps = {
  /** The source of the draws of this process. */
  random: Random64;
  catalogue: Pick<Catalogue, 'games'>;
  roundStops: RoundStops;
  db: Pick<Database, '$executeRaw'>;
  log: Pick<Logger, 'error'>;
  /** Called with the result of each run of the tests. */
  observe(result: 'passed' | 'failed'): void;
};

/**
 * Tests raw output, and draws of each served mode, at once and then every hour. A failure stops new
 * rounds on the whole node. The tests take their numbers from the same source as the draws
 * (docs/compliance/rng.md). Resolves after the first run.
 */
export async function startRandomHealth(deps: RandomHealthDeps, everyMs = EVERY_MS): Promise<{ stop(): void }> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const run = async () => {
    // A generator without entropy throws.
    const issue = await findIssue(deps).catch((error: unknown) => `no numbers: ${error}`);
    deps.observe(issue === undefined ? 'passed' : 'failed');
    if (issue !== undefined) return onFailure(deps, issue);
    if (!isStopped) timer = setTimeout(run, everyMs).unref();
  };
  await run();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function findIssue({ random, catalogue }: RandomHealthDeps): Promise<string | undefined> {
  const raw = checkRawOutput(random);
  if (raw !== undefined) return raw;
  for (const { gameID, version, modes } of catalogue.games) {
    for (const { key, math } of modes.values()) {
      const issue = checkDraws(math, random);
      if (issue !== undefined) return `${gameID}/${version} ${key}: ${issue}`;
      // A mode takes some milliseconds; requests are served in between.
      await nextTurn();
    }
  }
  return undefined;
}

async function onFailure({ roundStops, db, log }: RandomHealthDeps, issue: string): Promise<void> {
  roundStops.stop(STOP_REASON);
  log.error({ issue }, STOP_REASON);
  await recordEvent(db, { kind: 'random_failed', subject: 'random number generator', after: { issue } }).catch(
    (err: unknown) => log.error({ err, issue }, 'the failed health test is not in the log of significant events'),
  );
}
