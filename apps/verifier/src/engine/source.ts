/** What a player opens: pasted text, a file, or the part of a link after #. */
export type Source = { kind: 'text'; text: string } | { kind: 'file'; file: Blob } | { kind: 'link'; hash: string };

/** The source has no document. The message tells the player why. */
export class Unusable extends Error {}

/** An export of a million rounds has about 150 MB. A browser keeps no text of more than 500 MB. */
const MAX_BYTES = 256 * 2 ** 20;
const TOO_LARGE = `This is more than ${MAX_BYTES / 2 ** 20} MB. No document is that large.`;

/** Returns whether a link contains a document. */
export function hasDocument(hash: string): boolean {
  return /^#[dj]=/.test(hash);
}

/** Reads the JSON of a source. Throws {@link Unusable} if it has none. */
export async function readSource(source: Source): Promise<unknown> {
  const text = await textOf(source);
  if (text.trim() === '') throw new Unusable('There is nothing to check: the document is empty.');
  try {
    return JSON.parse(text);
  } catch {
    throw new Unusable('This is not a fairness document: it is not JSON. Copy all of it, from { to }.');
  }
}

async function textOf(source: Source): Promise<string> {
  if (source.kind === 'text') return source.text;
  if (source.kind === 'link') return textOfLink(source.hash);
  if (source.file.size > MAX_BYTES) throw new Unusable(TOO_LARGE);
  return utf8(new Uint8Array(await source.file.arrayBuffer()));
}

/** `#j=` is followed by JSON as base64url, `#d=` by the same, deflated without a header. */
async function textOfLink(hash: string): Promise<string> {
  const bytes = bytesOfBase64Url(hash.slice(3));
  return utf8(hash.startsWith('#d=') ? await inflate(bytes) : bytes);
}

function bytesOfBase64Url(text: string): Uint8Array<ArrayBuffer> {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    throw new Unusable('This link is incomplete. Open it again from the game, or use the file.');
  }
}

/** Stops at the limit: a short link can contain many gigabytes of zeros. */
async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
      size += value.length;
      if (size > MAX_BYTES) {
        await reader.cancel();
        throw new Unusable(TOO_LARGE);
      }
      parts.push(value);
    }
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Unusable('This link is incomplete. Open it again from the game, or use the file.');
  }
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Unusable('This is not a fairness document: it is not text.');
  }
}
