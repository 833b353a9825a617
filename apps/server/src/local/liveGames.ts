import type { Catalogue, GameVersion } from '../rounds/games/catalogue.ts';
import { type GameSnapshot, isSameContent, takeSnapshot } from '../rounds/games/gameSnapshot.ts';
import type { LoadGameOutcome, RefusedGame } from '../rounds/games/loadGame.ts';
import { watchFolders } from './watchFolders.ts';

/**
 * A look at the changed files of a game has led to this change. Players get the version `served`.
 */
export type LiveChange = { folder: string; served: GameVersion } & (
  | {
      kind: 'served';
      before: GameVersion;
      /** These files have other content than before. */
      changed: string[];
      /** The time runs from the last change of a file until the version was served. */
      seconds: number;
    }
  | { kind: 'refused'; outcome: RefusedGame }
  /** Files are missing, and nobody is writing them. */
  | { kind: 'incomplete'; why: string }
);

export type LiveGame = {
  folder: string;
  served: GameVersion;
  /** It was taken before the version was loaded. */
  snapshot: GameSnapshot;
};

type LiveDeps = {
  catalogue: Catalogue;
  load: (folder: string) => Promise<LoadGameOutcome>;
  onChange: (change: LiveChange) => void;
};

/** A pause this long ends the writing: a generator writes its files one after another. */
const QUIET_MS = 250;
/**
 * Files that are missing for longer are not about to come: a generator may empty its folder first.
 */
const INCOMPLETE_MS = 2_000;
const MS_PER_SECOND = 1_000;

/**
 * Serves a new version of each game as soon as its files are whole and verified. Until then, and
 * when they are not right, the last good version stays served.
 */
export async function watchGames(games: readonly LiveGame[], deps: LiveDeps): Promise<{ close(): Promise<void> }> {
  const watches = await Promise.all(games.map((game) => watchGame(game, deps)));
  return {
    async close() {
      await Promise.all(watches.map((close) => close()));
    },
  };
}

async function watchGame({ folder, ...start }: LiveGame, { catalogue, load, onChange }: LiveDeps) {
  let { served, snapshot: seen } = start;
  let seenAs: LiveChange = { kind: 'served', folder, served, before: served, changed: [], seconds: 0 };
  let isShown = true;
  let changes = 0;
  let changedAtMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const show = (change: LiveChange) => {
    isShown = true;
    seenAs = change;
    onChange(change);
  };
  let isClosed = false;
  const after = (ms: number, step: () => Promise<void> | void) => {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      running = running.then(step).catch((error: unknown) => {
        // A load that is stopped with the server says nothing about the game.
        if (!isClosed) show({ kind: 'refused', folder, served, outcome: { ok: false, issues: [String(error)] } });
      });
    }, ms);
  };
  const touch = () => {
    changes += 1;
    changedAtMs = performance.now();
    after(QUIET_MS, look);
  };
  const watch = watchFolders(touch);

  const look = async (): Promise<void> => {
    // The timer of an earlier change calls again.
    if (timer !== undefined) return;
    const sawChange = changes;
    const found = await watchedSnapshot();
    if (sawChange !== changes) return;
    const { incomplete } = found;
    if (incomplete !== undefined) {
      return after(INCOMPLETE_MS - QUIET_MS, () => {
        isShown = false;
        onChange({ kind: 'incomplete', folder, served, why: incomplete });
      });
    }
    // The files may have been away meanwhile.
    if (isSameContent(found, seen)) return isShown ? undefined : show(seenAs);
    const outcome = await load(folder);
    if (sawChange !== changes || !isSameContent(found, await takeSnapshot(folder))) {
      if (outcome.ok) await outcome.game.math.close();
      return after(QUIET_MS, look);
    }
    if (!outcome.ok) {
      seen = found;
      return show({ kind: 'refused', folder, served, outcome });
    }
    const before = served;
    const changed = [...changedDescriptions(seen, found), ...changedMath(before, outcome.game)];
    seen = found;
    // Somebody has written the same content once more.
    const isSame = outcome.ok && isShown && seenAs.kind === 'served' && outcome.game.version === served.version;
    served = await catalogue.serve(outcome.game);
    const seconds = (performance.now() - changedAtMs) / MS_PER_SECOND;
    if (!isSame) show({ kind: 'served', folder, served, before, changed, seconds });
  };

  /** Two looks are needed: what appears before its folder is watched is not an event. */
  const watchedSnapshot = async () => {
    await watch.set((await takeSnapshot(folder)).places);
    return takeSnapshot(folder);
  };

  await watchedSnapshot();
  touch();
  return async () => {
    isClosed = true;
    watch.close();
    clearTimeout(timer);
    await running;
  };
}

/** Compares the small files, whose content the snapshot knows. */
function changedDescriptions(before: GameSnapshot, now: GameSnapshot): string[] {
  return [...now.files.keys()].filter(
    (file) => file.endsWith('.json') && before.files.get(file) !== now.files.get(file),
  );
}

/** Compares the content: a generator writes all of the files anew. */
function changedMath(before: GameVersion, now: GameVersion): string[] {
  const known = new Set(mathFiles(before).map(({ sha256 }) => sha256));
  return mathFiles(now).flatMap(({ name, sha256 }) => (known.has(sha256) ? [] : [name]));
}

function mathFiles({ math }: GameVersion) {
  return [...math.modes.values()].flatMap(({ files }) => [files.table, files.books]);
}
