import type { Fault, FaultKind, FaultPlan } from '@roundhouse/contract';
import { ERROR_CODES, GAME_ROUTES, WALLET_ERROR_CODES, WALLET_ROUTES } from '@roundhouse/contract/light';
import type { Wire } from '../api.ts';

/** The fields of the form, as text: a number may be half typed. */
export type FaultDraft = {
  readonly kind: FaultKind;
  /** Says whose requests are affected: those of the player of this page, or of all. */
  readonly whose: 'player' | 'all';
  /** Empty means all. */
  readonly path: string;
  /** Empty means a response without a code. */
  readonly error: string;
  readonly afterWork: boolean;
  readonly delayMs: string;
  readonly extent: 'next' | 'share';
  readonly next: string;
  readonly sharePercent: string;
};

/** The limits of the contract. */
const MAX_DELAY_MS = 600_000;
const MAX_NEXT = 1_000_000;

export const NEW_FAULT: FaultDraft = {
  whose: 'player',
  kind: 'lost_response',
  path: '',
  // Both wires have it.
  error: 'ERR_MAINTENANCE',
  afterWork: false,
  delayMs: '3000',
  extent: 'next',
  next: '1',
  sharePercent: '25',
};

/** Names the field that is not valid. */
export type DraftIssue = 'delayMs' | 'next' | 'sharePercent';

/** Reads the fault of a draft for this player, with only the fields of its kind. */
export function readFault(
  draft: FaultDraft,
  playerID: string | undefined,
): { ok: true; fault: Fault } | { ok: false; issue: DraftIssue } {
  const delayMs = wholeNumber(draft.delayMs, MAX_DELAY_MS);
  if (draft.kind === 'delay' && delayMs === undefined) return { ok: false, issue: 'delayMs' };
  const extent = draft.extent === 'next' ? { next: wholeNumber(draft.next, MAX_NEXT) } : { share: shareOf(draft) };
  if ('next' in extent && extent.next === undefined) return { ok: false, issue: 'next' };
  if ('share' in extent && extent.share === undefined) return { ok: false, issue: 'sharePercent' };
  return {
    ok: true,
    fault: {
      kind: draft.kind,
      ...(draft.path !== '' && { path: draft.path }),
      ...(draft.whose === 'player' && playerID !== undefined && { playerID }),
      ...(draft.kind === 'error' && draft.error !== '' && { error: draft.error }),
      ...(draft.kind === 'error' && draft.afterWork && { afterWork: true }),
      ...(draft.kind === 'delay' && { delayMs }),
      ...extent,
    },
  };
}

/** Returns a whole number from 1 to the largest. */
function wholeNumber(text: string, largest: number): number | undefined {
  if (!/^\d{1,9}$/.test(text.trim())) return undefined;
  const number = Number(text);
  return number >= 1 && number <= largest ? number : undefined;
}

/** Returns a share above 0 and at most 1. */
function shareOf({ sharePercent }: FaultDraft): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(sharePercent.trim())) return undefined;
  const percent = Number(sharePercent);
  return percent > 0 && percent <= 100 ? percent / 100 : undefined;
}

/** Returns a share in percent: 0.125 is 12.5. */
export function percentText(share: number): string {
  return String(Math.round(share * 100_000) / 1000);
}

/** Returns the plan with one more fault at its end. The seed stays. */
export function withFault(plan: FaultPlan, fault: Fault): FaultPlan {
  return { ...plan, faults: [...plan.faults, fault] };
}

/**
 * Returns the plan without the fault that was shown at this place. Other faults may have run out
 * since, so the place may have another fault. Then it removes the first fault that differs only in
 * its counters. Without one, the shown fault has run out.
 */
export function withoutFault(plan: FaultPlan, { place, fault }: { place: number; fault: Fault }): FaultPlan {
  const here = plan.faults[place];
  const found = here && isSame(here, fault) ? place : plan.faults.findIndex((other) => isSame(other, fault));
  return found < 0 ? plan : { ...plan, faults: plan.faults.toSpliced(found, 1) };
}

function isSame(one: Fault, other: Fault): boolean {
  const { next: oneLeft, seconds: _, ...oneRest } = one;
  const { next: otherLeft, seconds: __, ...otherRest } = other;
  return (oneLeft === undefined) === (otherLeft === undefined) && sameFields(oneRest, otherRest);
}

function sameFields(one: object, other: object): boolean {
  const left = new Map(Object.entries(one));
  const right = Object.entries(other);
  return left.size === right.length && right.every(([name, value]) => left.get(name) === value);
}

export type WireFacts = {
  /** Lists the paths of the requests. */
  readonly paths: readonly string[];
  /** Lists the codes of its refusals. */
  readonly errorCodes: readonly string[];
};

const { replay: _readsOnly, ...playRoutes } = GAME_ROUTES;

export const WIRE_FACTS: Readonly<Record<Wire, WireFacts>> = {
  game: { paths: Object.values(playRoutes).map(({ path }) => path), errorCodes: ERROR_CODES },
  wallet: { paths: Object.values(WALLET_ROUTES).map(({ path }) => path), errorCodes: WALLET_ERROR_CODES },
};

/**
 * The codes are in the order of the form. Importing the contract's list would bundle its schemas.
 */
export const FAULT_KINDS = [
  'lost_response',
  'lost_request',
  'silent_close',
  'error',
  'delay',
  'malformed_response',
  'duplicate',
] as const satisfies readonly FaultKind[];
