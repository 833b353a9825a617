import { checkTable } from './checkTable.ts';
import type { FairDocument } from './document.ts';
import { drawWith } from './draws.ts';
import { explainDraws } from './explainDraws.ts';
import { bytesOf, hex, sha256 } from './hash.ts';
import { readDocument } from './readDocument.ts';
import { type AddIssue, type Report, startReport } from './report.ts';
import { checkRounds, type RoundsCheck } from './rounds.ts';
import { checkSequence } from './sequence.ts';
import { explainTables } from './tables.ts';

export type VerifyOptions = {
  /** Called about every 1,000 rounds, and at the end. */
  onProgress?: (done: number, total: number) => void;
  /** What the player has noted before: the hash of the server seed, the roots of the tables. */
  expected?: { serverSeedHash?: string; roots?: readonly string[] };
};

/**
 * Checks the proof of a round, or the export of a seed period. The document may come from anybody:
 * nothing in it makes this throw. A missing server seed is not an issue, but `notRevealed`.
 */
export function verify(input: unknown, { onProgress, expected }: VerifyOptions = {}): Report {
  const { report, add } = startReport();
  const document = readDocument(input, (message) => add('format', message));
  if (!document) return report;
  const { rounds, tables, serverSeed, serverSeedHash, clientSeeds } = document;
  report.rounds = rounds.length;
  report.voids = rounds.filter((round) => round.void).length;
  report.notRevealed = serverSeed === null;

  if (expected?.serverSeedHash !== undefined && expected.serverSeedHash !== serverSeedHash) {
    add('serverSeed', 'not the server seed expected');
  }
  const seed = serverSeed === null ? undefined : bytesOf(serverSeed);
  const isSeed = seed && hex(sha256(seed)) === serverSeedHash;
  if (seed && !isSeed) add('serverSeed', 'the server seed has another hash');
  const unordered = clientSeeds.filter(({ from }, place) => from <= (clientSeeds[place - 1]?.from ?? -1));
  for (const { from } of unordered) add('clientSeed', 'out of order', { nonce: from });
  const nonces = checkSequence(document, add);
  const checks = tables.map((table) => checkTable(table));
  const drawAs = isSeed && unordered.length === 0 ? drawWith(seed, document, checks) : undefined;
  const check = checkRounds(document, { checks, nonces, drawAs }, add, onProgress);
  const isBookWrong = !checkBook(document, check, add);
  const wrong = explainTables(document, checks, check, add, { roots: expected?.roots, isBookWrong });
  explainDraws(document, check, wrong, add);
  if (report.ok) checkHits(document, check, add);
  return report;
}

/** Returns whether the book, if there is one, is that of the round. */
function checkBook({ book, tables }: FairDocument, { drawn }: RoundsCheck, add: AddIssue): boolean {
  if (book === undefined) return true;
  const [one, ...others] = drawn;
  if (!one || others.length > 0) {
    add('format', 'a book without its round');
    return true;
  }
  const row = tables[one.round.table]?.drawn[one.stated];
  if (!row || hex(sha256(new TextEncoder().encode(book))) === row[4]) return true;
  add('book', 'the book has not the hash of its row', one.round);
  return false;
}

/** A row that no round has drawn is in no honest document: its round was made void, or left out. */
function checkHits({ tables }: FairDocument, { hits }: RoundsCheck, add: AddIssue): void {
  for (const [table, { drawn }] of tables.entries()) {
    for (const [place, [position]] of drawn.entries()) {
      if (hits[table]?.[place] === 0) add('row', 'no round draws this row', { table, position });
    }
  }
}
