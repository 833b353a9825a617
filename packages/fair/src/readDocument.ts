import { isClientSeed } from './clientSeed.ts';
import type { FairDocument } from './document.ts';
import { FORMAT } from './ticket.ts';

type Test = (value: unknown) => boolean;
type Tests = Record<string, Test> | Test[];

/** What is wrong this far down in a list ends the reading of it. */
const MAX_LIST = 1000;
const MAX_U64 = 2n ** 64n - 1n;

const matches =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isNothing: Test = (value) => value === undefined;
const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isName = matches(/^[^:]{1,1000}$/);
const isHash = matches(/^[0-9a-f]{64}$/);
const isCheck = matches(/^[0-9a-f]{8}$/);
const isDecimal = matches(/^(0|[1-9]\d{0,19})$/);
const isU64: Test = (value) => isDecimal(value) && BigInt(value as string) <= MAX_U64;
const isWeight: Test = (value) => isU64(value) && value !== '0';
const isList: Test = Array.isArray;
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);

const DOCUMENT: Tests = {
  format: (value) => value === FORMAT,
  serverSeedHash: isHash,
  serverSeed: orNull(isHash),
  nonces: orNull(isCount),
  clientSeeds: isList,
  tables: isList,
  rounds: isList,
  book: (value) => isNothing(value) || typeof value === 'string',
};
const CLIENT_SEED: Tests = { from: isCount, clientSeed: (value) => typeof value === 'string' && isClientSeed(value) };
const TABLE: Tests = {
  game: isName,
  version: isName,
  mode: isName,
  rows: (value) => isCount(value) && value !== 0,
  totalWeight: isWeight,
  sha256: isHash,
  root: isHash,
  drawn: isList,
  siblings: isList,
};
const DRAWN: Tests = [isCount, isCount, isWeight, isU64, isHash, (value) => isNothing(value) || isCheck(value)];
const SIBLING: Tests = [isU64, isHash];
const ANY_ROUND: Tests = { nonce: isCount, betID: isCount, table: isCount, amount: isCount };
const ROUND: Tests = { ...ANY_ROUND, payout: isCount, bookID: isCount, payoutMultiplier: isU64 };
const VOID_ROUND: Tests = {
  ...ANY_ROUND,
  void: (value) => value === true,
  payout: isNothing,
  bookID: isNothing,
  payoutMultiplier: isNothing,
};

/**
 * Returns the document when each field has its type and range. Otherwise it calls `onIssue` with
 * each place that has not. Unknown fields are ignored.
 */
export function readDocument(input: unknown, onIssue: (message: string) => void): FairDocument | undefined {
  let isSound = true;
  const check = (value: unknown, tests: Tests, place: string): boolean => {
    const report = (what: string): void => {
      isSound = false;
      onIssue(`${what} is not what the format allows`);
    };
    if (typeof value !== 'object' || value === null || isList(tests) !== isList(value)) {
      report(place || 'the document');
      return false;
    }
    const wrong = Object.entries(tests).filter(([key, test]) => !test(value[key as never]));
    for (const [key] of wrong) report(`${place}${place && '.'}${key}`);
    return wrong.length === 0;
  };
  const each = (list: unknown[], tests: Tests | ((item: unknown) => Tests), place: string): void => {
    for (const [index, item] of list.entries()) {
      const isRight = check(item, typeof tests === 'function' ? tests(item) : tests, `${place}[${index}]`);
      if (!isRight && index > MAX_LIST) return;
    }
  };
  if (!check(input, DOCUMENT, '')) return undefined;
  const { clientSeeds, tables, rounds } = input as FairDocument;
  each(clientSeeds, CLIENT_SEED, 'clientSeeds');
  for (const [index, table] of tables.entries()) {
    const place = `tables[${index}]`;
    if (!check(table, TABLE, place)) continue;
    each(table.drawn, DRAWN, `${place}.drawn`);
    each(table.siblings, SIBLING, `${place}.siblings`);
  }
  each(rounds, (round) => ((round as { void?: unknown } | null)?.void === undefined ? ROUND : VOID_ROUND), 'rounds');
  return isSound ? (input as FairDocument) : undefined;
}
