import type { LaunchOptions } from '@playwright/test';

/**
 * `demo`: the demo slot. `sample`: a game without a front end, so it is the server's own page that
 * plays it.
 */
export type Game = 'demo' | 'sample';

/** What the global set-up found and started, for the processes that run the tests. */
export type Handover = {
  browser: LaunchOptions;
  stacks: Readonly<Record<Game, RunningStack>>;
};

export type RunningStack = {
  /** The ones that it printed. */
  lobbyUrl: string;
  launchUrl: string;
};

const VARIABLE = 'ROUNDHOUSE_E2E_HANDOVER';

export function handOver(handover: Handover): void {
  process.env[VARIABLE] = JSON.stringify(handover);
}

export function readHandover(): Handover {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error('support/globalSetup.ts has not run');
  return JSON.parse(text) as Handover;
}
