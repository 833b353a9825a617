import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type LoadProgress, type MathMode, type MathOutcome, type MathPackage, openMath } from '@roundhouse/math';
import { type CleanUp, StartError } from '@roundhouse/service';
import { Presets, SingleBar } from 'cli-progress';
import { type Catalogue, modeKey } from '../games/catalogue.ts';
import { type LoadCatalogueOptions, loadAndPublish, loadCatalogue } from '../games/loadCatalogue.ts';
import type { LoadGameOutcome } from '../games/loadGame.ts';
import { locateGame } from '../games/locateGame.ts';
import { renderIssues } from './verifyReport.ts';

const MIN_MS_BETWEEN_LINES = 2_000;
const BYTES_PER_MB = 1e6;

type ProgressView = { show(progress: LoadProgress): void; end(): void };

/**
 * Loads the games and shows the progress. The issues of a game end the command, and all of them are
 * printed.
 */
export async function loadGames(options: Omit<LoadCatalogueOptions, 'onProgress'>): Promise<Catalogue> {
  const view = createProgressView();
  const loaded = await loadCatalogue({ ...options, onProgress: view.show }).finally(view.end);
  if (loaded.ok) return loaded.catalogue;
  throw new StartError(issuesText(loaded));
}

/** Loads a game whose files have changed, and shows the progress. */
export async function loadGameAgain(
  options: Omit<LoadCatalogueOptions, 'onProgress' | 'folders'>,
  folder: string,
): Promise<LoadGameOutcome> {
  const view = createProgressView();
  return loadAndPublish({ ...options, onProgress: view.show }, folder).finally(view.end);
}

/** All issues of a game, a line each. */
export function issuesText({ issues, mathIssues }: Extract<LoadGameOutcome, { ok: false }>): string {
  const published = mathIssues === undefined ? [] : [renderIssues(mathIssues.issues, mathIssues.issueCount)];
  return [...issues, ...published].join('\n').trimEnd();
}

/**
 * A folder for the store of one command, as large as the uncompressed math. It goes when the
 * command ends, also by Ctrl-C.
 */
export async function makeTemporaryStore(cleanUp: CleanUp): Promise<string> {
  const storeFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-math-'));
  cleanUp.add(() => rm(storeFolder, { recursive: true, force: true }));
  return storeFolder;
}

export type MathToOpen = { folder: string; storeFolder: string; json: boolean; signal: AbortSignal };

/**
 * Opens published files, or those of a game. The progress goes to standard error, so that what a
 * command prints is the report alone; `json`: no progress.
 */
export async function openPublished({ folder, storeFolder, json, signal }: MathToOpen): Promise<OpenedMath> {
  const mathFolder = (await locateGame(folder))?.mathFolder ?? folder;
  const view = json ? undefined : createProgressView(process.stderr);
  const onProgress = view && { onProgress: view.show };
  const math = await openMath({ folder: mathFolder, storeFolder, signal, ...onProgress }).finally(view?.end);
  return { mathFolder, math };
}

/** The modes of the names, in any case; all of them without names. */
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

/** A bar on a terminal, plain lines elsewhere (a log file, CI). */
function createProgressView(out: NodeJS.WriteStream = process.stdout): ProgressView {
  return out.isTTY ? barView(out) : lineView(out);
}

function barView(out: NodeJS.WriteStream): ProgressView {
  let bar: SingleBar | undefined;
  let mode: string | undefined;
  const end = () => {
    bar?.stop();
    bar = undefined;
    mode = undefined;
  };
  return {
    show(progress) {
      if (mode !== progress.mode) {
        end();
        mode = progress.mode;
        bar = new SingleBar(
          { stream: out, format: '  {mode} {bar} {percentage}% {books} books, {eta_formatted} left' },
          Presets.shades_classic,
        );
        bar.start(progress.bytesTotal, 0, { mode: progress.mode, books: 0 });
      }
      bar?.update(progress.bytesRead, { books: progress.books });
    },
    end,
  };
}

function lineView(out: NodeJS.WriteStream): ProgressView {
  let lastAtMs = performance.now();
  let unwritten: LoadProgress | undefined;
  const write = () => {
    if (unwritten === undefined) return;
    const { mode, bytesRead, bytesTotal, books } = unwritten;
    const percent = Math.floor((100 * bytesRead) / Math.max(bytesTotal, 1));
    out.write(`  ${mode}: ${books} books, ${percent} % of ${(bytesTotal / BYTES_PER_MB).toFixed(1)} MB\n`);
    unwritten = undefined;
    lastAtMs = performance.now();
  };
  return {
    show(progress) {
      // The last word about a mode is always written, however fast it was.
      if (unwritten !== undefined && unwritten.mode !== progress.mode) write();
      unwritten = progress;
      if (performance.now() - lastAtMs >= MIN_MS_BETWEEN_LINES) write();
    },
    end: write,
  };
}
