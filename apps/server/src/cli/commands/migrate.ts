import { type FleetFile, fleetOf } from '@roundhouse/fleet';
import { StartError } from '@roundhouse/service';
import { Command } from 'commander';
import { type CellRow, cellTable } from '../../base/terminal/cellTable.ts';
import { requireCell, requireSuccession, settleCell } from '../../store/cells/settleCell.ts';
import { type BeforeMigrate, lookBeforeMigrate } from '../../store/database/beforeMigrate.ts';
import { explain } from '../../store/database/explain.ts';
import { type MigrateResult, migrate } from '../../store/database/migrate.ts';
import { addCellOptions, type CellsChoice, chosenOf, type Many, type NamedDatabase } from '../options/cellOptions.ts';
import { type CellResult, readOf, resultsOf } from '../options/overCells.ts';
import { databaseUrl, personActor } from '../options/withDatabase.ts';

export function migrateCommand(): Command {
  return addCellOptions(
    new Command('migrate').description(
      'Applies the migrations that the database lacks, each in one transaction, then the functions and views that have changed, ' +
        'all in one transaction, so that `serve` needs no right to create anything. ' +
        'With --fleet it looks at all cells first, migrates each, and then stores the fleet in each. ' +
        'Safe to run again, and from several places at once.',
    ),
  ).action(async (choice: CellsChoice) => {
    const chosen = chosenOf(choice);
    if (chosen.kind === 'many') return migrateMany(chosen, personActor(choice.actor));
    if (chosen.ofFleet !== undefined) await requireStoredFleet(chosen.ofFleet);
    const result = await migrate({ url: await databaseUrl(chosen.choice) });
    for (const line of linesOf(result)) console.log(line);
    if (linesOf(result).length === 0) console.log('The database is up to date.');
  });
}

function linesOf({ applied, dropped }: MigrateResult): string[] {
  return [...applied.map((name) => `applied ${name}`), ...dropped.map((name) => `dropped ${name}`)];
}

/** A change of the fleet is for all cells: one that has it alone refuses the players of others. */
async function requireStoredFleet({ cell, fleet }: { cell: FleetFile['cells'][number]; fleet: FleetFile }) {
  const { stored } = await lookBeforeMigrate(cell.databaseUrl);
  if (stored !== undefined) requireSuccession(stored, { fleet: fleetOf(fleet), cell });
  if (stored?.fleetVersion !== fleet.version) {
    const has = stored === undefined ? 'no fleet yet' : `version ${stored.fleetVersion} of the fleet`;
    throw new StartError(
      `Cell ${cell.name} has ${has}, the file has version ${fleet.version}: migrate all cells together, without --cell.`,
    );
  }
}

/** Changes nothing before every database has shown that it can be changed. */
async function migrateMany({ databases, fleet }: Many, actor: string): Promise<void> {
  const looked = await resultsOf(databases, async ({ url, cell }) => {
    const before = await lookBeforeMigrate(url);
    if (fleet !== undefined && cell !== undefined && before.stored !== undefined) {
      requireSuccession(before.stored, { fleet: fleetOf(fleet), cell });
    }
    return before;
  });
  refuseUnless(looked, 'Nothing was changed.');
  refuseSamePlace(looked);

  const applied = new Map<string, number>();
  for (const { name, url } of databases) {
    const lines = linesOf(await inCell(name, () => migrate({ url })));
    for (const line of lines) console.log(`${name}: ${line}`);
    applied.set(name, lines.length);
  }
  const stored = fleet === undefined ? undefined : await settleAll({ databases, fleet, actor });
  const rows = databases.map(({ name, cell }): CellRow => {
    const count = applied.get(name) ?? 0;
    const ofFleet = cell === undefined ? [] : [stored?.get(name) ?? '', `${cell.numbers.at(-1)}`];
    return { cell: name, values: [count === 0 ? 'up to date' : `migrated`, ...ofFleet] };
  });
  console.log(cellTable(['cell', 'database', ...(fleet ? ['fleet', 'number of new ids'] : [])], rows));
}

type Settling = { databases: readonly NamedDatabase[]; fleet: FleetFile; actor: string };

/** Returns what became of the fleet in each cell. */
async function settleAll({ databases, fleet: file, actor }: Settling): Promise<Map<string, string>> {
  const fleet = fleetOf(file);
  const cellsOf = databases.flatMap(({ name, url, cell }) => (cell ? [{ name, url, cell }] : []));
  const checked = await resultsOf(cellsOf, ({ url, cell }) => requireCell({ url, fleet, cell }));
  refuseUnless(checked, 'The databases are migrated. The fleet was stored in none: run it again.');
  const stored = new Map<string, string>();
  for (const { name, url, cell } of cellsOf) {
    const { isStored } = await inCell(name, () => settleCell({ url, fleet, cell, actor }));
    stored.set(name, `version ${fleet.version}${isStored ? ', stored now' : ''}`);
  }
  return stored;
}

/** Prints what every cell says, and ends the command, unless all are well. */
function refuseUnless(results: readonly CellResult<unknown>[], outcome: string): void {
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  const rows = results.map((each): CellRow => (each.ok ? { cell: each.cell, values: ['ready'] } : each));
  console.log(cellTable(['cell', 'database'], rows));
  throw new StartError(`${failed.map(({ cell }) => cell).join(', ')} cannot be migrated. ${outcome}`);
}

/** Two addresses of one database would give it the numbers of two cells. */
function refuseSamePlace(looked: readonly CellResult<BeforeMigrate>[]): void {
  const all = readOf(looked);
  for (const [at, { cell, value }] of all.entries()) {
    const same = all.slice(0, at).find((each) => value.place !== null && each.value.place === value.place);
    if (same !== undefined) {
      throw new StartError(`${same.cell} and ${cell} are one database: name it once. Nothing was changed.`);
    }
  }
}

/** Cells that come later stay as they are: the command is run again. */
async function inCell<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw new StartError(`${name}: ${explain(error)}\nThe cells before it are done: run it again.`);
  }
}
