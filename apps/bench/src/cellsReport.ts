import type { BooksBalance } from '../../server/dist/store/books/booksBalance.js';
import { type Medians, median } from './measureInTurn.ts';
import { type Row, table } from './report.ts';

/**
 * `cells` names those that have load. Their generators run on the same core, or on the other one.
 */
export type Situation = { cells: string; generator: 'same core' | 'other core' };
export type Measured = Situation & Medians;

export type CellsReport = {
  machine: string;
  postgres: string;
  seconds: number;
  rounds: number;
  connections: number;
  measured: readonly Measured[];
  proofs: readonly { rounds: number; imbalances: BooksBalance['imbalances'] }[];
};

export function textOfCells({ measured, proofs, ...run }: CellsReport): string {
  const books = proofs.map(({ rounds, imbalances }, place) => {
    const issues = imbalances.map(({ rule, subject, detail }) => `\n  ${rule}: ${subject}, ${detail}`);
    return `cell ${'ab'[place]}: ${rounds} rounds, ${issues.length === 0 ? 'the books balance' : `NOT BALANCED${issues}`}`;
  });
  return [
    `${run.machine}, PostgreSQL ${run.postgres}: ${run.connections} players at once in each cell, ${run.rounds} × ${run.seconds} s`,
    table('Plays per second, each cell pinned to its core', measured.map(rowOf)),
    table('Two cells on two cores against one on one', comparison(measured)),
    'Computed: plays per second of processor time of the cell, times its cores. It leaves out what the generator and other programs take.',
    checkOfComputed(measured),
    ...books,
  ].join('\n\n');
}

function rowOf(cell: Measured): Row {
  return {
    cells: cell.cells,
    generator: cell.generator,
    'per second': cell.perSecond,
    'p50 ms': cell.p50Ms,
    'p99 ms': cell.p99Ms,
    'server µs': cell.serverMicros,
    'PostgreSQL µs': cell.postgresMicros,
    'generator µs': cell.generatorMicros,
    'others %': cell.othersPercent,
    'idle %': cell.idlePercent,
    computed: computedOf(cell),
  };
}

/** Returns the plays per second of cells that have their whole cores. */
function computedOf({ cells, serverMicros, postgresMicros }: Measured): number | undefined {
  if (serverMicros === undefined || postgresMicros === undefined) return undefined;
  return (cells.split(' and ').length * 1e6) / (serverMicros + postgresMicros);
}

/**
 * One is the mean of cell A alone and cell B alone, with the generator at the same place as with
 * two.
 */
function comparison(measured: readonly Measured[]): Row[] {
  const beside = measured.filter(({ generator }) => generator === 'same core');
  const two = beside.find(({ cells }) => cells.includes(' and '));
  const ones = beside.filter((cell) => cell !== two);
  const row = (figure: string, figureOf: (cell: Measured) => number | undefined) => {
    const one = median(ones.map(figureOf));
    const both = two && figureOf(two);
    return { figure, one, two: both, ratio: one && both && both / one };
  };
  return [
    row('plays per second, generator on the same core', ({ perSecond }) => perSecond),
    row('plays per second, computed for whole cores', computedOf),
    row('PostgreSQL µs a play', ({ postgresMicros }) => postgresMicros),
    row('server µs a play', ({ serverMicros }) => serverMicros),
  ];
}

/** Compares the computed rate of one cell with its measured rate on a separate core. */
function checkOfComputed(measured: readonly Measured[]): string {
  const apart = measured.filter(({ generator }) => generator === 'other core');
  const real = median(apart.map(({ perSecond }) => perSecond)) ?? 0;
  const computed = median(apart.map(computedOf)) ?? 0;
  return `One cell with the generator on the other core: ${Math.round(real)} plays/s, computed ${Math.round(computed)}.`;
}
