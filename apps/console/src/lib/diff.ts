import { amountText } from './money.ts';
import { utcText } from './time.ts';

/** As JSON and PostgreSQL write it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export type DiffRow = { path: string; before: string | undefined; after: string | undefined; isChanged: boolean };

/**
 * Returns the fields of two values, one row for each leaf: `limits.maxBet`. A list of plain values
 * is one leaf. A side without the field has undefined. Micros become amounts.
 * @param subject what the values belong to; it may name the currency: `operator acme in EUR`
 */
export function rowsOfDiff(before: unknown, after: unknown, subject = ''): DiffRow[] {
  const currency = currencyOf(after) ?? currencyOf(before) ?? /(?:,| in) ([A-Z][A-Z\d]{2,})$/.exec(subject)?.[1];
  const old = leavesOf(before, currency);
  const now = leavesOf(after, currency);
  // A list shows the first rows only.
  const paths = new Set([...(now.has('reason') ? ['reason'] : []), ...old.keys(), ...now.keys()]);
  return [...paths].map((path) => {
    const [a, b] = [old.get(path), now.get(path)];
    return { path, before: a, after: b, isChanged: a !== b };
  });
}

function currencyOf(value: unknown): string | undefined {
  const { currency } = (value ?? {}) as { currency?: unknown };
  return typeof currency === 'string' ? currency : undefined;
}

function leavesOf(value: unknown, currency: string | undefined): Map<string, string> {
  const leaves = new Map<string, string>();
  const visit = (each: unknown, path: string) => {
    if (each === undefined || (each === null && path === '')) return;
    const isList = Array.isArray(each);
    const entries = Object.entries(isObject(each) ? each : {});
    const isLeaf = !isObject(each) || (isList ? !each.some(isObject) : entries.length === 0 && path !== '');
    if (isLeaf) leaves.set(path, leafText(each, path, currency));
    for (const [key, item] of isLeaf ? [] : entries) {
      visit(item, [path, isList ? Number(key) + 1 : key].filter(Boolean).join('.'));
    }
  };
  visit(value, '');
  return leaves;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function leafText(leaf: unknown, path: string, currency: string | undefined): string {
  if (Array.isArray(leaf)) return leaf.map((item) => leafText(item, path, currency)).join(', ') || 'none';
  if (leaf === null || leaf === '' || isObject(leaf)) return 'none';
  if (typeof leaf === 'boolean') return leaf ? 'yes' : 'no';
  if (INSTANT.test(String(leaf))) return utcText(String(leaf));
  return /^-?\d+$/.test(String(leaf)) ? numberText(String(leaf), path, currency) : String(leaf);
}

/** Bets have a currency: `bets.EUR`, `bet_limits.default.maxBet`; an RTP alarm has micros. */
function numberText(digits: string, path: string, currency: string | undefined): string {
  const own = /^(?:bets|bet_limits)\.([^.]+)/.exec(path)?.[1];
  if (own !== undefined) return amountText(digits, own === 'default' ? undefined : own);
  const isSum = currency !== undefined && /^(?:bets|payouts)$/.test(path);
  return isSum || /(?:_m|[a-z]M)icros$/.test(path) ? amountText(digits, currency) : digits;
}
