import { randomUUID } from 'node:crypto';

// A random text stands for the bytes while the rest is written; nobody outside can know it, so nothing sent here can be it.
const STAND_IN = randomUUID();
const QUOTED_STAND_IN = JSON.stringify(STAND_IN);

let collected: Uint8Array[] = [];

/** JSON that is already written: it goes to the wire byte for byte, so that a book's `1.0` does not become `1`. */
export class RawJson {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  toJSON(): string {
    collected.push(this.#bytes);
    return STAND_IN;
  }
}

/** JSON.stringify, with each RawJson inside written as its own bytes. */
export function writeJson(body: unknown): Buffer {
  collected = [];
  const around = JSON.stringify(body).split(QUOTED_STAND_IN);
  const pieces: Uint8Array[] = [];
  for (const [index, text] of around.entries()) {
    pieces.push(Buffer.from(text));
    const raw = collected[index];
    if (raw !== undefined) pieces.push(raw);
  }
  collected = [];
  return Buffer.concat(pieces);
}
