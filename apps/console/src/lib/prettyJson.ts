/** A list without lists and objects. Line breaks in texts are escaped, so each match is layout. */
const PLAIN_LIST = /\[\n\s*([^[\]{}]*?)\n\s*\]/g;

/** Returns a value as JSON for a person: a list of plain values is on one line, like a reel. */
export function prettyJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'undefined';
  return text.replace(PLAIN_LIST, (_, list: string) => `[${list.replace(/\n\s*/g, ' ')}]`);
}
