import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { FairDocument } from '@roundhouse/contract';
import { leafBytes, leafCheck } from '@roundhouse/fair';
import type { MathMode, ProofPart, ProofRow, ProofSibling } from '@roundhouse/math';
import type { Database } from '../../store/database/database.ts';
import {
  clientSeedAt,
  clientSeedsOf,
  type FairRoundRecord,
  type FairSeedRecord,
  type FoundFairRound,
  roundsOfSeed,
} from '../../store/rounds/fairRounds.ts';
import { openServerSeed } from '../../store/rounds/fairSeeds.ts';
import type { Catalogue } from '../games/catalogue.ts';

export type DocumentDeps = { db: Database; catalogue: Pick<Catalogue, 'math'> };

type FairTable = FairDocument['tables'][number];
type FairRound = FairDocument['rounds'][number];
type FairHead = Pick<FairDocument, 'format' | 'serverSeedHash' | 'serverSeed'>;
type Place = Pick<FairRoundRecord, 'gameID' | 'gameVersion' | 'mode'>;

/** The books of a version are not on this node, so it cannot prove anything about it. */
export class NoMath extends Error {
  override name = 'NoMath';

  constructor({ gameID, gameVersion, mode }: Place) {
    super(`the books of mode ${mode} of ${gameID} ${gameVersion} are not here`);
  }
}

/**
 * Returns the proof of a completed or void round.
 * @throws NoMath when the books of its version are not here.
 */
export async function proofOf({ db, catalogue }: DocumentDeps, round: FoundFairRound): Promise<FairDocument> {
  const { seed, nonce, isVoid } = round;
  const { math, position } = bookOf(catalogue, round);
  const { drawn, siblings } = math.proof(isVoid ? [] : [position]);
  return {
    ...headOf(db, seed),
    nonces: null,
    clientSeeds: [await clientSeedAt(db, { seedID: seed.seedID, nonce })],
    tables: [{ ...commitmentOf(round, math), drawn: drawn.map(rowOnWire), siblings: siblings.map(siblingOnWire) }],
    rounds: [roundOnWire(round, 0)],
    ...(!isVoid && { book: math.readEvents(position).toString('utf8') }),
  };
}

/** Returns the first members of a document. */
function headOf(db: Database, seed: FairSeedRecord): FairHead {
  const { serverSeedSha256, sealedServerSeed, accountID, nonces } = seed;
  return {
    format: 'roundhouse-fair-1',
    serverSeedHash: serverSeedSha256.toString('hex'),
    serverSeed:
      nonces === undefined ? null : openServerSeed(db.secretKeys, sealedServerSeed, accountID).toString('hex'),
  };
}

/** @throws NoMath */
function bookOf(catalogue: DocumentDeps['catalogue'], round: FairRoundRecord): { math: MathMode; position: number } {
  const { gameID, gameVersion: version, mode, bookID } = round;
  const math = catalogue.math({ gameID, version, mode });
  const book = math?.find(bookID);
  if (math === undefined || book === undefined) throw new NoMath(round);
  return { math, position: book.position };
}

/** Returns the first members of a table. */
function commitmentOf({ gameID, gameVersion, mode }: Place, math: MathMode): Omit<FairTable, 'drawn' | 'siblings'> {
  const { rows, totalWeight, sha256, root } = math.commitment;
  return { game: gameID, version: gameVersion, mode, rows, totalWeight: String(totalWeight), sha256, root };
}

function rowOnWire({ position, bookID, weight, payoutMultiplier, bookHash }: ProofRow): FairTable['drawn'][number] {
  const leaf = leafBytes({ id: BigInt(bookID), weight, payout: payoutMultiplier, bookHash });
  const check = leafCheck(createHash('sha256').update(leaf).digest());
  return [position, bookID, String(weight), String(payoutMultiplier), bookHash.toString('hex'), check];
}

function siblingOnWire({ weight, hash }: ProofSibling): FairTable['siblings'][number] {
  return [String(weight), hash.toString('hex')];
}

/** A void round shows no outcome, because it has none. */
function roundOnWire(round: FairRoundRecord, table: number): FairRound {
  const { nonce, betID, amount, payout, bookID, payoutMultiplier, isVoid } = round;
  if (isVoid) return { nonce, betID, table, amount, void: true };
  return { nonce, betID, table, amount, payout, bookID, payoutMultiplier: String(payoutMultiplier) };
}

/** The tables of a seed period, with the positions that its rounds have drawn. */
type PeriodTables = Map<string, Place & { index: number; math: MathMode; positions: Set<number> }>;

export type Export = { head: FairHead; seed: FairSeedRecord; tables: PeriodTables };

/**
 * Reads which rows the rounds under a revealed server seed have drawn. It keeps one number in
 * memory for each of them, and ends early when the client is gone.
 * @throws NoMath when the books of a version are not here.
 */
export async function openExport(
  { db, catalogue }: DocumentDeps,
  seed: FairSeedRecord,
  isGone: () => boolean,
): Promise<Export> {
  const head = headOf(db, seed);
  const tables: PeriodTables = new Map();
  for await (const rounds of roundsOfSeed(db, seed)) {
    if (isGone()) break;
    for (const round of rounds) {
      const { gameID, gameVersion, mode } = round;
      const { math, position } = bookOf(catalogue, round);
      const key = tableKey(round);
      const table = tables.get(key) ?? { gameID, gameVersion, mode, index: tables.size, math, positions: new Set() };
      tables.set(key, table);
      if (!round.isVoid) table.positions.add(position);
    }
  }
  return { head, seed, tables };
}

const tableKey = ({ gameID, gameVersion, mode }: Place): string => `${gameID}/${gameVersion}/${mode}`;

/**
 * Writes the document of a seed period piece by piece. One page of rounds is in memory at a time.
 * It is read when the page before is sent.
 */
export async function* exportText({ db }: DocumentDeps, { head, seed, tables }: Export): AsyncGenerator<string> {
  const first = JSON.stringify({ ...head, nonces: seed.nonces ?? null });
  yield `${first.slice(0, -1)},"clientSeeds":[`;
  yield* listText(clientSeedsOf(db, seed));
  yield '],"tables":[';
  for (const { index, math, positions, ...place } of tables.values()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(commitmentOf(place, math)).slice(0, -1)},"drawn":[`;
    const sorted = [...positions].sort((left, right) => left - right);
    // The proof mixes rows and siblings, and the document has them as two lists. Two walks cost
    // less than memory for one of the lists.
    yield* listText(rowPages(math, sorted));
    yield '],"siblings":[';
    yield* listText(siblingPages(math, sorted));
    yield ']}';
  }
  yield '],"rounds":[';
  yield* listText(roundsOfSeed(db, seed), (round) => roundOnWire(round, tables.get(tableKey(round))?.index ?? 0));
  yield ']}\n';
}

const PARTS_A_TURN = 500;

async function* rowPages(math: MathMode, positions: readonly number[]) {
  for await (const parts of inTurns(math.proofParts(positions)))
    yield parts.flatMap(({ row }) => row ?? []).map(rowOnWire);
}

async function* siblingPages(math: MathMode, positions: readonly number[]) {
  for await (const parts of inTurns(math.proofParts(positions))) {
    yield parts.flatMap(({ sibling }) => sibling ?? []).map(siblingOnWire);
  }
}

/** Lets the process serve players between two pages: each page takes a millisecond or two. */
async function* inTurns(parts: Iterable<ProofPart>): AsyncGenerator<ProofPart[]> {
  let page: ProofPart[] = [];
  for (const part of parts) {
    page.push(part);
    if (page.length < PARTS_A_TURN) continue;
    yield page;
    page = [];
    await setImmediate();
  }
  yield page;
}

/** Writes the members of all pages, with commas between them. */
async function* listText<Member>(
  pages: AsyncIterable<readonly Member[]>,
  onWire: (member: Member) => unknown = (member) => member,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    const text = page.map((member) => JSON.stringify(onWire(member))).join(',');
    yield isFirst ? text : `,${text}`;
    isFirst = false;
  }
}
