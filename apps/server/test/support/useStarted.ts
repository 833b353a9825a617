import { afterAll, beforeAll } from 'vitest';

/** Starts something before the first test of a file, and closes it after the last one. */
export function useStarted<Started extends { close(): unknown }>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeAll(async () => void Object.assign(started, await start()));
  // Without its close it has not started.
  afterAll(() => started.close?.());
  return started;
}
