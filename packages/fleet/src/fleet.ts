import { operatorCodeSchema } from '@roundhouse/contract/admin';
import * as z from 'zod';
import { MAX_CELL_NUMBER } from './cellIds.ts';

const MAX_VERSION = 2 ** 31 - 1;
const MAX_CELLS = 256;

const cellNumberSchema = z.int().min(1).max(MAX_CELL_NUMBER);
const cellNameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'is 1 to 32 of a-z, 0-9 and "-"');
const urlSchema = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

const cellSchema = z.strictObject({
  name: cellNameSchema,
  /** Ids of new rows have the last number; the earlier ones are those of its older rows. */
  numbers: z.array(cellNumberSchema).min(1).max(64),
  /** The launch router sends requests to this address. */
  url: urlSchema,
});

const placementSchema = z.strictObject({
  /**
   * These operators have players in the cells; left out: every operator that no placement before
   * names.
   */
  operators: z.array(operatorCodeSchema).min(1).optional(),
  /** The names of cells that take new players. */
  cells: z.array(cellNameSchema).min(1).max(MAX_CELLS),
  /** This cell takes launches without a playerID, and sessionIDs that nothing launched. */
  home: cellNameSchema.optional(),
});

/**
 * What every part of a fleet knows about it. Placements are in the order of time: the last one of
 * an operator takes its new players, and the earlier ones say where older players are.
 */
export const fleetSchema = z.strictObject({
  version: z.int().min(1).max(MAX_VERSION),
  cells: z.array(cellSchema).min(1).max(MAX_CELLS),
  placements: z.array(placementSchema).min(1),
});

/**
 * A cell has the address of its database in the fleet file only, and `env:NAME` names a variable.
 */
export const fleetFileSchema = fleetSchema.extend({
  cells: z
    .array(
      cellSchema.extend({
        databaseUrl: z.string().min(1),
        /** `roundhouse status` sends requests to these nodes; left out: the url of the cell. */
        nodes: z.array(urlSchema).min(1).optional(),
      }),
    )
    .min(1)
    .max(MAX_CELLS),
});

export type Fleet = z.infer<typeof fleetSchema>;
export type Cell = Fleet['cells'][number];
export type FleetFile = z.infer<typeof fleetFileSchema>;

/** The fleet file is wrong: each line names the file, the line and what is wrong. */
export class FleetFileError extends Error {
  override name = 'FleetFileError';
}

/** An issue names a place in the fleet file: the keys and positions on the way to it. */
export type FleetIssue = { path: readonly PropertyKey[]; message: string };

/** A cell keeps its first number for ever: the number identifies the cell. */
export function idOf({ numbers }: Pick<Cell, 'numbers'>): number {
  return numbers[0] as number;
}

/** Returns the cell that has this number, or had it. */
export function cellOfNumber(fleet: Fleet, number: number): Cell | undefined {
  return fleet.cells.find(({ numbers }) => numbers.includes(number));
}

export function cellOfName(fleet: Fleet, name: string): Cell | undefined {
  return fleet.cells.find((cell) => cell.name === name);
}

/** Returns the fleet without what only the file has. */
export function fleetOf({ version, cells, placements }: FleetFile): Fleet {
  return { version, cells: cells.map(({ name, numbers, url }) => ({ name, numbers, url })), placements };
}

/**
 * Finds what the schema cannot say: names and numbers that occur twice, and cells that do not
 * exist.
 */
export function findFleetIssues({ cells, placements }: Fleet): FleetIssue[] {
  const issues: FleetIssue[] = [];
  const owners = new Map<number, string>();
  for (const [at, { name, numbers, url }] of cells.entries()) {
    const path = ['cells', at];
    if (cells.findIndex((cell) => cell.name === name) < at) {
      issues.push({ path: [...path, 'name'], message: `cell ${name} is listed twice` });
    }
    const there = cells.findIndex((cell) => cell.url === url);
    if (there < at) {
      issues.push({ path: [...path, 'url'], message: `${url} is the address of cell ${cells[there]?.name} already` });
    }
    for (const [place, number] of numbers.entries()) {
      const owner = owners.get(number);
      if (owner !== undefined) {
        issues.push({
          path: [...path, 'numbers', place],
          message: `number ${number} is that of cell ${owner} already`,
        });
      } else if (number <= (numbers[place - 1] ?? 0)) {
        issues.push({ path: [...path, 'numbers', place], message: `number ${number} is not above the one before it` });
      }
      owners.set(number, owner ?? name);
    }
  }
  const names = new Set(cells.map(({ name }) => name));
  for (const [at, placement] of placements.entries()) {
    const path = ['placements', at];
    for (const [place, name] of placement.cells.entries()) {
      if (!names.has(name)) issues.push({ path: [...path, 'cells', place], message: `there is no cell ${name}` });
      else if (placement.cells.indexOf(name) < place) {
        issues.push({ path: [...path, 'cells', place], message: `cell ${name} is listed twice` });
      }
    }
    if (placement.home !== undefined && !placement.cells.includes(placement.home)) {
      issues.push({
        path: [...path, 'home'],
        message: `cell ${placement.home} is not one of the cells of this placement`,
      });
    }
  }
  return issues;
}

/**
 * Finds why a fleet must not follow another one: players are found by all earlier placements, so
 * those and the numbers of cells stay.
 */
export function findSuccessionIssues(before: Fleet, after: Fleet): FleetIssue[] {
  const issues: FleetIssue[] = [];
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  if (!isSame && after.version <= before.version) {
    issues.push({
      path: ['version'],
      message: `the cells have version ${before.version}, so a change has a higher one`,
    });
  }
  for (const old of before.cells) {
    const at = after.cells.findIndex((cell) => idOf(cell) === idOf(old));
    const now = after.cells[at];
    if (now === undefined) {
      issues.push({ path: ['cells'], message: `cell ${old.name} with number ${idOf(old)} is missing` });
    } else if (old.numbers.some((number, place) => now.numbers[place] !== number)) {
      issues.push({
        path: ['cells', at, 'numbers'],
        message: `cell ${old.name} has the numbers ${old.numbers.join(', ')}: new ones stand behind them`,
      });
    }
  }
  const idsOf = (fleet: Fleet, { operators, cells }: Fleet['placements'][number]) =>
    JSON.stringify([operators, cells.map((name) => idOf(cellOfName(fleet, name) ?? { numbers: [0] }))]);
  for (const [at, old] of before.placements.entries()) {
    const now = after.placements[at];
    if (now === undefined || idsOf(before, old) !== idsOf(after, now)) {
      issues.push({ path: ['placements', at], message: 'an earlier placement has changed: add new ones at the end' });
    }
  }
  return issues;
}
