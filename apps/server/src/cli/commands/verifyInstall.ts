import path from 'node:path';
import { StartError } from '@roundhouse/service';
import { Command } from 'commander';
import { type InstallReport, isElement, sumInstall, verifyInstall } from '../../lab/install/installReport.ts';
import { hashOfAll, readManifest, writeManifest } from '../../lab/install/manifest.ts';
import { askNodes, placeOfThis } from '../../lab/install/watchInstall.ts';
import { requireMigrated } from '../../store/database/startChecks.ts';
import { addDatabaseChoice, addTo, gamesOption, manifestKeyOption, manifestOption } from '../options/options.ts';
import { type DatabaseChoice, databaseUrl } from '../options/withDatabase.ts';

type Options = DatabaseChoice & {
  manifest?: string;
  publicKey?: string;
  games?: string;
  write?: string;
  include: string[];
  includeDatabase: boolean;
  sign?: string;
  json: boolean;
  askNodes: boolean;
};

const BYTES_OF_A_MEGABYTE = 1_000_000;
const MS_PER_SECOND = 1_000;

export function verifyInstallCommand(): Command {
  const command = new Command('verify-install')
    .description(
      'Compares the SHA-256 of each file of the server, of its dependencies, of Node and of the games with a manifest, and names each that is ' +
        'changed, missing or extra. So with files of the operating system and elements of the database, where the manifest has them. Exit code 0 when all are as in the manifest, else 1.',
    )
    .addOption(manifestOption())
    .addOption(manifestKeyOption('--public-key <file>'))
    .addOption(gamesOption())
    .option('--write <file>', 'write a manifest of what is installed instead')
    .option('--include <path>', 'with --write: a file or folder of the operating system, too; repeatable', addTo, [])
    .option('--include-database', 'with --write: the functions, triggers, constraints … of --database, too', false)
    .option('--sign <file>', 'with --write: a private Ed25519 key in PEM; its signature is <manifest>.sig')
    .option('--json', 'print the result as JSON', false)
    .option('--ask-nodes', 'also make the nodes that run on --data check themselves now', false);
  return addDatabaseChoice(command).action(run);
}

async function run(options: Options): Promise<void> {
  const { manifest, publicKey, write, sign } = options;
  if (write !== undefined) return writeNew(options, write);
  if (sign !== undefined) throw new StartError('--sign signs the manifest that --write writes.');
  if (options.include.length > 0 || options.includeDatabase)
    throw new StartError('--include and --include-database say what --write writes into the manifest.');
  if (manifest === undefined) throw new StartError('No manifest: name it with --manifest, or make one with --write.');
  if (options.askNodes) await askNodes(path.resolve(options.data));
  const expected = await readManifest({ manifest, publicKey });
  const database = [...expected.keys()].some(isElement) ? await databaseUrl(options) : undefined;
  const report = await verifyInstall({ ...placeOfThis(options.games), database }, expected);
  if (!report.ok) process.exitCode = 1;
  const signature = publicKey === undefined ? 'not checked' : 'valid';
  process.stdout.write(
    options.json ? `${JSON.stringify({ signature, ...report }, null, 2)}\n` : `${textOf(report, signature)}\n`,
  );
}

async function writeNew(options: Options, file: string): Promise<void> {
  const { games, include, sign, json } = options;
  const database = options.includeDatabase ? await databaseUrl(options) : undefined;
  if (database !== undefined) await requireMigrated(database);
  const { sums, bytes } = await sumInstall({ ...placeOfThis(games), included: include, database });
  await writeManifest(sums, { file, ...(sign !== undefined && { privateKey: sign }) });
  const elements = [...sums.keys()].filter(isElement).length;
  const amounts = { files: sums.size - elements, elements, bytes };
  const written = { manifest: file, sha256: hashOfAll(sums), ...amounts, signed: sign !== undefined };
  const signed = sign === undefined ? 'not signed' : `signed in ${file}.sig`;
  const text = `Wrote ${file}: ${amountOf(written)}, SHA-256 ${written.sha256}, ${signed}.`;
  process.stdout.write(`${json ? JSON.stringify(written, null, 2) : text}\n`);
}

function textOf(report: InstallReport, signature: string): string {
  const { ok, changed, missing, extra, unreadable, expected, found, durationMs } = report;
  const lines = [
    ...changed.map((name) => `changed     ${name}`),
    ...missing.map((name) => `missing     ${name}`),
    ...extra.map((name) => `extra       ${name}`),
    ...Object.entries(unreadable).map(([name, why]) => `unreadable  ${JSON.stringify(name)}: ${why}`),
  ];
  const took = `${amountOf(report)} in ${(durationMs / MS_PER_SECOND).toFixed(1)} s; signature ${signature}`;
  const outcome = ok
    ? `The installation matches its manifest (SHA-256 ${expected}): ${took}.`
    : `The installation does not match its manifest: ${lines.length} differences, SHA-256 ${found} instead of ${expected}; ${took}.`;
  return [...lines, outcome].join('\n');
}

function amountOf({ files, elements, bytes }: Pick<InstallReport, 'files' | 'elements' | 'bytes'>): string {
  const ofDatabase = elements === 0 ? '' : ` and ${elements} elements of the database`;
  return `${files} files, ${Math.round(bytes / BYTES_OF_A_MEGABYTE)} MB${ofDatabase}`;
}
