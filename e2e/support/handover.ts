import type { LaunchOptions } from '@playwright/test';

/** What the global set-up found and started, for the processes that run the tests. */
export type Handover = {
  browser: LaunchOptions;
  /** The launch URL that the stack printed. */
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
