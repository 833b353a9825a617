import type { TableCheck } from './checkTable.ts';
import type { FairDocument, FairRound } from './document.ts';
import { type DrawAs, NOT_DRAWN, NOWHERE, partOf } from './draws.ts';
import type { AddIssue } from './report.ts';

type Completed = Extract<FairRound, { payout: number }>;

/**
 * `part` is the place of the round's client seed, `place` that of the drawn row, `stated` that of
 * the row with its bookID. It is compared with `found`: the drawn row, else the stated one.
 */
export type Drawn = { index: number; round: Completed; part: number; place: number; stated: number; found: number };

/**
 * `hits` counts the rounds of each drawn row, by table. `wrong` are those that differ from their
 * row.
 */
export type RoundsCheck = { drawn: Drawn[]; wrong: Drawn[]; hits: Uint32Array[] };

const PROGRESS_ROUNDS = 1000;

/** Draws each completed round and compares it with its row. */
export function checkRounds(
  document: FairDocument,
  { checks, nonces, drawAs }: { checks: TableCheck[]; nonces: number[]; drawAs: DrawAs | undefined },
  add: AddIssue,
  onProgress?: (done: number, total: number) => void,
): RoundsCheck {
  const { rounds, tables, clientSeeds } = document;
  const hits = tables.map((table) => new Uint32Array(table.drawn.length));
  const [drawn, wrong]: [Drawn[], Drawn[]] = [[], []];
  for (const [index, round] of rounds.entries()) {
    if (index % PROGRESS_ROUNDS === 0) onProgress?.(index, rounds.length);
    const table = tables[round.table];
    const drawNonce = nonces[index] as number;
    const part = partOf(document, drawNonce);
    if (!table) {
      add('table', 'no such table', round);
    } else if (part < 0 && drawNonce >= 0) {
      add('clientSeed', 'no client seed', round);
    } else if (!round.void) {
      const clientSeed = clientSeeds[part]?.clientSeed;
      const stated = checks[round.table]?.placeOf.get(round.bookID) ?? NOWHERE;
      const place = clientSeed === undefined ? NOT_DRAWN : (drawAs?.(round.table, drawNonce, clientSeed) ?? NOT_DRAWN);
      const found = place === NOT_DRAWN ? stated : place;
      const one = { index, round, part, place, stated, found };
      drawn.push(one);
      const row = table.drawn[found];
      const counts = hits[round.table] as Uint32Array;
      if (row) counts[found] = (counts[found] as number) + 1;
      const { bookID, payoutMultiplier, amount, payout } = round;
      if (row?.[1] !== bookID || row[3] !== payoutMultiplier) wrong.push(one);
      else if (BigInt(amount) * BigInt(payoutMultiplier) !== BigInt(payout) * 100n) {
        add('payout', `${payout} is not ${amount} × ${payoutMultiplier} / 100`, round);
      }
    }
  }
  onProgress?.(rounds.length, rounds.length);
  return { drawn, wrong, hits };
}
