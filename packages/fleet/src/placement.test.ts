import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cell, type Fleet, idOf } from './fleet.ts';
import { candidatesOf, cellsOfOperator, homeOf, placementsOf, placeOf } from './placement.ts';

const NAMES = ['c1', 'c2', 'c3', 'c4', 'c5'] as const;
const CELLS: Cell[] = NAMES.map((name, at) => ({ name, numbers: [at + 1], url: `https://${name}` }));

type Placements = Fleet['placements'];

const fleetWith = (placements: Placements, version = 1): Fleet => ({ version, cells: CELLS, placements });
const names = (cells: readonly Cell[]) => cells.map(({ name }) => name);
const players = (count: number) => Array.from({ length: count }, (_, at) => `player-${at}`);

const placement = fc.record(
  {
    operators: fc.subarray(['acme', 'beta'], { minLength: 1 }),
    cells: fc.shuffledSubarray([...NAMES], { minLength: 1 }),
  },
  { requiredKeys: ['cells'] },
);
const placements = fc.array(placement, { minLength: 1, maxLength: 5 });
const playerID = fc.string({ minLength: 1, maxLength: 8 });

describe('placements of an operator', () => {
  const fleet = fleetWith([
    { cells: ['c1'] },
    { operators: ['acme'], cells: ['c2', 'c3'] },
    { cells: ['c4'] },
    { operators: ['acme', 'beta'], cells: ['c5'], home: 'c5' },
  ]);

  it('those for all others count until one names the operator', () => {
    expect(names(cellsOfOperator(fleet, 'acme'))).toEqual(['c1', 'c2', 'c3', 'c5']);
    expect(names(cellsOfOperator(fleet, 'beta'))).toEqual(['c1', 'c4', 'c5']);
    expect(names(cellsOfOperator(fleet, 'other'))).toEqual(['c1', 'c4']);
  });

  it('an operator that comes before all others has its own cells only', () => {
    const own = fleetWith([{ operators: ['acme'], cells: ['c2'] }, { cells: ['c1'] }]);
    expect(names(cellsOfOperator(own, 'acme'))).toEqual(['c2']);
    expect(names(cellsOfOperator(own, 'beta'))).toEqual(['c1']);
  });

  it('an operator without a placement has no cell, and no player of it is anywhere', () => {
    const own = fleetWith([{ operators: ['acme'], cells: ['c2'] }]);
    expect(cellsOfOperator(own, 'beta')).toEqual([]);
    expect(homeOf(own, 'beta')).toBeUndefined();
    const player = { operator: 'beta', playerID: 'anna' };
    expect(candidatesOf(own, player)).toEqual([]);
    expect(placeOf(own, player, { here: 1, isKnown: false, movedTo: null, asked: [] })).toEqual({ kind: 'nowhere' });
  });

  it('the home is that of the last placement, or the only cell', () => {
    expect(homeOf(fleet, 'acme')?.name).toBe('c5');
    expect(homeOf(fleet, 'other')).toBeUndefined();
    expect(homeOf(fleetWith([{ cells: ['c3'] }]), 'acme')?.name).toBe('c3');
  });
});

describe('candidates', () => {
  it('one more cell changes the last candidate only, of a share of players', () => {
    const before = fleetWith([{ cells: ['c1', 'c2', 'c3'] }]);
    const after = fleetWith([...before.placements, { cells: ['c1', 'c2', 'c3', 'c4'] }], 2);
    let added = 0;
    for (const each of players(4_000)) {
      const player = { operator: 'acme', playerID: each };
      const [old] = names(candidatesOf(before, player));
      const now = names(candidatesOf(after, player));
      if (now.length === 1) expect(now).toEqual([old]);
      else {
        expect(now).toEqual([old, 'c4']);
        added += 1;
      }
    }
    expect(added / 4_000).toBeGreaterThan(0.23);
    expect(added / 4_000).toBeLessThan(0.27);
  });

  it('a placement more leaves the candidates of before, and puts its own one last', () => {
    fc.assert(
      fc.property(placements, placement, playerID, (earlier, added, name) => {
        const player = { operator: 'acme', playerID: name };
        const after = fleetWith([...earlier, added], 2);
        // An operator that was not named before, and is now, keeps the placements for all others.
        if (placementsOf(after, 'acme').at(-1) !== added) return;
        const before = names(candidatesOf(fleetWith(earlier), player));
        const now = names(candidatesOf(after, player));
        expect(added.cells).toContain(now.at(-1));
        expect(now.slice(0, -1)).toEqual(before.filter((each) => each !== now.at(-1)));
      }),
    );
  });

  it('players are spread evenly', () => {
    const fleet = fleetWith([{ cells: [...NAMES] }]);
    for (const operator of ['acme', 'beta']) {
      const counts = new Map<string, number>();
      for (const each of players(20_000)) {
        const [owner] = names(candidatesOf(fleet, { operator, playerID: each }));
        counts.set(owner as string, (counts.get(owner as string) ?? 0) + 1);
      }
      for (const count of counts.values()) expect(Math.abs(count / 4_000 - 1)).toBeLessThan(0.05);
      expect(counts.size).toBe(5);
    }
  });

  it('neither the order of cells nor another name of a cell moves a player', () => {
    const fleet = fleetWith([{ cells: [...NAMES] }]);
    const other: Fleet = {
      ...fleet,
      cells: CELLS.map((cell) => ({ ...cell, name: `new-${cell.name}`, numbers: [...cell.numbers, 900] })),
      placements: [{ cells: NAMES.map((name) => `new-${name}`).reverse() }],
    };
    for (const each of players(500)) {
      const player = { operator: 'acme', playerID: each };
      expect(candidatesOf(other, player).map(idOf)).toEqual(candidatesOf(fleet, player).map(idOf));
    }
  });
});

describe('the place of a player', () => {
  const player = { operator: 'acme', playerID: 'anna' };
  const fleet = fleetWith([{ cells: ['c1'] }, { cells: ['c2'] }, { cells: ['c3'] }]);
  const unknown = { isKnown: false, movedTo: null };
  const cellOf = (name: string) => ({ kind: 'cell', cell: CELLS.find((cell) => cell.name === name) });

  it('is the cell that has it, whatever the placements say', () => {
    for (const here of [1, 5]) {
      expect(placeOf(fleet, player, { here, isKnown: true, movedTo: null, asked: [] })).toEqual({ kind: 'here' });
    }
  });

  it('is the cell that it has moved to', () => {
    expect(placeOf(fleet, player, { here: 1, isKnown: true, movedTo: 4, asked: [] })).toEqual(cellOf('c4'));
    expect(placeOf(fleet, player, { here: 1, isKnown: true, movedTo: 99, asked: [] })).toEqual({ kind: 'nowhere' });
  });

  it('is looked for from the oldest to the newest cell, and the newest one creates it', () => {
    expect(placeOf(fleet, player, { ...unknown, here: 1, asked: [] })).toEqual(cellOf('c2'));
    expect(placeOf(fleet, player, { ...unknown, here: 2, asked: [1] })).toEqual(cellOf('c3'));
    expect(placeOf(fleet, player, { ...unknown, here: 3, asked: [1] })).toEqual(cellOf('c2'));
    expect(placeOf(fleet, player, { ...unknown, here: 3, asked: [1, 2] })).toEqual({ kind: 'here' });
  });

  it('no other cell creates it, even when all have had the request', () => {
    for (const here of [1, 2, 4, 5]) {
      expect(placeOf(fleet, player, { ...unknown, here, asked: [1, 2, 3, 4, 5] })).toEqual(cellOf('c3'));
    }
  });

  it('a router that follows the cells creates it, in as many requests as there are candidates', () => {
    fc.assert(
      fc.property(placements, playerID, (all, name) => {
        const own = { operator: 'acme', playerID: name };
        const whole = fleetWith(all);
        const candidates = candidatesOf(whole, own);
        let [at] = candidates;
        const asked: number[] = [];
        while (at !== undefined) {
          const place = placeOf(whole, own, { ...unknown, here: idOf(at), asked });
          if (place.kind === 'here') break;
          asked.push(idOf(at));
          expect(asked.length).toBeLessThan(candidates.length);
          at = place.kind === 'cell' ? place.cell : undefined;
        }
        expect(at).toEqual(candidates.at(-1));
      }),
    );
  });
});

/**
 * Cells get the versions of a fleet at different times, their nodes hold earlier ones, and requests
 * go from cell to cell in any order. A node creates a player when the database has its version
 * still.
 */
describe('at most one cell creates a player', () => {
  type Asked = { cell: number; version: number };
  type Step =
    | { kind: 'store'; cell: number; version: number }
    | { kind: 'read'; cell: number }
    | { kind: 'ask'; request: number; cell: number }
    | { kind: 'create'; request: number };

  const cell = fc.integer({ min: 1, max: NAMES.length });
  const request = fc.integer({ min: 0, max: 3 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('store'), cell, version: fc.integer({ min: 1, max: 6 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('read'), cell }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('ask'), request, cell }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('create'), request }) },
  );
  const history = fc.record({ all: placements, steps: fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }) });

  /** Returns the cells that have the player in the end. */
  function simulate(
    { all, steps }: { all: Placements; steps: Step[] },
    counts: (asked: Asked, own: number) => boolean,
  ) {
    const player = { operator: 'acme', playerID: 'anna' };
    const versions = all.map((_, at) => fleetWith(all.slice(0, at + 1), at + 1));
    const stored = new Map(CELLS.map((each) => [idOf(each), 1]));
    const read = new Map(stored);
    const known = new Set<number>();
    const asked = new Map<number, Asked[]>();
    const decided = new Map<number, { cell: number; version: number }>();
    for (const each of steps) {
      if (each.kind === 'store') {
        const version = Math.min(each.version, versions.length);
        stored.set(each.cell, Math.max(stored.get(each.cell) as number, version));
      } else if (each.kind === 'read') read.set(each.cell, stored.get(each.cell) as number);
      else if (each.kind === 'ask') {
        const version = read.get(each.cell) as number;
        const before = asked.get(each.request) ?? [];
        const place = placeOf(versions[version - 1] as Fleet, player, {
          here: each.cell,
          isKnown: known.has(each.cell),
          movedTo: null,
          asked: before.filter((other) => counts(other, version)).map((other) => other.cell),
        });
        if (place.kind === 'here') decided.set(each.request, { cell: each.cell, version });
        else asked.set(each.request, [...before, { cell: each.cell, version }]);
      } else {
        const decision = decided.get(each.request);
        if (decision !== undefined && stored.get(decision.cell) === decision.version) known.add(decision.cell);
        decided.delete(each.request);
      }
    }
    return known;
  }

  const refusedByThisVersion = (other: Asked, own: number) => other.version >= own;

  it('in every order of versions and requests', () => {
    let created = 0;
    fc.assert(
      fc.property(history, (each) => {
        const { size } = simulate(each, refusedByThisVersion);
        created += size;
        expect(size).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2_000 },
    );
    // Otherwise the simulation would show nothing.
    expect(created).toBeGreaterThan(300);
  });

  it('the simulation finds two, when refusals by an earlier version count', () => {
    // c2 refuses by version 2, by which it creates the player a moment later: c1 has refused by
    // version 3. By version 3, c3 creates it.
    const all = [{ cells: ['c1'] }, { cells: ['c2'] }, { cells: ['c3'] }];
    const steps: Step[] = [
      { kind: 'store', cell: 1, version: 3 },
      { kind: 'store', cell: 2, version: 2 },
      { kind: 'store', cell: 3, version: 3 },
      ...[1, 2, 3].map((each): Step => ({ kind: 'read', cell: each })),
      ...[2, 1, 3].map((each): Step => ({ kind: 'ask', request: 0, cell: each })),
      { kind: 'create', request: 0 },
      ...[1, 2].map((each): Step => ({ kind: 'ask', request: 1, cell: each })),
      { kind: 'create', request: 1 },
    ];
    expect([...simulate({ all, steps }, () => true)]).toEqual([3, 2]);
    expect([...simulate({ all, steps }, refusedByThisVersion)]).toEqual([2]);
  });
});
