import { listLivePlayers, listPlayerOperators, livesHere } from '../store/cells/livePlayers.ts';
import type { Database } from '../store/database/database.ts';

/** The database of a cell, with the name of the cell. */
export type NamedCell = { cell: string; db: Database };

/** A player is in one cell. This one is in several: each may take bets of its. */
export type PlayerInSeveral = { operator: string; playerID: string; cells: string[] };

const PLAYERS_A_PAGE = 10_000;

/**
 * Finds players who are in more than one of the cells, for example after a restore to a time before
 * a move. It reads the sorted lists of all cells side by side, so it keeps a page of each.
 */
export async function* playersInSeveral(cells: readonly NamedCell[]): AsyncGenerator<PlayerInSeveral> {
  const operators = new Set((await Promise.all(cells.map(({ db }) => listPlayerOperators(db)))).flat());
  for (const operator of operators) {
    const lists = cells.map((each) => new PlayerList(each, operator));
    for (;;) {
      const heads = await Promise.all(lists.map((list) => list.head()));
      const first = heads.filter((head) => head !== undefined).sort(byBytes)[0];
      if (first === undefined) break;
      const found = lists.filter((_, at) => heads[at] === first);
      for (const list of found) list.drop();
      if (found.length < 2) continue;
      // A player who has moved meanwhile was in one cell after the other.
      const named = await stillHere(found, { operator, playerID: first });
      if (named.length > 1) yield { operator, playerID: first, cells: named };
    }
  }
}

async function stillHere(lists: readonly PlayerList[], player: { operator: string; playerID: string }) {
  const names: string[] = [];
  for (const { db, cell } of lists) if (await livesHere(db, player)) names.push(cell);
  return names;
}

/** Players come in the order of their bytes. */
class PlayerList {
  readonly cell: string;
  readonly db: Database;
  readonly #operator: string;
  #page: string[] = [];
  #at = 0;
  #isOver = false;

  constructor({ cell, db }: NamedCell, operator: string) {
    this.cell = cell;
    this.db = db;
    this.#operator = operator;
  }

  async head(): Promise<string | undefined> {
    if (this.#at === this.#page.length && !this.#isOver) {
      const wanted = { operator: this.#operator, after: this.#page.at(-1), limit: PLAYERS_A_PAGE };
      this.#page = await listLivePlayers(this.db, wanted);
      this.#at = 0;
      this.#isOver = this.#page.length < PLAYERS_A_PAGE;
    }
    return this.#page[this.#at];
  }

  drop(): void {
    this.#at += 1;
  }
}

/** The databases order names by their bytes, JavaScript does not. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
