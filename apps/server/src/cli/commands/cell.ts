import { readFile } from 'node:fs/promises';
import { cellOfName, type Fleet, fleetOf } from '@roundhouse/fleet';
import { StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError, Option } from 'commander';
import { stopWith } from '../../base/reason.ts';
import { visible } from '../../base/terminal/visible.ts';
import type { OpenCell } from '../../cells/checkCells.ts';
import { forgetMoves } from '../../cells/forgetMoves.ts';
import { type MoveProgress, type MoveRun, movePlayers, undoMoves } from '../../cells/movePlayers.ts';
import { countMoves, listMoves } from '../../store/cells/cellMoves.ts';
import type { Database } from '../../store/database/database.ts';
import { addFleetChoice, cellsOfFile } from '../options/cellOptions.ts';
import { type OpenCells, withCells } from '../options/overCells.ts';

type FleetChoice = { fleet: string; actor?: string };

type MoveOptions = FleetChoice & {
  from: string;
  to: string;
  players?: string;
  wait: number;
  complete?: true;
  back?: true;
};

const DEFAULT_WAIT_MS = 600_000;
/** Several players move at a time. */
const CONNECTIONS = 10;
const MS_BETWEEN_LINES = 2_000;

export function cellCommand(): Command {
  return new Command('cell')
    .description(
      'Moves players from one cell of a fleet to another, with all that belongs to them. A page of the documentation, "Moving players to another cell", says what happens step by step.',
    )
    .addCommand(moveCommand())
    .addCommand(statusCommand())
    .addCommand(forgetCommand());
}

function moveCommand(): Command {
  return addFleetChoice(
    new Command('move')
      .summary('move players to another cell')
      .description(
        'Closes each player for new rounds, waits until its rounds have ended and its wallet transactions are settled, copies its rows with proof, and switches it over: from then on the other cell serves it. ' +
          'Safe to stop and to run again: it goes on where it was. Exit code 1 when players stay where they are.',
      )
      .argument('<operator>', 'operator of the players')
      .argument('[player]', "the operator's name for one player; all that are in the cell when left out")
      .requiredOption('--from <cell>', 'cell that has the players')
      .requiredOption('--to <cell>', 'cell that takes them')
      .option('--players <file>', 'file with the names of the players to move, one a line')
      .addOption(
        new Option(
          '--wait <time>',
          'longest wait for the rounds and wallet transactions of a player, who then stays: "30s", "10m"',
        )
          .argParser(parseWait)
          .default(DEFAULT_WAIT_MS, '10m'),
      )
      .option('--complete', 'complete open rounds at once, as the server does with rounds that players have left')
      .option('--back', 'undo unfinished moves of players that have not left their cell yet'),
  ).action(move);
}

async function move(operatorCode: string, player: string | undefined, options: MoveOptions): Promise<void> {
  const { from, to, players, wait, complete, back } = options;
  if (player !== undefined && players !== undefined) throw new StartError('Give a player or --players, not both.');
  const externalIDs = player !== undefined ? [player] : players && (await readPlayers(players));
  if (from === to) throw new StartError('--from and --to are two cells.');
  await inCells(options, [from, to], async (fleet, cells) => {
    const [source, target] = [openCell(fleet, cells, from), openCell(fleet, cells, to)];
    const stop = new AbortController();
    const end = () => stop.abort();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
    const run: MoveRun = {
      source,
      target,
      operatorCode,
      fleet,
      ...(externalIDs && { externalIDs }),
      waitMs: wait,
      completes: complete === true,
      signal: stop.signal,
      onProgress: progressLines(),
    };
    try {
      await (back ? undo(run) : moveAll(run));
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
    }
  });
}

async function moveAll(run: MoveRun): Promise<void> {
  const { moved, left } = await movePlayers(run);
  for (const { externalID, why } of left) console.log(`${visible(externalID)} stays: ${visible(why)}`);
  console.log(`${moved} players moved from ${run.source.cell.name} to ${run.target.cell.name}, ${left.length} stay.`);
  if (left.length > 0) process.exitCode = 1;
}

async function undo(run: MoveRun): Promise<void> {
  const { opened, switched } = await undoMoves(run);
  for (const externalID of switched)
    console.log(`${visible(externalID)} has left ${run.source.cell.name}: run the move again without --back`);
  console.log(`${opened} players stay in ${run.source.cell.name} and may play again.`);
  if (switched.length > 0) process.exitCode = 1;
}

function statusCommand(): Command {
  return addFleetChoice(
    new Command('status')
      .summary('show moves of players')
      .description(
        'Counts moves by cell, operator and state, and lists the players of unfinished ones. Exit code 1 when there are any.',
      ),
  ).action(async (options: FleetChoice) => {
    await inCells(options, undefined, async (_, cells) => {
      const results = await cells.each(findMovesOf);
      for (const each of results) {
        const lines = each.ok ? [...each.value.counts, ...each.value.unfinished] : [each.why];
        for (const line of lines) console.log(`${each.cell}  ${line}`);
      }
      if (results.some((each) => !each.ok || each.value.unfinished.length > 0)) process.exitCode = 1;
    });
  });
}

/** Returns the lines of a cell: the counts of its moves, and each player of an unfinished one. */
async function findMovesOf(db: Database): Promise<{ counts: string[]; unfinished: string[] }> {
  const counts = await countMoves(db);
  const unfinished: string[] = [];
  for (const operatorCode of new Set(counts.map(({ operator }) => operator))) {
    const moves = await listMoves(db, { operatorCode, states: ['closed', 'staged', 'switched'] });
    for (const { externalID, state, source, target } of moves) {
      unfinished.push(
        `${operatorCode}  player ${visible(externalID)}: ${state}, from cell ${source} to cell ${target}`,
      );
    }
  }
  return { counts: counts.map(({ operator, state, moves }) => `${operator}  ${state}  ${moves}`), unfinished };
}

function forgetCommand(): Command {
  return addFleetChoice(
    new Command('forget')
      .summary('delete what a cell keeps of players that have moved')
      .description(
        'Deletes the rows that a cell has kept of players in other cells, after their cells have shown the same proof of the rows. It cannot be undone.',
      )
      .argument('<operator>', 'operator of the players')
      .requiredOption('--from <cell>', 'cell that the players have left'),
  ).action(async (operatorCode: string, { from, ...options }: FleetChoice & { from: string }) => {
    await inCells(options, undefined, async (fleet, cells) => {
      const source = openCell(fleet, cells, from);
      const { players, rows } = await forgetMoves(source, { fleet, operatorCode, databaseOf: cells.databaseOf });
      console.log(`${rows} rows of ${players} players are forgotten in ${from}.`);
    });
  });
}

/** Opens the databases of these cells, or of all. */
async function inCells(
  options: FleetChoice,
  names: readonly string[] | undefined,
  work: (fleet: Fleet, cells: OpenCells) => Promise<void>,
): Promise<void> {
  const chosen = cellsOfFile(options.fleet, names);
  await withCells(chosen, { ...options, connections: CONNECTIONS }, (cells) => work(fleetOf(chosen.fleet), cells));
}

/** @throws StartError when the cell is away, or its database is another one's */
function openCell(fleet: Fleet, cells: OpenCells, name: string): OpenCell {
  const cell = cellOfName(fleet, name);
  if (cell === undefined) throw new StartError(`The fleet has no cell ${name}.`);
  return { cell, db: cells.databaseOf(name) };
}

async function readPlayers(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(stopWith(`The players cannot be read from ${file}`));
  const names = text.split(/\r?\n/).filter((line) => line !== '');
  if (names.length === 0) throw new StartError(`${file} names no player.`);
  return [...new Set(names)];
}

function parseWait(text: string): number {
  const [, number, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) throw new InvalidArgumentError('A time like "30s", "10m" or "2h".');
  return Number(number) * { s: 1_000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h'];
}

/** The report goes to the standard output; this goes beside it. */
function progressLines(): (progress: MoveProgress) => void {
  let lastAtMs = performance.now();
  return ({ moved, left, players }) => {
    if (performance.now() - lastAtMs < MS_BETWEEN_LINES) return;
    lastAtMs = performance.now();
    console.error(`${moved} of ${players} players moved, ${left} stay`);
  };
}
