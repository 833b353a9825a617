import { createHash } from 'node:crypto';
import { currencyFacts, moneyText } from '@roundhouse/contract';
import type { Approval } from '@roundhouse/contract/admin';

const FINGERPRINT_CHARACTERS = 4;

/** A value that is set, with the one that it replaces. */
export type Detail = Approval['details'][number];

/** Says for each member of a request what it sets: a member without words does not compile. */
export type WordsOf<Given extends object> = {
  readonly [Member in keyof Given]-?: (value: Exclude<Given[Member], undefined>) => readonly Detail[];
};

/** Returns a detail for each member that the request has, in the order of the words. */
export function linesOf<Given extends object>(given: Given, words: WordsOf<Given>): Detail[] {
  return (Object.keys(words) as (keyof Given)[]).flatMap((member) => {
    const value = given[member];
    return value === undefined ? [] : words[member](value as Exclude<Given[keyof Given], undefined>);
  });
}

/** Without `before` nothing is replaced. */
export function changeLine(field: string, before: string | undefined, after: string): Detail[] {
  return [{ field, before: before ?? null, after }];
}

/** Returns an amount as the pages of the console show it. */
export function amountText(micros: number | bigint, currency: string): string {
  return moneyText(micros, currencyFacts(currency));
}

/** Returns the text of a limit; null means no limit. */
export function limitText(micros: number | null, currency: string): string {
  return micros === null ? 'none' : amountText(micros, currency);
}

/**
 * Names the keys of a dialect without their values. A fingerprint is that of an operator's secret.
 */
export function keysText(settings: Readonly<Record<string, unknown>>): string {
  const named = Object.entries(settings).map(([name, value]) =>
    typeof value === 'string' ? `${name} (fingerprint ${fingerprintOf(value)})` : name,
  );
  return named.join(', ') || 'none';
}

function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, FINGERPRINT_CHARACTERS);
}

/** Returns any other value as a person reads it. An object has amounts by currency. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  const amounts = Object.entries(value).map(([currency, micros]) => amountText(micros, currency));
  return amounts.join(', ') || 'none';
}

/** Returns a name of the code as words: `minimumRoundDuration` as "minimum round duration". */
export function namedAsWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, (_all, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}
