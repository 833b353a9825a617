export type Listed = { playerID: string; currency: string };
/** `issue` says what is wrong with the first line that cannot be read. */
export type PlayerList = { players: readonly Listed[]; issue: string | undefined };

/**
 * Reads a pasted list: one player per line, with a currency after a comma, semicolon or tab if the
 * campaign has several. A player who appears twice in one currency counts once.
 */
export function readPlayers(text: string, currencies: readonly string[]): PlayerList {
  const found = new Map<string, Listed>();
  const [only] = currencies.length === 1 ? currencies : [];
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [player = '', named = ''] = line.split(/[,;\t]/).map((part) => part.trim());
    const currency = named === '' ? only : named.toUpperCase();
    const issue = issueOf(player, { currency, currencies });
    if (issue !== undefined) return { players: [], issue: `Line ${place + 1}: ${issue}` };
    found.set(JSON.stringify([player, currency]), { playerID: player, currency: currency as string });
  }
  return { players: [...found.values()], issue: undefined };
}

type Wanted = { currency: string | undefined; currencies: readonly string[] };

function issueOf(player: string, { currency, currencies }: Wanted): string | undefined {
  if (player === '') return 'the player is missing';
  if (currency === undefined) return `name a currency after the player: ${currencies.join(' or ')}`;
  if (!currencies.includes(currency)) return `the campaign has no bet in ${currency}`;
  return undefined;
}

/** Splits a list. A request succeeds or fails as a whole, and its size has a limit. */
export function inParts<Item>(items: readonly Item[], most: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, part) =>
    items.slice(part * most, (part + 1) * most),
  );
}

/** Counts the players of each currency. */
export function countByCurrency(players: readonly Listed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { currency } of players) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return counts;
}
