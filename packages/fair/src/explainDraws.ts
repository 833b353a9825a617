import type { FairDocument } from './document.ts';
import { NOT_DRAWN, NOWHERE } from './draws.ts';
import type { AddIssue } from './report.ts';
import type { Drawn, RoundsCheck } from './rounds.ts';

/** This number of rounds under a wrong client seed prove it, whatever they draw. */
const CERTAIN = 8;

/**
 * Says of each round that differs from its row what was changed. If one round alone differs, it is
 * the round; if many of one client seed, the seed; if many of one table, while others under the
 * same seeds fit, the names of the table.
 */
export function explainDraws(
  { clientSeeds, nonces }: FairDocument,
  { drawn, hits }: RoundsCheck,
  wrong: Drawn[],
  add: AddIssue,
): void {
  const rest = new Set<Drawn>();
  for (const one of wrong) {
    const { place, stated, round } = one;
    if (place !== NOT_DRAWN && (place === NOWHERE || place !== stated)) rest.add(one);
    else if (stated === NOWHERE) add('row', 'no row has its bookID', round);
    else add('payout', 'its row has another payout multiplier', round);
  }
  if (rest.size === 0) return;

  const parts = groupedBy(drawn, (one) => one.part);
  const differing = (list: Drawn[]): Drawn[] => list.filter((one) => rest.has(one));
  // A row that is proven, and that no ticket draws, says: the draw had other inputs.
  const hasOtherInputs = ({ round, stated }: Drawn): boolean => hits[round.table]?.[stated] === 0;

  const suspects = new Set<number>();
  for (const inPart of parts.values()) {
    const ofTables = [...groupedBy(inPart, (one) => one.round.table)].filter(([, list]) => list.length > 2);
    const fitting = ofTables.filter(([, list]) => !isDense(differing(list).length, list.length));
    if (fitting.length > 0) for (const each of ofTables) if (!fitting.includes(each)) suspects.add(each[0]);
  }
  for (const table of suspects) add('table', 'its rounds do not fit its names', { table });
  for (const one of rest) if (suspects.has(one.round.table)) rest.delete(one);

  for (const [part, inPart] of parts) {
    const list = differing(inPart);
    const [first, last] = [list[0], list.at(-1)];
    if (!first || !last || (nonces === null && inPart.length === 1)) continue;
    const between = inPart.filter(({ index }) => index >= first.index && index <= last.index).length;
    const isMany = list.length === inPart.length || isDense(list.length, between);
    if (!isMany || (list.length < CERTAIN && !list.some(hasOtherInputs))) continue;
    const { from, clientSeed } = clientSeeds[part] as FairDocument['clientSeeds'][number];
    const message = `${list.length} of ${between} rounds do not fit ${JSON.stringify(clientSeed)}`;
    add('clientSeed', message, { nonce: from });
    for (const one of list) rest.delete(one);
  }

  for (const one of rest) {
    if (!hasOtherInputs(one)) add('row', 'it draws another row', one.round);
    else if (nonces !== null) add('clientSeed', 'it does not fit its client seed', one.round);
    else add('draw', 'its nonce, client seed or table differs', one.round);
  }
}

const isDense = (count: number, of: number): boolean => count > 2 && count * 4 >= of;

function groupedBy(list: Drawn[], keyOf: (one: Drawn) => number): Map<number, Drawn[]> {
  const groups = new Map<number, Drawn[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one)) ?? [];
    group.push(one);
    groups.set(keyOf(one), group);
  }
  return groups;
}
