import { checkTable, leafOf, placeOfTicket, type StepLevel } from './checkTable.ts';
import type { DrawnRow, FairTable } from './document.ts';
import { partOf } from './draws.ts';
import { bytesOf, hex, sha256 } from './hash.ts';
import { readDocument } from './readDocument.ts';
import { hmacUnder, messageOf, ticketOf } from './ticket.ts';

/** `unknown`: the document has not what the step needs, as a server seed that is still in use. */
export type StepResult = 'match' | 'mismatch' | 'unknown';

/** The steps, in the order of the check. */
export type StepName =
  | 'serverSeed'
  | 'clientSeed'
  | 'message'
  | 'hmac'
  | 'value'
  | 'ticket'
  | 'row'
  | 'payoutMultiplier'
  | 'payout'
  | 'book'
  | 'weights'
  | 'root';

/** `value` is what was computed, `stated` is what the document says, if it says so. */
export type Step = { name: StepName; value: string | null; stated: string | null; result: StepResult };

/** One attempt of the draw. `value` and `limit` are decimal. */
export type StepTry = { message: string; hmac: string; value: string; limit: string; accepted: boolean };

export type StepRow = {
  position: number;
  id: number;
  weight: string;
  payoutMultiplier: string;
  bookHash: string;
  leaf: string;
  /** The row has the tickets from the first to the last. */
  firstTicket: string;
  lastTicket: string;
};

/** `row` is the drawn row, or the stated one when the draw is unknown. */
export type Steps = {
  game: string;
  version: string;
  mode: string;
  clientSeed: string;
  nonce: number;
  betID: number;
  isVoid: boolean;
  result: StepResult;
  steps: Step[];
  tries: StepTry[];
  row: StepRow | null;
  path: StepLevel[];
};

/**
 * Computes each step of the round with this nonce. Returns undefined when the document has none, or
 * is not readable.
 */
export function stepsOf(input: unknown, nonce: number): Steps | undefined {
  const document = readDocument(input, () => undefined);
  const round = document?.rounds.find((each) => each.nonce === nonce);
  const table = round && document?.tables[round.table];
  if (!document || !round || !table) return undefined;
  const { serverSeed, serverSeedHash, clientSeeds, book } = document;
  const { game, version, mode, totalWeight } = table;
  const steps: Step[] = [];
  const step = (name: StepName, value: string | null, stated: string | null = null): void => {
    const result = value === null ? 'unknown' : stated === null || value === stated ? 'match' : 'mismatch';
    steps.push({ name, value, stated, result });
  };

  const seed = serverSeed === null ? undefined : bytesOf(serverSeed);
  step('serverSeed', seed ? hex(sha256(seed)) : null, serverSeedHash);
  const clientSeed = clientSeeds[partOf(document, nonce)]?.clientSeed;
  step('clientSeed', clientSeed ?? null);
  const facts = { game, version, mode, nonce, clientSeed: clientSeed ?? '' };
  const tries: StepTry[] = [];
  const ticket =
    seed &&
    ticketOf(hmacUnder(seed), facts, BigInt(totalWeight), ({ message, hmac, value, limit, accepted }) =>
      tries.push({ message, hmac: hex(hmac), value: `${value}`, limit: `${limit}`, accepted }),
    );
  const last = tries.at(-1);
  step('message', last?.message ?? messageOf(facts, 0));
  step('hmac', last?.hmac ?? null);
  step('value', last?.value ?? null);
  step('ticket', ticket === undefined ? null : `${ticket}`);

  const weights = checkTable(table);
  const stated = round.void ? -1 : (weights.placeOf.get(round.bookID) ?? -1);
  const place = ticket === undefined ? stated : placeOfTicket(table, weights, ticket);
  const path: StepLevel[] = [];
  if (place >= 0) checkTable(table, place, path);
  const row = table.drawn[place];
  if (!round.void) {
    step('row', ticket === undefined ? null : `${row?.[1] ?? 'not proven'}`, `${round.bookID}`);
    step('payoutMultiplier', row?.[3] ?? null, round.payoutMultiplier);
    const product = BigInt(round.amount) * BigInt(round.payoutMultiplier);
    step('payout', product % 100n === 0n ? `${product / 100n}` : `${product} / 100`, `${round.payout}`);
    step('book', book && row ? hex(sha256(new TextEncoder().encode(book))) : null, row?.[4] ?? null);
  }
  step('weights', `${weights.weight}`, totalWeight);
  step('root', weights.root, table.root);
  const results = steps.map(({ result }) => result);
  return {
    ...facts,
    betID: round.betID,
    isVoid: round.void === true,
    result: results.includes('mismatch') ? 'mismatch' : seed ? 'match' : 'unknown',
    steps,
    tries,
    row: row ? rowOf(table, place, weights.firsts[place] ?? 0n) : null,
    path,
  };
}

function rowOf(table: FairTable, place: number, first: bigint): StepRow {
  const [position, id, weight, payoutMultiplier, bookHash] = table.drawn[place] as DrawnRow;
  const [leaf, firstTicket, lastTicket] = [
    hex(leafOf(table, place).hash),
    `${first}`,
    `${first + BigInt(weight) - 1n}`,
  ];
  return { position, id, weight, payoutMultiplier, bookHash, leaf, firstTicket, lastTicket };
}
