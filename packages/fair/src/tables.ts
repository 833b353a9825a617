import type { TableCheck } from './checkTable.ts';
import type { FairDocument } from './document.ts';
import { NOT_DRAWN, NOWHERE } from './draws.ts';
import type { AddIssue, IssueKind } from './report.ts';
import type { Drawn, RoundsCheck } from './rounds.ts';

/**
 * Reports what is wrong with the tables, and returns the rounds that differ from their row although
 * the row was not changed.
 *
 * Rounds and check digits name a changed row: a weight changes the sum; an id or a payout
 * multiplier contradicts every round of the row; what contradicts nothing is the hash of the book.
 */
export function explainTables(
  { tables }: FairDocument,
  checks: TableCheck[],
  { wrong, hits }: RoundsCheck,
  add: AddIssue,
  { roots, isBookWrong }: { roots: readonly string[] | undefined; isBookWrong: boolean },
): Drawn[] {
  let rest = wrong;
  for (const [at, table] of tables.entries()) {
    const check = checks[at] as TableCheck;
    const report = (kind: IssueKind, message: string, place?: number): void => {
      const position = place === undefined ? undefined : table.drawn[place]?.[0];
      add(kind, message, { table: at, ...(position !== undefined && { position }) });
    };
    if (roots && !roots.includes(table.root)) report('table', 'not a table expected');
    for (const place of check.misplaced) report('row', 'out of order', place);
    if (check.misplaced.length > 0) continue;

    const isSumWrong = check.weight !== BigInt(table.totalWeight);
    const isRootWrong = check.root !== table.root;
    const isAnyLost = rest.some((one) => isLost(one, at));
    const against = contradictions(rest, at, hits[at] as Uint32Array);
    const hasChecks = table.drawn.some((row) => row[5] !== undefined);
    const changed = new Map(isRootWrong && !isSumWrong && !hasChecks ? against : []);
    for (const place of check.changed) {
      const isUnseen = isAnyLost && hits[at]?.[place] === 0;
      changed.set(place, isSumWrong ? 'weight' : !isRootWrong || isUnseen ? 'row' : (against.get(place) ?? 'book'));
    }
    for (const [place, kind] of changed) {
      if (kind !== 'book' || !isBookWrong) report(kind, CHANGED, place);
    }
    if (changed.size > 0) {
      rest = rest.filter((one) => one.round.table !== at || !(changed.has(one.found) || changed.has(one.stated)));
    } else if (!check.hasShape) {
      report('table', 'rows or siblings missing or too many');
    } else if (isSumWrong) {
      report('weight', `its weights add up to ${check.weight}`);
    } else if (!isRootWrong) {
      continue;
    } else if (!isBookWrong) {
      report('table', 'its hashes lead to another root');
    }
    rest = rest.filter((one) => !isLost(one, at));
  }
  return rest;
}

/** The kind of the issue says what. */
const CHANGED = 'this row was changed';

/** Without draws, a round whose row has got another id finds no row. */
const isLost = ({ round, place, stated }: Drawn, table: number): boolean =>
  round.table === table && place === NOT_DRAWN && stated === NOWHERE;

/** Returns the rows that all their rounds contradict, and in what. */
function contradictions(wrong: Drawn[], table: number, hits: Uint32Array): Map<number, IssueKind> {
  const counts: Record<string, number> = {};
  const kinds = new Map<number, IssueKind>();
  for (const { round, stated, found } of wrong) {
    if (round.table !== table || found < 0) continue;
    const kind = stated === found ? 'payout' : 'row';
    const count = (counts[kind + found] ?? 0) + 1;
    counts[kind + found] = count;
    if (count === hits[found]) kinds.set(found, kind);
  }
  return kinds;
}
