export type DiffRow = { path: string; before: string | undefined; after: string | undefined; isChanged: boolean };

/**
 * Returns the fields of two values, one row for each leaf: `limits.maxBet`, `currencies[0]`. A side
 * without the field has undefined.
 */
export function rowsOfDiff(before: unknown, after: unknown): DiffRow[] {
  const old = leavesOf(before);
  const now = leavesOf(after);
  const paths = new Set([...old.keys(), ...now.keys()]);
  return [...paths].map((path) => {
    const [a, b] = [old.get(path), now.get(path)];
    return { path, before: a, after: b, isChanged: a !== b };
  });
}

function leavesOf(value: unknown): Map<string, string> {
  const leaves = new Map<string, string>();
  const visit = (each: unknown, path: string) => {
    if (each === undefined || (each === null && path === '')) return;
    if (typeof each !== 'object' || each === null) {
      leaves.set(path, textOf(each));
    } else if (Array.isArray(each)) {
      if (each.length === 0) leaves.set(path, '[]');
      for (const [index, item] of each.entries()) visit(item, `${path}[${index}]`);
    } else {
      const entries = Object.entries(each);
      if (entries.length === 0 && path !== '') leaves.set(path, '{}');
      for (const [key, item] of entries) visit(item, path === '' ? key : `${path}.${key}`);
    }
  };
  visit(value, '');
  return leaves;
}

function textOf(leaf: unknown): string {
  if (leaf === null) return 'none';
  if (typeof leaf === 'boolean') return leaf ? 'yes' : 'no';
  return String(leaf);
}
