import { isClientSeed } from './clientSeed.ts';
import type { FairDocument } from './document.ts';
import { FORMAT } from './ticket.ts';

type Test = (value: unknown) => boolean;
type Fields = Record<string, unknown>;

const MAX_NAME = 1000;
/** What is wrong this far down in a list ends the reading of it. */
const MAX_LIST = 1000;
const MAX_U64 = 2n ** 64n - 1n;

const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText: Test = (value) => typeof value === 'string';
const isName: Test = (value) =>
  isText(value) && (value as string).length <= MAX_NAME && /^[^:]+$/.test(value as string);
const isHash: Test = (value) => isText(value) && /^[0-9a-f]{64}$/.test(value as string);
const isCheck: Test = (value) => value === undefined || (isText(value) && /^[0-9a-f]{8}$/.test(value as string));
const isU64: Test = (value) =>
  isText(value) && /^(0|[1-9]\d{0,19})$/.test(value as string) && BigInt(value as string) <= MAX_U64;
const isWeight: Test = (value) => isU64(value) && value !== '0';
const isNull: Test = (value) => value === null;
const isFlag: Test = (value) => value === undefined || value === true;
const isNothing: Test = (value) => value === undefined;
const either =
  (...tests: Test[]): Test =>
  (value) =>
    tests.some((test) => test(value));
const isList: Test = Array.isArray;

const DOCUMENT = {
  format: (value: unknown) => value === FORMAT,
  serverSeedHash: isHash,
  serverSeed: either(isNull, isHash),
  nonces: either(isNull, isCount),
  clientSeeds: isList,
  tables: isList,
  rounds: isList,
  book: either(isNothing, isText),
};
const CLIENT_SEED = { from: isCount, clientSeed: (value: unknown) => typeof value === 'string' && isClientSeed(value) };
const TABLE = {
  game: isName,
  version: isName,
  mode: isName,
  rows: (value: unknown) => isCount(value) && value !== 0,
  totalWeight: isWeight,
  sha256: isHash,
  root: isHash,
  drawn: isList,
  siblings: isList,
};
const DRAWN = [isCount, isCount, isWeight, isU64, isHash, isCheck];
const SIBLING = [isU64, isHash];
const ANY_ROUND = { nonce: isCount, betID: isCount, table: isCount, amount: isCount, void: isFlag };
const ROUND = { ...ANY_ROUND, payout: isCount, bookID: isCount, payoutMultiplier: isU64 };
const VOID_ROUND = { ...ANY_ROUND, payout: isNothing, bookID: isNothing, payoutMultiplier: isNothing };

/**
 * Returns the document when each field has its type and range. Otherwise it calls `onIssue` with
 * each place that has not. Unknown fields are ignored.
 */
export function readDocument(input: unknown, onIssue: (message: string) => void): FairDocument | undefined {
  let isSound = true;
  const check = (value: unknown, tests: Record<string, Test> | Test[], place: string): boolean => {
    if (typeof value !== 'object' || value === null || Array.isArray(tests) !== Array.isArray(value)) {
      isSound = false;
      onIssue(`${place || 'The document'} is not ${Array.isArray(tests) ? 'a list' : 'an object'}`);
      return false;
    }
    const wrong = Object.keys(tests).filter((key) => !(tests as Record<string, Test>)[key]?.((value as Fields)[key]));
    for (const key of wrong) onIssue(`${place && `${place}.`}${key} is missing or not what the format allows`);
    if (wrong.length > 0) isSound = false;
    return wrong.length === 0;
  };
  const each = (list: unknown, tests: (item: unknown) => Record<string, Test> | Test[], place: string): void => {
    for (const [index, item] of (list as unknown[]).entries()) {
      if (!check(item, tests(item), `${place}[${index}]`) && index > MAX_LIST) return;
    }
  };
  if (!check(input, DOCUMENT, '')) return undefined;
  const { clientSeeds, tables, rounds } = input as FairDocument;
  each(clientSeeds, () => CLIENT_SEED, 'clientSeeds');
  for (const [index, table] of tables.entries()) {
    if (!check(table, TABLE, `tables[${index}]`)) continue;
    each(table.drawn, () => DRAWN, `tables[${index}].drawn`);
    each(table.siblings, () => SIBLING, `tables[${index}].siblings`);
  }
  each(rounds, (round) => ((round as Fields | null)?.void === undefined ? ROUND : VOID_ROUND), 'rounds');
  return isSound ? (input as FairDocument) : undefined;
}
