const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A member of the outermost object: its key, and the number that it holds as it was written. */
export type Member = { key: string; number?: string };

/** The members of the outermost object of valid JSON, in order, with repetitions. */
export function topLevelMembers(json: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let previous = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    // In valid JSON a colon outside of a text follows a key and nothing else does.
    else if (depth === 1 && token === ':') members.push({ key: JSON.parse(previous) as string });
    else if (depth === 1 && previous === ':' && !token.startsWith('"')) {
      Object.assign(members.at(-1) as Member, { number: token });
    }
    previous = token;
  }
  return members;
}

/**
 * Whether a JSON number that is not whole as it was written becomes whole when it is read: a double holds about 16 digits, so
 * 1000000.00000000001 reads as 1000000.
 */
export function becomesWhole(number: string): boolean {
  return Number.isInteger(Number(number)) && !isWhole(number);
}

function isWhole(number: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  const digits = (whole + fraction).replace(/0+$/, '');
  // Digits that stand behind the point are those that the exponent does not carry before it; zeros alone do not count.
  return /^0*$/.test(digits) || digits.length - whole.length <= Number(exponent);
}
