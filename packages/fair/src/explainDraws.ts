import type { FairDocument } from './document.ts';
import { type DrawAs, NOT_DRAWN, NOWHERE } from './draws.ts';
import type { AddIssue } from './report.ts';
import type { Drawn, RoundsCheck } from './rounds.ts';

type Facts = { nonces: number[]; drawAs: DrawAs | undefined };

/** Rounds at the border of two client seeds that are drawn with both. */
const BORDER_ROUNDS = 64;
/** Other tables that a round is drawn from to find its own. */
const OTHER_TABLES = 16;
/** So many rounds of a part differ when the part's seed is wrong, whatever is drawn most often. */
const CERTAIN = 8;

/**
 * Says of each round that differs from its row what was changed. One round alone: the round. Many of
 * one client seed: the seed. Many of one table under several seeds: the names of the table.
 */
export function explainDraws(
  document: FairDocument,
  facts: Facts,
  check: RoundsCheck,
  wrong: Drawn[],
  add: AddIssue,
): void {
  const { tables, clientSeeds, nonces } = document;
  const { drawn, hits } = check;
  const isProof = nonces === null;
  let rest = wrong.filter((one) => {
    if (isOfOtherRow(one)) return true;
    const { nonce, betID } = one.round;
    const isKnown = one.stated !== NOWHERE;
    const kind = isKnown ? 'payout' : 'row';
    const what = isKnown ? `has not the payout multiplier of its row` : 'has a bookID that no drawn row has';
    add({ kind, nonce, betID, table: one.round.table, message: `Bet ${betID} ${what}` });
    return false;
  });
  if (rest.length === 0) return;
  const explained = new Set<Drawn>();

  // A row that is proven, and that no ticket draws, says: the draw had other inputs.
  const hasOtherInputs = ({ round, stated }: Drawn): boolean => hits[round.table]?.[stated] === 0;
  const ofTables = suspectTables(drawn, rest);
  for (const table of ofTables) {
    add({ kind: 'table', table, message: `The rounds of table ${table} do not fit its game, version and mode` });
  }
  rest = rest.filter(({ round }) => !ofTables.has(round.table));

  const inParts = groupedBy(drawn, (one) => one.part);
  for (const [part, differing] of groupedBy(rest, (one) => one.part)) {
    const inPart = inParts.get(part) ?? [];
    const { from = 0, clientSeed = '' } = clientSeeds[part] ?? {};
    const seed = `client seed ${JSON.stringify(clientSeed)}, which holds from nonce ${from}`;
    const [first, last] = [differing[0]?.index as number, differing.at(-1)?.index as number];
    const between = inPart.filter(({ index }) => index >= first && index <= last).length;
    const isWhole = differing.length === inPart.length;
    const hasEvidence = differing.length >= CERTAIN || differing.some(hasOtherInputs);
    if (hasEvidence && (isWhole || isDense(differing.length, between)) && !(isProof && inPart.length === 1)) {
      const message = `${differing.length} of ${between} rounds from nonce ${differing[0]?.round.nonce} on do not fit ${seed}`;
      add({ kind: 'clientSeed', nonce: from, message });
      for (const one of differing) explained.add(one);
      continue;
    }
    const ofNeighbour = new Set(roundsOfNeighbour(document, facts, inPart, part));
    if (differing.some((one) => ofNeighbour.has(one))) {
      add({ kind: 'clientSeed', nonce: from, message: `Rounds at the border fit the neighbour of ${seed}` });
      for (const one of ofNeighbour) explained.add(one);
    }
  }
  rest = rest.filter((one) => !explained.has(one));

  for (const one of rest) {
    const { nonce, betID, table } = one.round;
    const other = tableThatFits(document, facts, one);
    if (other !== undefined) {
      add({
        kind: 'table',
        nonce,
        betID,
        table,
        message: `Bet ${betID} fits table ${other}, and names table ${table}`,
      });
    } else if (hasOtherInputs(one)) {
      const what = isProof ? 'the nonce, the client seed or the names of the table were' : 'its client seed was';
      const message = `Bet ${betID} states a row that is proven and that no round draws: ${what} changed`;
      add({ kind: isProof ? 'draw' : 'clientSeed', nonce, betID, table, message });
    } else {
      const row = tables[table]?.drawn[one.place];
      const found = row ? `row ${row[1]}` : 'a row that is not proven';
      add({
        kind: 'row',
        nonce,
        betID,
        table,
        message: `Bet ${betID} states row ${one.round.bookID} and draws ${found}`,
      });
    }
  }
}

const isOfOtherRow = ({ place, stated }: Drawn): boolean =>
  place !== NOT_DRAWN && (place !== stated || place === NOWHERE);

const isDense = (count: number, of: number): boolean => count >= 3 && count * 4 >= of;

type Count = { rounds: number; wrong: number };

/** Returns the tables whose rounds differ under every client seed, or while those of other tables fit. */
function suspectTables(drawn: Drawn[], wrong: Drawn[]): Set<number> {
  const byTable = new Map<number, Map<number, Count>>();
  const byPart = new Map<number, Count>();
  const differs = new Set(wrong);
  for (const one of drawn) {
    if (one.place === NOT_DRAWN) continue;
    const ofTable = byTable.get(one.round.table) ?? new Map<number, Count>();
    byTable.set(one.round.table, ofTable);
    for (const counts of [ofTable, byPart]) {
      const count = counts.get(one.part) ?? { rounds: 0, wrong: 0 };
      count.rounds += 1;
      if (differs.has(one)) count.wrong += 1;
      counts.set(one.part, count);
    }
  }
  const suspects = new Set<number>();
  for (const [table, ofTable] of byTable) {
    const large = [...ofTable].filter(([, { rounds }]) => rounds >= 3);
    if (large.length === 0 || !large.every(([, count]) => isDense(count.wrong, count.rounds))) continue;
    const othersFit = large.some(([part, { rounds, wrong: own }]) => {
      const all = byPart.get(part) as Count;
      return all.rounds - rounds >= 3 && !isDense(all.wrong - own, all.rounds - rounds);
    });
    if (large.length > 1 || othersFit) suspects.add(table);
  }
  return suspects;
}

function groupedBy<T>(list: T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of list) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Returns the rounds at both ends of a client seed's part that fit the client seed before or after it. */
function roundsOfNeighbour({ clientSeeds }: FairDocument, facts: Facts, inPart: Drawn[], part: number): Drawn[] {
  const fitting = (rounds: Drawn[], clientSeed: string | undefined): Drawn[] => {
    if (clientSeed === undefined) return [];
    const end = rounds.findIndex(({ index, round, stated }) => {
      return stated < 0 || facts.drawAs?.(round.table, facts.nonces[index] as number, clientSeed) !== stated;
    });
    return end < 0 ? rounds : rounds.slice(0, end);
  };
  return [
    ...fitting(inPart.slice(0, BORDER_ROUNDS), clientSeeds[part - 1]?.clientSeed),
    ...fitting(inPart.slice(-BORDER_ROUNDS).reverse(), clientSeeds[part + 1]?.clientSeed),
  ];
}

/** Returns the place of another table that draws what the round states. */
function tableThatFits({ tables, clientSeeds }: FairDocument, facts: Facts, one: Drawn): number | undefined {
  const { index, round, part } = one;
  const clientSeed = clientSeeds[part]?.clientSeed;
  if (clientSeed === undefined) return undefined;
  for (let other = 0; other < Math.min(tables.length, OTHER_TABLES); other += 1) {
    const place = facts.drawAs?.(other, facts.nonces[index] as number, clientSeed) ?? NOWHERE;
    const row = other === round.table ? undefined : tables[other]?.drawn[place];
    if (row?.[1] === round.bookID && row[3] === round.payoutMultiplier) return other;
  }
  return undefined;
}
