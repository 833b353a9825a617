import { checkTable, type Level, leafOf, placeOfTicket } from './checkTable.ts';
import { partOf } from './draws.ts';
import { bytesOf, hex, sha256 } from './hash.ts';
import { readDocument } from './readDocument.ts';
import { messageOf, ticketOf } from './ticket.ts';

/** `unknown`: the document has not what the step needs, as a server seed that is still in use. */
export type StepResult = 'match' | 'mismatch' | 'unknown';

/** In the order of the check. */
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

/** One level up: the sibling on its side, and the node above with the sum of the weights. */
export type StepLevel = {
  side: 'left' | 'right';
  weight: string;
  hash: string;
  aboveWeight: string;
  aboveHash: string;
};

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

/** Every step of one round. `row` is the drawn row, or the stated one when the draw is unknown. */
export type Steps = {
  nonce: number;
  betID: number;
  isVoid: boolean;
  game: string;
  version: string;
  mode: string;
  result: StepResult;
  steps: Step[];
  tries: StepTry[];
  row: StepRow | null;
  path: StepLevel[];
};

/** Computes each step of the round with this nonce. Returns undefined when the document has none, or is not readable. */
export function stepsOf(input: unknown, nonce: number): Steps | undefined {
  const document = readDocument(input, () => undefined);
  const round = document?.rounds.find((each) => each.nonce === nonce);
  const table = round && document?.tables[round.table];
  if (!document || !round || !table) return undefined;
  const { serverSeed, serverSeedHash, clientSeeds, book } = document;
  const { game, version, mode, totalWeight } = table;
  const steps: Step[] = [];
  const step = (name: StepName, value: string | null, stated: string | null = null, isKnown = value !== null): void => {
    const result = !isKnown ? 'unknown' : stated === null || value === stated ? 'match' : 'mismatch';
    steps.push({ name, value, stated, result });
  };

  const seed = serverSeed === null ? undefined : bytesOf(serverSeed);
  step('serverSeed', seed ? hex(sha256(seed)) : null, serverSeedHash);
  const clientSeed = clientSeeds[partOf(document, nonce)]?.clientSeed;
  step('clientSeed', clientSeed ?? null);
  const facts = { game, version, mode, nonce, clientSeed: clientSeed ?? '' };
  const weights = checkTable(table);
  const tries: StepTry[] = [];
  const ticket =
    seed &&
    clientSeed !== undefined &&
    ticketOf(seed, facts, BigInt(totalWeight), {
      onTry: ({ message, hmac, value, limit, accepted }) =>
        tries.push({ message, hmac: hex(hmac), value: `${value}`, limit: `${limit}`, accepted }),
    });
  const last = tries.at(-1);
  step('message', last?.message ?? (clientSeed === undefined ? null : messageOf(facts, 0)));
  step('hmac', last?.hmac ?? null);
  step('value', last?.value ?? null);
  const isDrawn = typeof ticket === 'bigint';
  step('ticket', isDrawn ? `${ticket}` : null);

  const stated = round.void ? -1 : (weights.placeOf.get(round.bookID) ?? -1);
  const place = isDrawn ? placeOfTicket(table, weights, ticket) : stated;
  const path: Level[] = [];
  const walked = place < 0 ? weights : checkTable(table, place, path);
  const row = table.drawn[place];
  if (!round.void) {
    const id = row && isDrawn ? `${row[1]}` : null;
    step('row', isDrawn ? (id ?? 'not proven') : null, `${round.bookID}`);
    step('payoutMultiplier', row?.[3] ?? null, round.payoutMultiplier);
    const product = BigInt(round.amount) * BigInt(round.payoutMultiplier);
    step('payout', product % 100n === 0n ? `${product / 100n}` : `${product} / 100`, `${round.payout}`);
    step('book', book === undefined || !row ? null : hex(sha256(new TextEncoder().encode(book))), row?.[4] ?? null);
  }
  step('weights', `${walked.weight}`, totalWeight);
  step('root', walked.root, table.root);
  const results = steps.map(({ result }) => result);
  return {
    nonce,
    betID: round.betID,
    isVoid: round.void === true,
    game,
    version,
    mode,
    result: results.includes('mismatch') ? 'mismatch' : seed ? 'match' : 'unknown',
    steps,
    tries,
    row: row
      ? {
          position: row[0],
          id: row[1],
          weight: row[2],
          payoutMultiplier: row[3],
          bookHash: row[4],
          leaf: hex(leafOf(table, place).hash),
          firstTicket: `${walked.firsts[place] ?? 0n}`,
          lastTicket: `${(walked.firsts[place] ?? 0n) + BigInt(row[2]) - 1n}`,
        }
      : null,
    path: path.map(({ side, sibling, above }) => ({
      side,
      weight: `${sibling.weight}`,
      hash: hex(sibling.hash),
      aboveWeight: `${above.weight}`,
      aboveHash: hex(above.hash),
    })),
  };
}
