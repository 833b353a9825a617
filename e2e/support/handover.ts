import type { LaunchOptions } from '@playwright/test';

/**
 * `demo` is the demo slot. `sample` is a game without a front end, so the server's own page plays
 * it. `clusters` is a game of a template of create-roundhouse-game.
 */
export type Game = 'demo' | 'sample' | 'clusters';

/** The global set-up found and started this, for the processes that run the tests. */
export type Handover = {
  browser: LaunchOptions;
  stacks: Readonly<Record<Game, RunningStack>>;
};

export type RunningStack = {
  /** The stack has printed these URLs. */
  lobbyUrl: string;
  launchUrl: string;
  consoleUrl: string;
  /** Commands reach its database by `--data`. */
  dataFolder: string;
};

const VARIABLE = 'ROUNDHOUSE_E2E_HANDOVER';

export function handOver(handover: Handover): void {
  process.env[VARIABLE] = JSON.stringify(handover);
}

export function readHandover(): Handover {
  const handover = findHandover();
  if (handover === undefined) throw new Error('support/globalSetup.ts has not run');
  return handover;
}

export function findHandover(): Handover | undefined {
  const text = process.env[VARIABLE];
  return text === undefined ? undefined : (JSON.parse(text) as Handover);
}
