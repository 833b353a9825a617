/** Returns undefined for text that is not JSON. */
export function parseJson(text: string, revive?: (member: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}
