import { StartError } from '@roundhouse/service';
import { Argument, Command, Option } from 'commander';
import { modeKey } from '../../games/catalogue.ts';
import type { Database } from '../../ledger/database.ts';
import { listPublishedVersions } from '../../ledger/queries/games.ts';
import {
  listMaintenance,
  type MaintenanceScope,
  type SwitchKey,
  switchMaintenanceOff,
  switchMaintenanceOn,
} from '../../ledger/queries/maintenance.ts';
import { listOperators } from '../../ledger/queries/operators.ts';
import { addDatabaseOptions } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

const LEVELS = { 'no-new-rounds': 'no_new_rounds', 'nothing-at-all': 'nothing_at_all' } as const;

export function maintenanceCommand(): Command {
  return new Command('maintenance')
    .summary('switch maintenance on or off')
    .description(
      'Takes effect on every server node at once, without a restart. Players get ERR_MAINTENANCE, in fun mode within a second.',
    )
    .addCommand(onCommand())
    .addCommand(offCommand())
    .addCommand(listCommand());
}

function onCommand(): Command {
  return scopedCommand('on', 'switch it on, or change its strength')
    .addOption(
      new Option(
        '--level <strength>',
        'no-new-rounds: rounds may still be finished; nothing-at-all: every request is refused',
      )
        .choices(Object.keys(LEVELS))
        .default('no-new-rounds'),
    )
    .action(
      async (
        scope: MaintenanceScope,
        target: string | undefined,
        options: ScopeOptions & { level: keyof typeof LEVELS },
      ) => {
        const key = keyOf(scope, target, options);
        if (key.mode !== '' && options.level !== 'no-new-rounds')
          throw new StartError('A mode takes no new rounds; it has no other level.');
        await withDatabase(options, async (db) => {
          await requireKnown(db, key);
          await requireEnabled(db, key);
          await switchMaintenanceOn(db, { ...key, level: LEVELS[options.level] });
        });
        console.log(`Maintenance of ${nameOf(key)} is on: ${options.level}.`);
      },
    );
}

function offCommand(): Command {
  return scopedCommand('off', 'switch it off').action(
    async (scope: MaintenanceScope, target: string | undefined, options: ScopeOptions) => {
      const key = keyOf(scope, target, options);
      const wasOn = await withDatabase(options, async (db) => {
        await requireEnabled(db, key);
        return switchMaintenanceOff(db, key);
      });
      console.log(`Maintenance of ${nameOf(key)} ${wasOn ? 'is off' : 'was not on'}.`);
    },
  );
}

function listCommand(): Command {
  return addDatabaseOptions(new Command('list').summary('show the switches that are on')).action(
    async (choice: DatabaseChoice) => {
      const switches = await withDatabase(choice, listMaintenance);
      for (const each of switches)
        console.log(`${nameOf(each)}: ${each.level.replaceAll('_', '-')} since ${each.since.toISOString()}`);
      if (switches.length === 0) console.log('No maintenance.');
    },
  );
}

function scopedCommand(name: string, summary: string): Command {
  const scope = new Argument('<scope>', 'of what').choices(['server', 'operator', 'game']);
  return addDatabaseOptions(
    new Command(name)
      .summary(summary)
      .addArgument(scope)
      .argument('[target]', "operator's code or game's id")
      .option('--game-version <version>', 'this version of the game alone')
      .option('--mode <mode>', 'new rounds in this mode of the game alone', modeKey),
  );
}

type ScopeOptions = DatabaseChoice & { gameVersion?: string; mode?: string };
type Key = Required<SwitchKey>;

function keyOf(scope: MaintenanceScope, target: string | undefined, { gameVersion, mode }: ScopeOptions): Key {
  if (scope !== 'game' && (gameVersion ?? mode) !== undefined)
    throw new StartError('--game-version and --mode are those of a game.');
  return { scope, target: requireTarget(scope, target), version: gameVersion ?? '', mode: mode ?? '' };
}

function requireTarget(scope: MaintenanceScope, target: string | undefined): string {
  if (scope === 'server') {
    if (target !== undefined) throw new StartError('Maintenance of the server takes no target.');
    return '';
  }
  if (target === undefined) throw new StartError(`Which ${scope}? Name its ${scope === 'game' ? 'id' : 'code'}.`);
  return target;
}

/** A switch for a mistyped name would look as if it were on, and refuse nothing. */
async function requireKnown(db: Database, { scope, target, version, mode }: Key) {
  if (scope === 'server') return;
  if (scope === 'operator') {
    const codes = (await listOperators(db)).map(({ code }) => code);
    return requireOneOf(codes, target, `operator ${target}`);
  }
  const published = await listPublishedVersions(db);
  const gameIDs = published.map(({ gameID }) => gameID);
  requireOneOf(gameIDs, target, `game ${target}`);
  const ofGame = published.filter(({ gameID }) => gameID === target);
  const versions = ofGame.map((each) => each.version);
  if (version !== '') requireOneOf(versions, version, `version ${version} of game ${target}`);
  const modes = ofGame.filter((each) => version === '' || each.version === version).flatMap((each) => each.modes);
  if (mode !== '') requireOneOf(modes, mode, `mode ${mode} of game ${target}`);
}

function requireOneOf(known: readonly string[], wanted: string, described: string): void {
  if (known.includes(wanted)) return;
  throw new StartError(`There is no ${described}. Known: ${[...new Set(known)].join(', ') || 'none'}.`);
}

/** The maintenance of a disabled operator is what keeps its players out. */
async function requireEnabled(db: Database, { scope, target }: Key) {
  if (scope !== 'operator') return;
  const operator = (await listOperators(db)).find(({ code }) => code === target);
  if (operator?.isDisabled)
    throw new StartError(`Operator ${target} is disabled. Run \`roundhouse operator enable ${target}\` first.`);
}

function nameOf({ scope, target, version, mode }: Key): string {
  if (scope === 'server') return 'the server';
  const ofVersion = version === '' ? '' : ` ${version}`;
  return `${scope} ${target}${ofVersion}${mode === '' ? '' : `, mode ${mode}`}`;
}
