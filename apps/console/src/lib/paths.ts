export type PlayerKey = { operator: string; playerID: string };

/** Returns the path of a player's page. A name may contain any character. */
export function playerPath(operator: string, playerID: string): string {
  return `/players/${encodeURIComponent(operator)}/${encodeURIComponent(playerID)}`;
}
