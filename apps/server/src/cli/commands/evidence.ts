import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '@roundhouse/service';
import { Command } from 'commander';
import * as z from 'zod';
import { stopWith } from '../../base/reason.ts';
import { writeEvidence } from '../../lab/evidence/evidencePack.ts';
import type { Results } from '../../lab/evidence/requirements.ts';
import { locateGames } from '../../rounds/games/locateGame.ts';
import type { Database } from '../../store/database/database.ts';
import { findServerVersion } from '../../store/database/databaseHome.ts';
import { findStartedNodes } from '../../watch/audit/startedNodes.ts';
import { addDatabaseChoice, addTo, gamesOption } from '../options/options.ts';
import { addServeOptions } from '../options/serveOptions.ts';
import { settingsOf } from '../options/settings.ts';
import { type DatabaseChoice, databaseUrl, environmentOf, withDatabase } from '../options/withDatabase.ts';

const resultsSchema = z.object({
  at: z.iso.datetime(),
  tests: z.record(z.string(), z.enum(['passed', 'failed', 'not run'])),
});

type Options = DatabaseChoice & { out: string; games?: string; results?: string; sbom?: string; report: string[] };

export function evidenceCommand(): Command {
  return addDatabaseChoice(
    new Command('evidence')
      .description(
        'Writes a new folder with an index: versions, settings without secrets, figures and hashes of the games, the tables of requirements with test results, ' +
          'and, of a database, the settings of its nodes and the proof of its books. Each report is what its own command prints. Exit code 1 when one of them found something wrong.',
      )
      .requiredOption('--out <folder>', 'folder to write, new or empty')
      .addOption(gamesOption())
      .option('--results <file>', 'what `npm run test:all -- --results <file>` has written')
      .option('--sbom <file>', 'a bill of materials to add')
      .option(
        '--report <file>',
        'what a proof has printed, such as `npm run proof -- chaos`, to add; repeatable',
        addTo,
        [],
      ),
  ).action(evidence);
}

async function evidence({ out, games, results: resultsFile, sbom, report, ...choice }: Options): Promise<void> {
  if (games === undefined) throw new StartError('No games: set ROUNDHOUSE_GAMES, or name a folder with --games.');
  const found = await locateGames(games).catch(() => []);
  if (found.length === 0) throw new StartError(`There is no game in ${games}.`);
  const results = resultsFile === undefined ? undefined : await readResults(resultsFile);
  const bill = sbom === undefined ? undefined : await readText(sbom);
  const reports = new Map<string, string>();
  for (const file of report) {
    const name = path.basename(file);
    if (reports.has(name)) throw new StartError(`Two reports have the name ${name}.`);
    reports.set(name, await readText(file));
  }
  const database = await databaseUrl(choice).catch((error: unknown) => {
    if (error instanceof StartError) return undefined;
    throw error;
  });
  await makeEmptyFolder(out);
  const failed = await writeEvidence({
    out,
    games,
    results,
    sbom: bill,
    reports,
    env: environmentOf({ database, data: choice.data }),
    serve: serveOf(database),
    database: database === undefined ? undefined : await withDatabase({ ...choice, database }, factsOf),
  });
  for (const { group, title, issue } of failed) console.log(`${group}: ${title}: ${issue}`);
  console.log(`Open ${path.join(out, 'index.html')}.`);
  if (failed.length > 0) process.exitCode = 1;
}

/** Returns the settings that `serve` would have here. */
function serveOf(database: string | undefined) {
  const serve = addServeOptions(new Command('serve')).parse([], { from: 'user' });
  return { settings: settingsOf(serve, database), hasManifest: serve.opts().manifest !== undefined };
}

async function factsOf(db: Database) {
  return { nodes: await findStartedNodes(db), version: await findServerVersion(db) };
}

async function makeEmptyFolder(folder: string): Promise<void> {
  const refuse = stopWith(`The folder ${folder} cannot be written`);
  await mkdir(folder, { recursive: true }).catch(refuse);
  const names = await readdir(folder).catch(refuse);
  if (names && names.length > 0) throw new StartError(`${folder} is not empty. Name a new folder.`);
}

async function readResults(file: string): Promise<Results> {
  try {
    return resultsSchema.parse(JSON.parse(await readText(file)));
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${file} is not what \`npm run test:all -- --results <file>\` writes.`);
  }
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(stopWith(`${file} cannot be read`));
}
