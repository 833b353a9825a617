/** What cells may say differently of one game version. */
type Dates = { publishedAt: Date; withdrawnAt: Date | null; isWithdrawn: boolean };

/**
 * Returns what holds over both cells: the version is there from the first moment on, and withdrawn
 * when both have withdrawn it, from the last of these moments on.
 */
export function datesOfBoth(a: Dates, b: Dates): Dates {
  const isWithdrawn = a.withdrawnAt !== null && b.withdrawnAt !== null;
  return {
    publishedAt: new Date(Math.min(Number(a.publishedAt), Number(b.publishedAt))),
    withdrawnAt: isWithdrawn ? new Date(Math.max(Number(a.withdrawnAt), Number(b.withdrawnAt))) : null,
    isWithdrawn: a.isWithdrawn && b.isWithdrawn,
  };
}

type Version = { gameID: string; version: string; publishedAt: Date; mode: string; currency: string };

/** One database has this order: of games, versions from the oldest on, modes and currencies. */
export function orderOf(all: readonly Version[]): (a: Version, b: Version) => number {
  const since = new Map<string, number>();
  const key = ({ gameID, version }: Version) => `${gameID}/${version}`;
  for (const each of all) {
    const known = since.get(key(each)) ?? Number.POSITIVE_INFINITY;
    since.set(key(each), Math.min(known, Number(each.publishedAt)));
  }
  return (a, b) =>
    compareTexts(a.gameID, b.gameID) ||
    (since.get(key(a)) ?? 0) - (since.get(key(b)) ?? 0) ||
    compareTexts(a.version, b.version) ||
    compareTexts(a.mode, b.mode) ||
    compareTexts(a.currency, b.currency);
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
