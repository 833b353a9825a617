import type { FleetFile } from '@roundhouse/fleet';
import { readFleetFile } from '@roundhouse/fleet';
import { StartError } from '@roundhouse/service';
import { type Command, Option } from 'commander';
import { actorOption, addTo, databaseOption, dataOption } from './options.ts';
import { placeOf } from './settings.ts';
import type { DatabaseChoice } from './withDatabase.ts';

/** A command over several databases has these options. */
export type CellsChoice = Omit<DatabaseChoice, 'database'> & { database?: string[]; fleet?: string; cell?: string };

/** A command over several databases names each; `cell` is its part of the fleet file. */
export type NamedDatabase = { name: string; url: string; cell?: FleetFile['cells'][number] };

export type Many = { kind: 'many'; databases: NamedDatabase[]; fleet: FleetFile | undefined };

export type Chosen =
  /** One database: the command works as without a fleet. */
  { kind: 'one'; choice: DatabaseChoice; ofFleet?: { cell: FleetFile['cells'][number]; fleet: FleetFile } } | Many;

/** Adds the options of a command over several databases, and that of its actor. */
export function addCellOptions(command: Command): Command {
  return addCellChoice(command).addOption(actorOption());
}

/** A command over several databases finds them by these options. */
export function addCellChoice(command: Command): Command {
  const database = databaseOption().argParser((text: string, earlier?: string[]) => addTo(text, earlier ?? []));
  database.description += ', repeatable (default: that of `roundhouse dev` on --data)';
  return command
    .addOption(database)
    .addOption(
      new Option('--fleet <file>', 'fleet file: all of its cells, one after the other').env('ROUNDHOUSE_FLEET'),
    )
    .option('--cell <name>', 'this cell of --fleet alone')
    .addOption(dataOption())
    .hook('preAction', (_, action) => settleChoice(action));
}

/** A command works in cells of a fleet, and never in a single database. */
export function addFleetChoice(command: Command): Command {
  return command
    .addOption(
      new Option('--fleet <file>', 'file of the cells: YAML or JSON').env('ROUNDHOUSE_FLEET').makeOptionMandatory(),
    )
    .addOption(actorOption());
}

/** The command line wins over the environment, and of the environment the fleet wins. */
function settleChoice(command: Command): void {
  const from = (name: string) => command.getOptionValueSource(name);
  const has = (name: string) => from(name) !== undefined;
  if (from('database') === 'cli' && from('fleet') === 'cli') {
    command.error("error: option '--database <url>' cannot be used with option '--fleet <file>'");
  }
  if (has('database') && has('fleet')) {
    command.setOptionValue(from('database') === 'cli' ? 'fleet' : 'database', undefined);
  }
  if (has('cell') && command.getOptionValue('fleet') === undefined) {
    command.error("error: option '--cell <name>' names a cell of --fleet");
  }
}

/** @throws FleetFileError, and StartError when the fleet has no such cell */
export function chosenOf({ database = [], fleet: file, cell: name, ...choice }: CellsChoice): Chosen {
  if (file !== undefined) {
    const fleet = readFleetFile(file, process.env);
    if (name === undefined) return { kind: 'many', databases: fleet.cells.map(namedOf), fleet };
    const cell = requireCellOf(fleet, { file, name });
    return { kind: 'one', choice: { ...choice, database: cell.databaseUrl }, ofFleet: { cell, fleet } };
  }
  const [first, ...others] = database;
  if (others.length === 0)
    return { kind: 'one', choice: { ...choice, ...(first !== undefined && { database: first }) } };
  const databases = database.map((url) => ({ name: placeOf(url), url }));
  const twice = databases.find(({ name }, at) => databases.findIndex((each) => each.name === name) < at);
  if (twice !== undefined) throw new StartError(`${twice.name} is named twice.`);
  return { kind: 'many', databases, fleet: undefined };
}

/** Returns these cells of a fleet file, or all. */
export function cellsOfFile(file: string, names: readonly string[] | undefined): Many & { fleet: FleetFile } {
  const fleet = readFleetFile(file, process.env);
  const cells = names?.map((name) => requireCellOf(fleet, { file, name })) ?? fleet.cells;
  return { kind: 'many', databases: cells.map(namedOf), fleet };
}

function requireCellOf(fleet: FleetFile, { file, name }: { file: string; name: string }): FleetFile['cells'][number] {
  const cell = fleet.cells.find((each) => each.name === name);
  if (cell !== undefined) return cell;
  throw new StartError(`${file} has no cell ${name}. It has: ${fleet.cells.map((each) => each.name).join(', ')}.`);
}

function namedOf(cell: FleetFile['cells'][number]): NamedDatabase {
  return { name: cell.name, url: cell.databaseUrl, cell };
}

/** Writes the name of a file as a shell takes it. */
export function shellWord(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
