import type { FairDocument, FairRound } from './document.ts';
import type { AddIssue } from './report.ts';

/**
 * Checks that nonces and bets ascend without gaps. Returns the nonce under which each round has to
 * be drawn: its own, or that of its place when its nonce was changed; -1 for a round too many.
 *
 * Bets are numbered in the order of their nonces, so they say where a round belongs: rounds that
 * are not in the order of their bets are out of order. In that order each place has one nonce. A
 * round with another one, whose neighbours have theirs, has a changed nonce. A nonce that no round
 * has is missing.
 */
export function checkSequence({ rounds, nonces }: FairDocument, add: AddIssue): number[] {
  const places = rounds.map(({ nonce }) => nonce);
  const total = nonces ?? 0;
  const isWhole = nonces === null || (rounds.length === total && places.every((nonce, index) => nonce === index));
  for (const [index, round] of rounds.entries()) {
    const below = rounds[index - 1]?.betID ?? -1;
    if (round.betID < below || (isWhole && round.betID === below)) add('order', 'out of order', round);
  }
  if (isWhole) return places;

  const ofBets = [...rounds.entries()].sort(([, one], [, other]) => one.betID - other.betID);
  let next = 0;
  const missing = (to: number): void => {
    if (next < to) add('missing', `no round has ${to - next > 1 ? `this to ${to - 1}` : 'this'}`, { nonce: next });
    next = to;
  };
  for (const [at, [index, round]] of ofBets.entries()) {
    const { nonce } = round;
    const after = (ofBets[at + 1]?.[1] as FairRound | undefined)?.nonce;
    const isTooMany = next >= total || after === next;
    if (nonce === next && nonce < total) next += 1;
    else if (!isTooMany && (after === undefined ? nonce < next || nonce >= total : after === next + 1)) {
      add('nonce', `its place is nonce ${next}`, round);
      places[index] = next;
      next += 1;
    } else if (!isTooMany && nonce > next && nonce < total) {
      missing(nonce);
      next += 1;
    } else {
      add('nonce', 'a nonce too many', round);
      places[index] = -1;
    }
  }
  missing(total);
  return places;
}
