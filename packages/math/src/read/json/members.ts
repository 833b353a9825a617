import { JsonSyntaxError, skipColon, skipSpace, skipString, skipValue, unexpected } from './scan.ts';

/** A value lies in its text from `start` up to but without `end`. */
export type Slice = { start: number; end: number };

/**
 * Returns the members of one JSON object that have the given names, in the order of `names`;
 * undefined where there is none. The object begins at `start` after white space, and only white
 * space may follow up to the line feed at `lineEnd`. It reads the whole text, so what it returns
 * without JsonSyntaxError is JSON. A name that comes twice is an error too: readers differ on which
 * of the two counts. `skip` does what skipValue does. The reader's next call overwrites the result.
 */
export function memberReader(names: readonly string[]) {
  const encodedNames = names.map((name) => Buffer.from(`"${name}"`));
  const slices: Slice[] = names.map(() => ({ start: -1, end: -1 }));

  return (text: Uint8Array, start: number, lineEnd: number, skip = skipValue): readonly Slice[] => {
    for (const slice of slices) slice.start = -1;
    let at = skipSpace(text, start);
    if (text[at] !== 0x7b) throw unexpected(text, at, 'a JSON object');
    at = skipSpace(text, at + 1);
    if (text[at] !== 0x7d) at = readMembers(text, at, skip);
    at = skipSpace(text, at + 1);
    if (at !== lineEnd) throw unexpected(text, at, 'the end of the line');
    return slices;
  };

  /** Returns the index of the closing brace. */
  function readMembers(text: Uint8Array, start: number, skip: typeof skipValue): number {
    let at = start;
    for (;;) {
      const keyStart = at;
      const keyEnd = skipString(text, at);
      const valueStart = skipColon(text, keyEnd);
      const valueEnd = skip(text, valueStart, 1);
      keep(text, keyStart, keyEnd, valueStart, valueEnd);
      at = skipSpace(text, valueEnd);
      if (text[at] === 0x7d) return at;
      if (text[at] !== 0x2c) throw unexpected(text, at, 'a comma or }');
      at = skipSpace(text, at + 1);
    }
  }

  function keep(text: Uint8Array, keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): void {
    const index = indexOfKey(text, keyStart, keyEnd);
    if (index === -1) return;
    const slice = slices[index] as Slice;
    if (slice.start !== -1) throw new JsonSyntaxError(`"${names[index]}" comes twice`, keyStart);
    slice.start = valueStart;
    slice.end = valueEnd;
  }

  function indexOfKey(text: Uint8Array, start: number, end: number): number {
    // A key written with escapes, such as "\u0069d", is the same key as the plain one.
    if (hasEscape(text, start, end))
      return names.indexOf(JSON.parse(Buffer.from(text.subarray(start, end)).toString()));
    for (let index = 0; index < encodedNames.length; index += 1) {
      if (isKey(encodedNames[index] as Uint8Array, text, start, end)) return index;
    }
    return -1;
  }
}

function hasEscape(text: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (text[at] === 0x5c) return true;
  }
  return false;
}

function isKey(name: Uint8Array, text: Uint8Array, start: number, end: number): boolean {
  if (end - start !== name.length) return false;
  for (let offset = 0; offset < name.length; offset += 1) {
    if (text[start + offset] !== name[offset]) return false;
  }
  return true;
}

/** Returns the elements of the JSON array that begins at `start`. Throws JsonSyntaxError. */
export function elementSlices(text: Uint8Array, start: number): Slice[] {
  const elements: Slice[] = [];
  if (text[start] !== 0x5b) throw unexpected(text, start, 'an array');
  let at = skipSpace(text, start + 1);
  while (text[at] !== 0x5d) {
    const end = skipValue(text, at, 1);
    elements.push({ start: at, end });
    at = skipSpace(text, end);
    if (text[at] === 0x2c) at = skipSpace(text, at + 1);
    else if (text[at] !== 0x5d) throw unexpected(text, at, 'a comma or ]');
  }
  return elements;
}
