import type { LaunchOptions } from '@playwright/test';
import type { Stack } from './stack.ts';

/** The global set-up found and started this, for the processes that run the tests. */
export type Handover = { browser: LaunchOptions; stack: Stack };

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
