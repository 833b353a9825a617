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
  const text = JSON.stringify(body);
  const raws = collected;
  collected = [];
  if (raws.length === 0) return Buffer.from(text);
  return weave(text, raws);
}

/** The text with its stand-ins, in their order, replaced by the bytes that they stand for. */
function weave(text: string, raws: readonly Uint8Array[]): Buffer {
  const rawBytes = raws.reduce((sum, raw) => sum + raw.length, 0);
  const json = Buffer.allocUnsafe(Buffer.byteLength(text) - raws.length * QUOTED_STAND_IN.length + rawBytes);
  let read = 0;
  let written = 0;
  for (const raw of raws) {
    const standIn = text.indexOf(QUOTED_STAND_IN, read);
    written += json.write(text.slice(read, standIn), written);
    json.set(raw, written);
    written += raw.length;
    read = standIn + QUOTED_STAND_IN.length;
  }
  json.write(text.slice(read), written);
  return json;
}
