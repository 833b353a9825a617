import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGGREGATOR_NAMES } from '@roundhouse/dialects';
import { Command, Option } from 'commander';
import { addConsoleOptions } from '../options/consoleOptions.ts';
import { currenciesOption } from '../options/currencies.ts';
import {
  addTo,
  databaseOption,
  dataOption,
  hostOption,
  logLevelOption,
  MAX_PORT,
  parsePageUrl,
  portOption,
  wholeNumber,
} from '../options/options.ts';
import type { DevOptions } from './dev.ts';

/** `dev` serves this small edition of the demo slot when no folder is named. */
const DEMO_SLOT = fileURLToPath(new URL('../../../pages/demo-slot', import.meta.url));
/** No dialect retries for less than a day. */
const MOST_PARK_SECONDS = 86_400;

export function devCommand(): Command {
  const command = new Command('dev')
    .description(
      'Serves published math or games on this machine: an embedded PostgreSQL that is kept between starts (or the server of DATABASE_URL), ' +
        'a test player with a launch URL, and requests that force results and faults.\n\nA folder is a set of published files (index.json, lookup tables, books), ' +
        'a game of the math tool (library/publish_files), a game folder (game.json, math/, frontend/), or a folder of these. Without one the demo slot is served.',
    )
    .argument('[folder...]', 'games to serve')
    .addOption(portOption())
    .addOption(hostOption())
    .addOption(dataOption())
    .addOption(databaseOption())
    .addOption(currenciesOption())
    .option('--fresh', 'empty the data folder first: no players, no rounds', false)
    .option('--https', 'launch games by https; the port serves http and https in any case', false)
    .option('--watch', 'serve a new version when published files or game.json change', false)
    .option(
      '--frontend <url>',
      'page of launch URLs when another server has it, for example http://localhost:5173 of Vite',
      parsePageUrl,
    )
    .addOption(
      new Option(
        '--allow-host <name>',
        'name by which browsers reach this server, beside localhost and addresses; may be repeated; .example.com: all below it, too',
      )
        .argParser(addTo)
        .default([], 'none'),
    )
    .addOption(
      new Option(
        '--dialect <name>',
        'also play an aggregator: a simulator with a lobby, and an operator of that name with its wallet',
      ).choices(AGGREGATOR_NAMES),
    )
    .addOption(
      new Option('--dialect-port <number>', 'port of the simulator; 0 takes a free one')
        .argParser(wholeNumber({ least: 0, most: MAX_PORT }))
        .default(4100),
    )
    .addOption(
      new Option(
        '--strict <server>',
        'respond to games as this server does where Roundhouse is more generous; docs/parity.md lists the differences',
      ).choices(['engine']),
    )
    .addOption(
      new Option(
        '--park-after <seconds>',
        'to try out parking: a credit or rollback that the wallet has not accepted by then is parked at its next attempt (default: the 24 or 72 hours of the dialect)',
      ).argParser(wholeNumber({ least: 0, most: MOST_PARK_SECONDS, unit: ' of seconds' })),
    )
    .addOption(logLevelOption('warn'))
    .addOption(
      new Option('--default-games <folders>', 'for npm start: what to serve without a folder, separated as in PATH')
        .argParser((folders: string) => folders.split(path.delimiter))
        .default([DEMO_SLOT])
        .hideHelp(),
    )
    .addOption(new Option('--join-operator <code>', 'for npm start: the operator that its parent runs').hideHelp())
    .addOption(new Option('--report-to-parent', 'for the Vite plugin: sends it DevMessages').default(false).hideHelp())
    .addOption(new Option('--or-next-port', 'for the Vite plugin: a free port after it').default(false).hideHelp())
    .addOption(
      new Option('--port-set-by <how>', 'for templates and the Vite plugin: named when in use')
        .default('--port')
        .hideHelp(),
    )
    .addOption(new Option('--or-next-data', 'for the Vite plugin: a folder beside it').default(false).hideHelp());
  return addConsoleOptions(command, { byDefault: "the server's plus two" }).action(
    // The server takes three times as long to load as the options.
    async (folders: string[], options: DevOptions) => (await import('./dev.ts')).dev(folders, options, command),
  );
}
