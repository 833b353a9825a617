import { constants } from 'node:fs';
import { access, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { reasonOf } from '../../base/reason.ts';
import { locateGame, locateGames, symbolicLinksOf } from '../../rounds/games/locateGame.ts';

/** A check covers these files and elements. */
export type Place = {
  /** The folder of the server's package. */
  packageFolder: string;
  /** The program `node`. */
  nodeFile: string;
  gamesFolder?: string | undefined;
  /** Files of the operating system. */
  included?: readonly string[] | undefined;
  /** Its elements are checked when the address is given. */
  database?: string | undefined;
};

export type Installation = {
  /** The roots are `install`, `node`, `games`, `host`, and one for each included folder. */
  roots: ReadonlyMap<string, string>;
  /** A file has the name `<root>/<path>`. */
  files: ReadonlyMap<string, string>;
  /** Says why something cannot be hashed, by its name. */
  issues: ReadonlyMap<string, string>;
};

/**
 * A manifest has one line for each file, which sha256sum can read. U+FFFD: the name is not UTF-8.
 */
const UNWRITABLE = /[\p{Cc}"\\\uFFFD]/u;
const MODULES = 'node_modules';
const HOST = 'host';
const GAMES = 'games';
/** `serve` refuses such a game, so no manifest has one. */
const LINK_IN_GAME = 'a symbolic link in a game';

type Finding = { roots: Map<string, string>; files: Map<string, string>; issues: Map<string, string> };

/**
 * The files of this folder are checked. With `has`, only the named entries of the folder itself
 * are. Symbolic links must not lead out of it, and a game has none.
 */
type Tree = { root: string; folder: string; has?: (entry: string) => boolean };

/** Finds the files of the server, of its dependencies, of Node and of the games. */
export async function findInstallation(place: Place): Promise<Installation> {
  const { packageFolder, nodeFile, gamesFolder, included = [] } = place;
  const own = await realpath(packageFolder);
  const roots = new Map([
    ['install', await installRoot(own)],
    ['node', path.dirname(nodeFile)],
    [HOST, path.parse(own).root],
  ]);
  const found: Finding = { roots, files: new Map(), issues: new Map() };
  add(found, 'node', nodeFile);
  await addPackages(found, own);
  if (gamesFolder !== undefined) {
    roots.set(GAMES, path.resolve(gamesFolder));
    await addGames(found, path.resolve(gamesFolder));
  }
  for (const each of included) await addIncluded(found, path.resolve(each));
  return found;
}

/** Reads the included folders from the names of a manifest. */
export function includedFolders(names: Iterable<string>): string[] {
  const folders = [...names].flatMap((name) => /^host(\/.+?)\/\//.exec(name)?.[1] ?? []);
  return [...new Set(folders)];
}

/** Returns the folder in which npm or pnpm installed the package; for a checkout, the workspace. */
async function installRoot(packageFolder: string): Promise<string> {
  const parts = packageFolder.split(path.sep);
  const modules = parts.indexOf(MODULES);
  if (modules >= 0) return parts.slice(0, modules).join(path.sep) || path.sep;
  for (const folder of ancestors(packageFolder)) {
    if (await exists(path.join(folder, 'pnpm-workspace.yaml'))) return folder;
  }
  return packageFolder;
}

/** Adds the package, and every package that it or a dependency can import by name. */
async function addPackages(found: Finding, first: string): Promise<void> {
  const folders = new Set([first]);
  // A Set also yields folders that are added meanwhile.
  for (const folder of folders) {
    const description = await describe(folder);
    await addTree(found, { root: 'install', folder, has: isOfPackage(folder, description) }, folder);
    for (const { name, isRequired } of dependenciesOf(description)) {
      const place = await resolve(name, folder);
      if (place === undefined) {
        if (isRequired) issue(found, 'install', path.join(folder, MODULES, name), 'a dependency that is not installed');
        continue;
      }
      const real = await realpath(place);
      // When a pnpm link leads to another version, only this file changes.
      if (real !== place) add(found, 'install', path.join(place, 'package.json'));
      folders.add(real);
    }
  }
}

const names = z.record(z.string(), z.unknown()).default({});
const packageSchema = z.object({
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  files: z.array(z.string()).optional(),
});
type Description = z.infer<typeof packageSchema>;

/** A broken package.json counts as empty: its hash shows it. A pipe must not block the read. */
async function describe(folder: string): Promise<Description> {
  const file = path.join(folder, 'package.json');
  try {
    const flag = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
    return packageSchema.parse(JSON.parse(await readFile(file, { encoding: 'utf8', flag })));
  } catch {
    return packageSchema.parse({});
  }
}

/**
 * Packages beside it are found by their names. In a checkout only what is published is installed.
 */
function isOfPackage(folder: string, { files }: Description): (entry: string) => boolean {
  const published = new Set(files?.map((pattern) => pattern.split('/')[0]));
  const isInstalled = folder.split(path.sep).includes(MODULES) || files === undefined;
  return (entry) => entry !== MODULES && (isInstalled || entry === 'package.json' || published.has(entry));
}

/** Optional and peer dependencies belong to it too: Node loads them when it finds them. */
function dependenciesOf({ dependencies, optionalDependencies, peerDependencies }: Description) {
  const optional = { ...peerDependencies, ...optionalDependencies };
  const required = Object.keys(dependencies).filter((name) => !Object.hasOwn(optional, name));
  return [
    ...required.map((name) => ({ name, isRequired: true })),
    ...Object.keys(optional).map((name) => ({ name, isRequired: false })),
  ];
}

/** Finds the closest node_modules that has the name, as Node does. */
async function resolve(name: string, from: string): Promise<string | undefined> {
  for (const folder of ancestors(from)) {
    if (path.basename(folder) === MODULES) continue;
    const place = path.join(folder, MODULES, name);
    if (await exists(place)) return place;
  }
  return undefined;
}

/** Adds the files of each game that `serve` reads; a project of the math tool has many others. */
async function addGames(found: Finding, gamesFolder: string): Promise<void> {
  const folders = await locateGames(gamesFolder).catch((error: NodeJS.ErrnoException) => {
    issue(found, GAMES, gamesFolder, reasonOf(error));
    return [];
  });
  for (const each of folders) {
    const game = await locateGame(each);
    if (game === undefined) continue;
    const { gameFile, mathToolConfig, mathFolder, frontendFolder } = game;
    const links = await symbolicLinksOf(game, each);
    for (const link of links) issue(found, GAMES, link, LINK_IN_GAME);
    const isOwn = (file: string | undefined): file is string =>
      file !== undefined && !links.some((link) => file === link || file.startsWith(`${link}${path.sep}`));
    for (const file of [gameFile, mathToolConfig].filter(isOwn)) add(found, GAMES, file);
    for (const folder of [mathFolder, frontendFolder].filter(isOwn)) {
      await addTree(found, { root: GAMES, folder }, folder);
    }
  }
}

/**
 * Two slashes in a name mark the end of the included folder, so the check can find a new file in
 * it. A file that a person names may be a link to anywhere.
 */
async function addIncluded(found: Finding, file: string): Promise<void> {
  const included = await stat(file).catch((error: NodeJS.ErrnoException) => reasonOf(error));
  if (typeof included === 'string') return issue(found, HOST, file, included);
  if (included.isFile()) return add(found, HOST, file);
  const root = `${nameOf(found, HOST, file)}/`;
  found.roots.set(root, file);
  const before = found.files.size;
  await addTree(found, { root, folder: file }, file);
  if (found.files.size === before) issue(found, HOST, file, 'a folder without files');
}

async function addTree(found: Finding, tree: Tree, folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // The manifest names a folder that has gone, so its files count as missing.
    if (error.code !== 'ENOENT') issue(found, tree.root, folder, reasonOf(error));
    return [];
  });
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    // Deeper folders go unfiltered: their node_modules hides packages from the files beside it.
    if (folder === tree.folder && tree.has?.(entry.name) === false) continue;
    if (entry.isFile()) add(found, tree.root, file);
    else if (entry.isDirectory()) await addTree(found, tree, file);
    else if (!entry.isSymbolicLink()) issue(found, tree.root, file, 'neither a file nor a folder');
    else if (tree.root === GAMES) issue(found, GAMES, file, LINK_IN_GAME);
    else await addLinked(found, tree, file);
  }
}

/** Adds a file that may be a symbolic link. The hash is that of the link's target. */
async function addLinked(found: Finding, { root, folder }: Tree, file: string): Promise<void> {
  try {
    const inside = path.relative(await realpath(folder), await realpath(file));
    if (inside.startsWith('..')) issue(found, root, file, 'a symbolic link that leads out of its folder');
    else if ((await stat(file)).isDirectory()) issue(found, root, file, 'a symbolic link to a folder');
    else add(found, root, file);
  } catch (error) {
    issue(found, root, file, `a symbolic link that leads nowhere (${(error as NodeJS.ErrnoException).code})`);
  }
}

function add(found: Finding, root: string, file: string): void {
  const name = nameOf(found, root, file);
  if (UNWRITABLE.test(name)) found.issues.set(name, 'a name that a manifest cannot hold');
  else found.files.set(name, file);
}

function issue(found: Finding, root: string, file: string, why: string): void {
  found.issues.set(nameOf(found, root, file), why);
}

function nameOf({ roots }: Finding, root: string, file: string): string {
  const inRoot = path.relative(roots.get(root) ?? '', file).split(path.sep);
  return [root, ...inRoot.filter((part) => part !== '')].join('/');
}

/** Returns the folder itself, and each above it. */
function ancestors(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
