import { type FleetFile, idOf } from '@roundhouse/fleet';
import { NO_LIMITS, StartError } from '@roundhouse/service';
import { counted } from '../../base/terminal/units.ts';
import { findCell } from '../../store/cells/cell.ts';
import { countUnfinishedMoves, type UnfinishedMoves } from '../../store/cells/unfinishedMoves.ts';
import { type Database, databaseClock, openDatabase } from '../../store/database/database.ts';
import { type DatabaseIdentity, findIdentity, isSameDatabase } from '../../store/database/databaseHome.ts';
import { explain } from '../../store/database/explain.ts';
import { pendingMigrations } from '../../store/database/migrate.ts';
import { secretsKeyOfEnvironment } from '../../store/database/secretKeys.ts';
import { type CellsChoice, chosenOf, type Many, type NamedDatabase, shellWord } from './cellOptions.ts';
import { personActor, withDatabase } from './withDatabase.ts';

/** What a command has read in one cell, or why it has not. */
export type CellResult<Value> = { cell: string } & ({ ok: true; value: Value } | { ok: false; why: string });

export type OpenCells = {
  names: readonly string[];
  /**
   * Does this in every cell, several at the same time, and returns one result for each, in their
   * order. A cell that is away stays away: it also fails in every later call.
   */
  each<Value>(work: (db: Database, cell: string) => Promise<Value>): Promise<CellResult<Value>[]>;
  /** @throws StartError that says why this cell is not open */
  databaseOf(cell: string): Database;
  /** Says in a line each which players were between two cells since the cells were opened. */
  findMoves(): Promise<string[]>;
};

/** What a sum over cells is called: one that lacks something does not look whole. */
export type Sum = { name: string; isWhole: boolean };

/** The number of databases that are read at the same time: a result is kept until all are there. */
const CELLS_AT_ONCE = 8;

type Over<Value> = {
  /** Reads one database. It prints nothing. */
  read: (db: Database) => Promise<Value>;
  /** Prints what the command has read in its only database. */
  one: (value: Value) => void | Promise<void>;
  /**
   * Prints what the command has read in each cell, and the sum. It may read more in the open cells.
   */
  many: (results: CellResult<Value>[], sum: Sum, cells: OpenCells) => void | Promise<void>;
};

/**
 * Reads one database, or several ones. With several the exit code is 1 when the sum is not whole.
 */
export async function overCells<Value>(choice: CellsChoice, { read, one, many }: Over<Value>): Promise<void> {
  const chosen = chosenOf(choice);
  if (chosen.kind === 'one') return one(await withDatabase(chosen.choice, read));
  await withCells(chosen, choice, async (cells) => {
    const results = await cells.each(read);
    await many(results, sumOf(results, await cells.findMoves()), cells);
  });
}

/** No cell has a name with a space. A sum that is not whole sets the exit code, and says why. */
export function sumOf(results: readonly CellResult<unknown>[], moves: readonly string[]): Sum {
  for (const move of moves) console.error(move);
  const read = results.filter(({ ok }) => ok).length;
  const isAll = read === results.length;
  const isWhole = isAll && moves.length === 0;
  if (!isWhole) process.exitCode = 1;
  return {
    name: isWhole ? 'all cells' : isAll ? 'all cells amid moves' : `${read} of ${results.length} cells`,
    isWhole,
  };
}

/** Returns what was read, with the names of the cells. */
export function readOf<Value>(results: readonly CellResult<Value>[]): { cell: string; value: Value }[] {
  return results.flatMap((each) => (each.ok ? [each] : []));
}

/** The connections with which a command reads in one cell: few are enough. */
const CONNECTIONS = 2;

type Opened = NamedDatabase & { db: Database; identity: DatabaseIdentity; openedAt: Date };

/**
 * Opens all databases for a command. One that is away, or is not that of its cell, fails alone.
 * @throws StartError when two addresses lead to one database: its rows would count twice
 */
export async function withCells<Value>(
  { databases, fleet }: Many,
  { actor, fleet: file, connections = CONNECTIONS }: Pick<CellsChoice, 'actor' | 'fleet'> & { connections?: number },
  work: (cells: OpenCells) => Promise<Value>,
): Promise<Value> {
  const opening = new Opening({ actor, fleet, file, connections });
  try {
    const opened = await resultsOf(databases, (each) => opening.open(each));
    refuseSameDatabase(opened.flatMap((each) => (each.ok ? [each.value] : [])));
    const failures = new Map(opened.flatMap((each) => (each.ok ? [] : [[each.cell, each.why] as const])));
    return await work({
      names: databases.map(({ name }) => name),
      async each(read) {
        const results = await resultsOf(databases, async ({ name }) => {
          const before = failures.get(name);
          if (before !== undefined) throw new StartError(before);
          return read(opening.databaseOf(name), name);
        });
        for (const each of results) if (!each.ok) failures.set(each.cell, each.why);
        return results;
      },
      databaseOf(cell) {
        const why = failures.get(cell);
        if (why !== undefined) throw new StartError(`${cell}: ${why}`);
        return opening.databaseOf(cell);
      },
      async findMoves() {
        const readable = readOf(opened).filter(({ cell }) => !failures.has(cell));
        const found = await resultsOf(
          readable.map(({ value }) => value),
          ({ db, openedAt }) => countUnfinishedMoves(db, openedAt),
        );
        return [...new Set(readOf(found).flatMap(({ value }) => value.map((each) => moveText(each, fleet))))];
      },
    });
  } finally {
    await opening.close();
  }
}

/** Both cells of a move may say it. */
function moveText({ operator, source, target, players }: UnfinishedMoves, fleet: FleetFile | undefined): string {
  const who = `${counted(players, 'player')} of ${operator}`;
  return `${who} ${players === 1 ? 'moves' : 'move'} from ${cellText(source, fleet)} to ${cellText(target, fleet)}: a sum may lack rows, or count them twice.`;
}

function cellText(number: number, fleet: FleetFile | undefined): string {
  return fleet?.cells.find((cell) => idOf(cell) === number)?.name ?? `cell ${number}`;
}

type OpeningOptions = {
  actor: string | undefined;
  fleet: FleetFile | undefined;
  file: string | undefined;
  connections: number;
};

class Opening {
  readonly #options: OpeningOptions;
  readonly #databases = new Map<string, Database>();

  constructor(options: OpeningOptions) {
    this.#options = options;
  }

  /** @throws what says why this is not an open database of its cell */
  async open(place: NamedDatabase): Promise<Opened> {
    const { name, url, cell } = place;
    const [first, ...more] = await pendingMigrations(url);
    if (first !== undefined) {
      const others = more.length > 0 ? ` and ${more.length} more` : '';
      throw new StartError(`The database lacks ${first}${others}: run \`${this.#migrate(place)}\`.`);
    }
    const secretsKey = secretsKeyOfEnvironment();
    const { actor, connections } = this.#options;
    const db = openDatabase({
      url,
      connections,
      limits: NO_LIMITS,
      actor: personActor(actor),
      ...(secretsKey !== undefined && { secretsKey }),
    });
    this.#databases.set(name, db);
    if (cell !== undefined) await this.#requireMember(db, place, cell);
    return { ...place, db, identity: await findIdentity(db), openedAt: await databaseClock(db) };
  }

  /** A database under another cell's name would give its numbers to that one. */
  async #requireMember(db: Database, place: NamedDatabase, cell: FleetFile['cells'][number]): Promise<void> {
    const stored = await findCell(db.pool);
    const migrate = `run \`${this.#migrate(place)}\``;
    if (stored === undefined) throw new StartError(`The database belongs to no fleet yet: ${migrate}.`);
    if (stored.numbers[0] !== idOf(cell)) {
      throw new StartError(
        `The database is that of the cell with number ${stored.numbers[0]}, and ${cell.name} has number ${idOf(cell)}.`,
      );
    }
    const version = this.#options.fleet?.version ?? 0;
    if (stored.fleetVersion < version) {
      throw new StartError(
        `The database has version ${stored.fleetVersion} of the fleet, the file has ${version}: ${migrate}.`,
      );
    }
    if (stored.fleetVersion > version) {
      throw new StartError(
        `The database has version ${stored.fleetVersion} of the fleet, the file has ${version}: use the newer file.`,
      );
    }
  }

  #migrate({ cell }: NamedDatabase): string {
    const { file } = this.#options;
    return cell === undefined || file === undefined
      ? 'roundhouse migrate'
      : `roundhouse migrate --fleet ${shellWord(file)}`;
  }

  databaseOf(name: string): Database {
    const db = this.#databases.get(name);
    if (db === undefined) throw new Error(`${name} is not open`);
    return db;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#databases.values()].map((db) => db.$disconnect()));
  }
}

/** @throws StartError when two of the databases are one */
export function refuseSameDatabase(opened: readonly Pick<Opened, 'name' | 'identity'>[]): void {
  for (const [at, { name, identity }] of opened.entries()) {
    const same = opened.slice(0, at).find((each) => isSurelySame(each.identity, identity));
    if (same !== undefined) throw new StartError(`${same.name} and ${name} are one database: name it once.`);
  }
}

/** New clusters number their databases alike: what may be the same is not yet the same. */
function isSurelySame(a: DatabaseIdentity, b: DatabaseIdentity): boolean {
  const isCertain = (name: 'systemIdentifier' | 'lineage') => a[name] !== null && a[name] === b[name];
  return isSameDatabase(a, b) && (isCertain('systemIdentifier') || isCertain('lineage'));
}

/** Does this for all, some at the same time; an error is the result of its cell. */
export async function resultsOf<Named extends { name: string }, Value>(
  databases: readonly Named[],
  work: (database: Named) => Promise<Value>,
): Promise<CellResult<Value>[]> {
  const results: CellResult<Value>[] = [];
  const waiting = databases.entries();
  const worker = async () => {
    // The workers share the iterator, so each takes the next database.
    for (const [at, database] of waiting) results[at] = await resultOf(database, work);
  };
  await Promise.all(Array.from({ length: CELLS_AT_ONCE }, worker));
  return results;
}

async function resultOf<Named extends { name: string }, Value>(
  database: Named,
  work: (database: Named) => Promise<Value>,
): Promise<CellResult<Value>> {
  const { name: cell } = database;
  try {
    return { cell, ok: true, value: await work(database) };
  } catch (error) {
    return { cell, ok: false, why: explain(error) };
  }
}
