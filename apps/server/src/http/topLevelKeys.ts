const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** The keys of the outermost object of valid JSON, in order, with repetitions. */
export function topLevelKeys(json: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  let lastText: string | undefined;
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    // In valid JSON a colon outside of a text follows a key and nothing else does.
    else if (token === ':' && depth === 1 && lastText !== undefined) keys.push(JSON.parse(lastText) as string);
    lastText = token.startsWith('"') ? token : undefined;
  }
  return keys;
}
