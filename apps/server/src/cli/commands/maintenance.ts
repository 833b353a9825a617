import { StartError } from '@roundhouse/service';
import { Argument, Command, Option } from 'commander';
import { changeMaintenance, type MaintenanceKey, shapeIssue } from '../../operators/settings/changeMaintenance.ts';
import { modeKey } from '../../rounds/games/catalogue.ts';
import { listMaintenance, type MaintenanceScope } from '../../store/rounds/maintenance.ts';
import { addDatabaseOptions, parseReason } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

const LEVELS = { 'no-new-rounds': 'no_new_rounds', 'nothing-at-all': 'nothing_at_all' } as const;

export function maintenanceCommand(): Command {
  return new Command('maintenance')
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
        await change(options, { ...key, level: LEVELS[options.level], reason: options.reason });
        console.log(`Maintenance of ${nameOf(key)} is on: ${options.level}.`);
      },
    );
}

function offCommand(): Command {
  return scopedCommand('off', 'switch it off').action(
    async (scope: MaintenanceScope, target: string | undefined, options: ScopeOptions) => {
      const key = keyOf(scope, target, options);
      const wasOn = await change(options, { ...key, level: null, reason: options.reason });
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
      .option('--mode <mode>', 'new rounds in this mode of the game alone', modeKey)
      .option('--reason <text>', 'why, for the log of significant events', parseReason),
  );
}

type ScopeOptions = DatabaseChoice & { gameVersion?: string; mode?: string; reason?: string };

function keyOf(scope: MaintenanceScope, target = '', { gameVersion, mode }: ScopeOptions): MaintenanceKey {
  return { scope, target, version: gameVersion ?? '', mode: mode ?? '' };
}

/** Returns whether the switch was on. */
async function change(choice: DatabaseChoice, wanted: Parameters<typeof changeMaintenance>[1]): Promise<boolean> {
  const issue = shapeIssue(wanted, wanted.level);
  if (issue !== undefined) throw new StartError(issue.text);
  const outcome = await withDatabase(choice, (db) => changeMaintenance(db, wanted));
  if (outcome.ok) return outcome.wasOn;
  const { text, why } = outcome.issue;
  const hint = why === 'disabled' ? ` Run \`roundhouse operator enable ${wanted.target}\` first.` : '';
  throw new StartError(text + hint);
}

function nameOf({ scope, target, version, mode }: MaintenanceKey): string {
  if (scope === 'server') return 'the server';
  const ofVersion = version === '' ? '' : ` ${version}`;
  return `${scope} ${target}${ofVersion}${mode === '' ? '' : `, mode ${mode}`}`;
}
