import type { Fault, FaultKind } from '@roundhouse/contract';

/** What is filled in, as text: a person may be half way through a number. */
export type FaultDraft = {
  readonly kind: FaultKind;
  /** Empty for all. */
  readonly path: string;
  /** Empty for an answer without a code. */
  readonly error: string;
  readonly afterWork: boolean;
  readonly delayMs: string;
  readonly extent: 'next' | 'share';
  readonly next: string;
  /** Of a hundred. */
  readonly sharePercent: string;
};

/** As the contract has them. */
const MAX_DELAY_MS = 600_000;
const MAX_NEXT = 1_000_000;

export const NEW_FAULT: FaultDraft = {
  kind: 'lost_answer',
  path: '',
  error: 'ERR_GEN',
  afterWork: false,
  delayMs: '3000',
  extent: 'next',
  next: '1',
  sharePercent: '25',
};

/** The field that cannot be read. */
export type DraftProblem = 'delayMs' | 'next' | 'sharePercent';

/** The fault that a draft describes, with nothing in it that does not belong to its kind. */
export function readFault(draft: FaultDraft): { ok: true; fault: Fault } | { ok: false; problem: DraftProblem } {
  const delayMs = wholeNumber(draft.delayMs, MAX_DELAY_MS);
  if (draft.kind === 'delay' && delayMs === undefined) return { ok: false, problem: 'delayMs' };
  const extent = draft.extent === 'next' ? { next: wholeNumber(draft.next, MAX_NEXT) } : { share: shareOf(draft) };
  if ('next' in extent && extent.next === undefined) return { ok: false, problem: 'next' };
  if ('share' in extent && extent.share === undefined) return { ok: false, problem: 'sharePercent' };
  return {
    ok: true,
    fault: {
      kind: draft.kind,
      ...(draft.path !== '' && { path: draft.path }),
      ...(draft.kind === 'error' && draft.error !== '' && { error: draft.error }),
      ...(draft.kind === 'error' && draft.afterWork && { afterWork: true }),
      ...(draft.kind === 'delay' && { delayMs }),
      ...extent,
    },
  };
}

/** From 1 to the largest, in digits. */
function wholeNumber(text: string, largest: number): number | undefined {
  if (!/^\d{1,9}$/.test(text.trim())) return undefined;
  const number = Number(text);
  return number >= 1 && number <= largest ? number : undefined;
}

/** Of 1, from above 0 to 100 %. */
function shareOf({ sharePercent }: FaultDraft): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3})?$/.test(sharePercent.trim())) return undefined;
  const percent = Number(sharePercent);
  return percent > 0 && percent <= 100 ? percent / 100 : undefined;
}

/** A share of 1 as it is typed, of a hundred: 0.125 is 12.5. */
export function percentText(share: number): string {
  return String(Math.round(share * 100_000) / 1000);
}
