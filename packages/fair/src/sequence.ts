import type { FairDocument, FairRound } from './document.ts';
import type { AddIssue } from './report.ts';

/**
 * Checks that nonces and bets ascend without gaps. Returns the nonce under which each round has to
 * be drawn: its own, or that of its place when its nonce was changed; -1 for a round too many.
 *
 * In an export each place has one nonce. A round with another nonce, whose neighbours have theirs,
 * has a changed nonce. A round that stands elsewhere is out of order. What nobody has is missing.
 */
export function checkSequence({ rounds, nonces }: FairDocument, add: AddIssue): number[] {
  const places = rounds.map(({ nonce }) => nonce);
  const total = nonces ?? Number.POSITIVE_INFINITY;
  const missing: [from: number, to: number][] = [];
  const strangers: number[] = [];
  let next = nonces === null ? (rounds[0]?.nonce ?? 0) : 0;
  for (const [index, { nonce }] of rounds.entries()) {
    const after = rounds[index + 1]?.nonce;
    if (nonce === next && nonce < total) next += 1;
    else if (nonces === null && nonce > next) next = nonce + 1;
    else if (after === next || next >= total) strangers.push(index);
    else if (nonce > next && nonce < total && after !== next + 1) {
      missing.push([next, nonce]);
      next = nonce + 1;
    } else {
      strangers.push(index);
      if (after === undefined || after === next + 1) places[index] = next++;
    }
  }
  if (nonces !== null && next < nonces) missing.push([next, nonces]);

  const found = new Map(strangers.map((index) => [rounds[index]?.nonce, index]));
  const moved = new Set<number>();
  const gaps = missing.flatMap(([from, to]) => {
    const index = to - from === 1 ? found.get(from) : undefined;
    if (index === undefined) return [[from, to]];
    moved.add(index);
    return [];
  });
  // Nonces that were exchanged between places stand in the list once each.
  const exchanged = new Set(strangers.filter((index) => places[index] !== rounds[index]?.nonce).map((i) => places[i]));
  for (const index of strangers) {
    const round = rounds[index] as FairRound;
    const { nonce, betID } = round;
    const isBetInPlace =
      betID > (rounds[index - 1]?.betID ?? -1) && betID < (rounds[index + 1]?.betID ?? Number.POSITIVE_INFINITY);
    const place = places[index] as number;
    if (!isBetInPlace && (moved.has(index) || exchanged.has(nonce))) {
      places[index] = nonce;
      add('order', 'this round is not at its place', round);
    } else if (moved.has(index) && rounds[index + 1]?.nonce === nonce - 1) {
      [places[index], places[index + 1]] = [nonce - 1, nonce];
      add('nonce', 'this is the nonce of the bet after it', round);
    } else if (place !== nonce) {
      add('nonce', `this round is at the place of nonce ${place}`, round);
    } else {
      places[index] = -1;
      add('nonce', nonce >= total ? `there are ${total} nonces` : 'this nonce was there before', round);
    }
  }
  for (const [from = 0, to = 0] of gaps) {
    add('missing', `no round has ${to - from > 1 ? `this nonce up to ${to - 1}` : 'this nonce'}`, { nonce: from });
  }
  if (strangers.length === 0) {
    for (const [index, round] of rounds.entries()) {
      if (round.betID <= (rounds[index - 1]?.betID ?? -1)) add('order', 'the bet before it is not below', round);
    }
  }
  return places;
}
