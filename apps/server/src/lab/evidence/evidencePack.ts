import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { VerifyReport } from '@roundhouse/math';
import { csvLines } from '../../base/terminal/csvLines.ts';
import { type GameFile, readGameFile } from '../../rounds/games/gameFile.ts';
import { locateGame, locateGames } from '../../rounds/games/locateGame.ts';
import { type EvidenceOptions, indexOf, type Part } from './indexPage.ts';
import { pageOf } from './page.ts';
import { type Requirements, requirementsCsv, requirementsPage } from './requirements.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/roundhouse.js', import.meta.url));
const PACKAGE_FILE = new URL('../../../package.json', import.meta.url);
/** The build copies them from docs/. */
const DOCUMENTS_FOLDER = fileURLToPath(new URL('../../../pages/evidence', import.meta.url));
const MOST_BYTES = 1_000_000_000;

/** A command prints the file; with `writes` it writes the file itself. */
type Report = Pick<Part, 'group' | 'title' | 'file' | 'what'> & {
  args: string[];
  writes?: boolean;
  foundIn?: (printed: string) => string;
};

const OF_DATABASE: readonly Report[] = [
  {
    group: 'Money and events',
    title: 'Proof of the books',
    file: 'books-balance.txt',
    what: 'Each balance is recomputed from its transfers, each transfer from its round.',
    args: ['books-balance'],
  },
  {
    group: 'Games',
    title: 'Versions of games: status and dates',
    file: 'game-versions.json',
    what: 'When each version came into use and was withdrawn.',
    args: ['game', 'list', '--json'],
  },
  {
    group: 'Games',
    title: 'Theoretical and actual RTP',
    file: 'rtp.csv',
    what: 'Amounts in micros: 1,000,000 is one unit of the currency. RTP as a fraction of 1. A sound game is between `low` and `high`.',
    args: ['rtp', '--csv'],
  },
  {
    group: 'Games',
    title: 'Performance of the games',
    file: 'report.txt',
    what: 'Since the first round, for each operator, game version, mode and currency, in units of the currency.',
    args: ['report', '--period', 'life'],
  },
  {
    group: 'What runs',
    title: 'Operators, their limits and settings',
    file: 'operators.txt',
    what: 'A secret is shown by digits only, by which one tells it from the others; their number is shown.',
    args: ['operator', 'list'],
  },
  {
    group: 'Money and events',
    title: 'Proof of the log of significant events',
    file: 'audit-verify.txt',
    what: 'The hash of each event is recomputed.',
    args: ['audit', 'verify'],
  },
  {
    group: 'Money and events',
    title: 'Significant events',
    file: 'audit.jsonl',
    what: 'A line of JSON for each event; the last line is the head of the chain.',
    args: ['audit', 'export'],
  },
];

/** Writes the pack, and returns the parts that found an issue. The index comes last. */
export async function writeEvidence(options: EvidenceOptions): Promise<Part[]> {
  const { out, results, sbom, reports, database } = options;
  const requirements = await readRequirements();
  const { parts, add, report } = startPack(options);
  const { version } = JSON.parse(await readFile(PACKAGE_FILE, 'utf8')) as { version: string };
  const group = 'Requirements';
  const withResults = 'each clause, its status, and the results of its tests';
  await add(
    { group, title: `Requirements: ${withResults}`, file: 'requirements.html' },
    requirementsPage(requirements, results),
  );
  const csv = requirementsCsv(requirements, results);
  await add({ group, title: 'The same for a spreadsheet', file: 'requirements.csv' }, csv);
  await addWhatRuns(options, { add, report, version });
  await addGames(options, { add, report });
  for (const each of database === undefined ? [] : OF_DATABASE) await report(each);
  if (sbom !== undefined) {
    const what = 'CycloneDX: each dependency with version, license and hash.';
    await add({ group: 'What runs', title: 'Bill of materials', file: 'sbom.json', what }, sbom);
  }
  if (reports.size > 0) await mkdir(path.join(out, 'reports'));
  for (const [name, content] of reports)
    await add({ group: 'Reports of proofs', title: name, file: `reports/${name}` }, content);
  parts.push(...(await copyDocuments(out)));
  await writeFile(path.join(out, 'index.html'), indexOf(parts, { version, requirements, ...options }));
  await writeFile(path.join(out, 'SHA256SUMS'), await sumsOf(out));
  return parts.filter(({ issue }) => issue !== undefined);
}

type Pack = ReturnType<typeof startPack>;

async function addWhatRuns(
  options: EvidenceOptions,
  { add, report, version }: Omit<Pack, 'parts'> & { version: string },
): Promise<void> {
  const { out, games, database, serve } = options;
  const group = 'What runs';
  await add(
    { group, title: 'Versions', file: 'versions.json', what: 'Of the machine on which this folder was written.' },
    jsonOf(versions(version, options)),
  );
  const ofNodes = 'What `roundhouse serve` has recorded at each start, with all settings and where each comes from.';
  if (database !== undefined)
    await add({ group, title: 'Nodes with their settings', file: 'nodes.json', what: ofNodes }, jsonOf(database.nodes));
  const ofCommand = 'What `roundhouse serve` takes from the environment in which this folder was written.';
  const settings = { group, title: 'Settings of this environment', file: 'settings.json', what: ofCommand } as const;
  await add(settings, jsonOf(serve.settings));
  const install = ['verify-install', '--games', games];
  const ofDatabase = database === undefined ? [] : ['--include-database'];
  await report({
    group,
    title: 'SHA-256 of what is installed',
    file: 'manifest.json',
    what: 'Files of the server, its dependencies, Node and the games, and elements of the database where one was given.',
    args: [...install, ...ofDatabase, '--write', path.join(out, 'manifest.json')],
    writes: true,
  });
  if (!serve.hasManifest) return;
  const what = 'Compared with the manifest that `ROUNDHOUSE_MANIFEST` names.';
  await report({
    group,
    title: 'Comparison with the signed manifest',
    file: 'verify-install.txt',
    what,
    args: install,
  });
}

async function addGames({ games }: EvidenceOptions, { add, report }: Omit<Pack, 'parts'>): Promise<void> {
  const group = 'Games';
  const what = 'What certification asks for; probabilities and RTP as fractions of 1, wins in base bets.';
  const args = ['verify', '--json', games];
  const title = 'Checks, figures and hashes';
  const verified = verifiedIn(await report({ group, title, file: 'games.json', what, args, foundIn: countGames }));
  const folders = await locateGames(games);
  const named = await Promise.all(
    folders.map(async (folder, index) => ({ ...verified[index], ...(await nameOf(folder)) })),
  );
  const ofPar =
    'RTP and hit rate as fractions of 1; maximum win in base bets; variance and deviation of the payout divided by what the bet costs.';
  await add({ group, title: 'PAR figures of each mode', file: 'par.csv', what: ofPar }, parCsv(named));
  const settings = named.map(({ folder, settings: own }) => ({ folder, ...own }));
  const ofGame = '`game.json` of each game: bet limits in micros, modes, jurisdiction.';
  await add({ group, title: 'Settings of each game', file: 'game-settings.json', what: ofGame }, jsonOf(settings));
}

function verifiedIn(printed: string): Verified[] {
  return printed === '' ? [] : [JSON.parse(printed)].flat();
}

function countGames(printed: string): string {
  const verified = verifiedIn(printed);
  const sound = verified.filter((each) => each.ok);
  const modes = sound.reduce((sum, each) => sum + each.modes.length, 0);
  const warnings = sound.reduce((sum, each) => sum + each.warnings.length, 0);
  return `Games: ${verified.length}, sound: ${sound.length}, modes: ${modes}, warnings: ${warnings}.`;
}

async function readRequirements(): Promise<Requirements> {
  return (await import(pathToFileURL(path.join(DOCUMENTS_FOLDER, 'requirements.mjs')).href)) as Requirements;
}

function startPack(options: EvidenceOptions) {
  const { out } = options;
  const parts: Part[] = [];
  const add = async (part: Part, content: string | Uint8Array) => {
    await writeFile(path.join(out, part.file), content);
    parts.push(part);
  };
  const report = async ({ args, writes = false, foundIn = onlyLine, ...part }: Report) => {
    const { text, issue } = await runCommand(args, options);
    const command = ['roundhouse', ...args].join(' ');
    if (!writes || issue !== undefined) await writeFile(path.join(out, part.file), text);
    parts.push({ ...part, command, found: foundIn(text), ...(issue !== undefined && { issue }) });
    return text;
  };
  return { parts, add, report };
}

/** A proof prints one line, and a list many. */
const onlyLine = (printed: string) => (/^[^,\n]*[ ][^\n]*\n$/.test(printed) ? printed.trim() : '');

/**
 * Returns what the command prints. It runs in a separate process, so the pack has what anybody gets
 * who runs the command. The address of the database is in the environment, where other users cannot
 * read it.
 */
function runCommand(args: string[], { env }: EvidenceOptions) {
  return new Promise<{ text: string; issue: string | undefined }>((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { env, maxBuffer: MOST_BYTES }, (error, text, stderr) => {
      const why = `exit code ${error?.code}. ${stderr.trim().split('\n').at(-1)}`.trim();
      resolve({ text, issue: error === null ? undefined : why });
    });
  });
}

function versions(roundhouse: string, { database }: EvidenceOptions) {
  const { node, v8, openssl } = process.versions;
  const postgresql = database?.version;
  const system = `${os.type()} ${os.release()}, ${os.version()}`;
  return { roundhouse, node, v8, openssl, postgresql, host: os.hostname(), system, architecture: process.arch };
}

type Verified = ({ ok: true } & VerifyReport) | { ok: false };
type Named = (Verified | { ok?: undefined }) & { folder: string; settings: GameFile | undefined; name: string };

/** Reads the id and settings of game.json, when the folder has one. */
async function nameOf(folder: string): Promise<Pick<Named, 'folder' | 'settings' | 'name'>> {
  const found = await locateGame(folder);
  const gameFile = found?.gameFile === undefined ? undefined : await readGameFile(found.gameFile);
  const settings = gameFile?.ok ? gameFile.value : undefined;
  return { folder, settings, name: settings?.id ?? found?.folderName ?? folder };
}

function parCsv(games: readonly Named[]): string {
  const head = [
    'game',
    'version',
    'mode',
    'cost',
    'RTP',
    'hit rate',
    'variance',
    'standard deviation',
    'maximum win',
    'maximum win: one in',
    'books',
    'total weight',
    'SHA-256 of the weights',
    'SHA-256 of the books',
  ];
  const rows = games.flatMap((game) => {
    if (!game.ok) return [];
    return game.modes.map((mode) => [
      game.name,
      game.settings?.version ?? '',
      mode.name,
      mode.cost,
      mode.rtp,
      mode.hitRate,
      mode.standardDeviation ** 2,
      mode.standardDeviation,
      mode.maxWin,
      mode.maxWinOneIn,
      mode.books,
      mode.totalWeight,
      mode.files.table.sha256,
      mode.files.books.sha256,
    ]);
  });
  return csvLines([head, ...rows]);
}

/** Copies the documents to documents/, with their headings as titles. */
async function copyDocuments(out: string): Promise<Part[]> {
  const names = (await readdir(DOCUMENTS_FOLDER)).filter((name) => name.endsWith('.html')).sort();
  await mkdir(path.join(out, 'documents'));
  return Promise.all(
    names.map(async (name) => {
      const body = await readFile(path.join(DOCUMENTS_FOLDER, name), 'utf8');
      const title = /<h1[^>]*>([^<]*)/.exec(body)?.[1] ?? name;
      await writeFile(
        path.join(out, 'documents', name),
        pageOf(title, `<p><a href="../index.html">Evidence</a></p>\n${body}`),
      );
      return { group: 'Documents', title, file: `documents/${name}` };
    }),
  );
}

/** Returns a text that `sha256sum --check SHA256SUMS` can read. */
async function sumsOf(out: string): Promise<string> {
  const names = await readdir(out, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
  const lines = files.sort().map(async (file) => {
    const sum = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    return `${sum}  ${path.relative(out, file).replaceAll(path.sep, '/')}\n`;
  });
  return (await Promise.all(lines)).join('');
}

const jsonOf = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
