/** Returns undefined for text that is no JSON. */
export function parseJson(text: string, revive?: (member: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}
