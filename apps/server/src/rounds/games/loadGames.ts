import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  LINK_ISSUE,
  type LoadProgress,
  type MathMode,
  type MathOutcome,
  type MathPackage,
  openMath,
} from '@roundhouse/math';
import { type CleanUp, StartError } from '@roundhouse/service';
import { renderIssues } from '../../base/terminal/mathReport.ts';
import { createProgressView } from '../../base/terminal/progress.ts';
import { type Catalogue, modeKey } from './catalogue.ts';
import { type LoadCatalogueOptions, loadAndPublish, loadCatalogue } from './loadCatalogue.ts';
import type { LoadGameOutcome, RefusedGame } from './loadGame.ts';
import { locateGame, symbolicLinksOf } from './locateGame.ts';

const BYTES_PER_MB = 1e6;

/**
 * Loads the games and shows the progress. If a game has issues, the command prints the issues of
 * all games and ends.
 */
export async function loadGames(options: Omit<LoadCatalogueOptions, 'onProgress'>): Promise<Catalogue> {
  const view = createLoadingView();
  // The last line of a game stands above the name of the next one.
  const onGame = (folder: string) => {
    view.end();
    options.onGame?.(folder);
  };
  const loaded = await loadCatalogue({ ...options, onGame, onProgress: view.show }).finally(view.end);
  if (loaded.ok) return loaded.catalogue;
  throw new StartError(loaded.refused.map(issuesText).join('\n'));
}

/** Loads a game whose files have changed, and shows the progress. */
export async function loadGameAgain(
  options: Omit<LoadCatalogueOptions, 'onProgress' | 'folders'>,
  folder: string,
): Promise<LoadGameOutcome> {
  const view = createLoadingView();
  return loadAndPublish({ ...options, onProgress: view.show }, folder).finally(view.end);
}

/** Prints all issues of a game, a line each. */
export function issuesText({ issues, mathIssues }: RefusedGame): string {
  const published = mathIssues === undefined ? [] : [renderIssues(mathIssues.issues, mathIssues.issueCount)];
  return [...issues, ...published].join('\n').trimEnd();
}

/**
 * Makes a folder for the store of one command, as large as the uncompressed math. It is removed
 * when the command ends, also by Ctrl-C.
 */
export async function makeTemporaryStore(cleanUp: CleanUp): Promise<string> {
  const storeFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-math-'));
  cleanUp.add(() => rm(storeFolder, { recursive: true, force: true }));
  return storeFolder;
}

export type MathToOpen = { folder: string; storeFolder: string; json: boolean; signal: AbortSignal };

/**
 * Opens published files, or those of a game. The progress goes to standard error, so that the
 * standard output is only the report; `json` shows no progress.
 */
export async function openPublished({ folder, storeFolder, json, signal }: MathToOpen): Promise<OpenedMath> {
  const found = await locateGame(folder);
  const mathFolder = found?.mathFolder ?? folder;
  const links = found === undefined ? [] : await symbolicLinksOf(found, folder);
  if (links.length > 0) {
    const issues = links.map((file) => ({ file, message: LINK_ISSUE }));
    return { mathFolder, math: { ok: false, issues, issueCount: issues.length } };
  }
  const view = json ? undefined : createLoadingView(process.stderr);
  const onProgress = view && { onProgress: view.show };
  const math = await openMath({ folder: mathFolder, storeFolder, signal, ...onProgress }).finally(view?.end);
  return { mathFolder, math };
}

/** Finds the modes by their names, in any case; returns all of them without names. */
export function chosenModes(modes: readonly MathMode[], names: readonly string[] | undefined): MathMode[] {
  if (names === undefined) return [...modes];
  return names.map((name) => {
    const mode = modes.find(({ key }) => key === modeKey(name));
    if (mode === undefined)
      throw new StartError(`no mode ${name}; the modes are ${modes.map((each) => each.name).join(', ')}`);
    return mode;
  });
}

type OpenedMath = { mathFolder: string; math: MathOutcome<MathPackage> };

/** Shows the progress of loading books. */
export function createLoadingView(out?: NodeJS.WriteStream) {
  const view = createProgressView(out);
  return {
    show({ mode, bytesRead, bytesTotal, books }: LoadProgress) {
      const read = `${megabytes(bytesRead)} of ${megabytes(bytesTotal)} MB`;
      view.show({ name: mode, done: bytesRead, total: bytesTotal, says: `${read}, ${books} books` });
    },
    end: view.end,
  };
}

function megabytes(bytes: number): string {
  return (bytes / BYTES_PER_MB).toFixed(1);
}
