import type { OpenTable, Table } from './table.ts';
import { showRestingBoard } from './trouble/recovery.ts';
import { type Trouble, troubleDialog, troubleOf } from './trouble/troubleOf.ts';
import type { Troubles } from './trouble/troubles.ts';

/** The picture's share of the progress bar; the rest is the server's response. */
const PICTURE_SHARE = 0.85;

/**
 * Loads the picture and authenticates at the same time. False when the game cannot be shown; then a
 * dialog says why. The player may retry as often as wanted.
 */
export async function boot(table: Table, troubles: Troubles, connect: () => Promise<void>): Promise<boolean> {
  const { store } = table;
  let picture = 0;
  let isPictureLost = false;
  let isConnected = false;
  const tellProgress = () => {
    const loaded = picture * PICTURE_SHARE + (isConnected ? 1 - PICTURE_SHARE : 0);
    // A bar that goes back looks broken.
    store.progress.value = Math.max(store.progress.peek(), Math.min(1, loaded));
  };
  const loading = loadPicture(table, (progress) => {
    picture = progress;
    tellProgress();
  });
  const connecting = connectInTheEnd(connect, (trouble, again) => {
    // Without a picture only a reload helps, so this dialog stays.
    if (!isPictureLost) troubles.show(trouble, again);
  }).then(() => {
    isConnected = true;
    tellProgress();
  });
  const lost = await loading;
  if (lost) {
    isPictureLost = true;
    troubles.show(lost, () => {});
    return false;
  }
  await connecting;
  return true;
}

/** From the loading screen to the intro. */
export function showIntro(table: OpenTable): void {
  const { store, client } = table;
  showRestingBoard(table);
  store.openRound.value = client.state.activeRound !== undefined;
  store.phase.value = 'intro';
}

/** Undefined when it is there. */
async function loadPicture({ stage }: Table, onProgress: (progress: number) => void): Promise<Trouble | undefined> {
  try {
    await stage.load(onProgress);
    onProgress(1);
    return undefined;
  } catch (error) {
    const isWebGlMissing = error instanceof Error && error.name === 'NoWebGlError';
    // Otherwise a script could not be loaded. The browser remembers that, so only a new page helps.
    return isWebGlMissing ? troubleDialog('noWebGl', 'none') : troubleDialog('noNetwork', 'reload');
  }
}

/** Resolves when it has worked. */
async function connectInTheEnd(connect: () => Promise<void>, show: Troubles['show']): Promise<void> {
  try {
    await connect();
  } catch (error) {
    const trouble = troubleOf(error);
    // Nothing is behind the dialog yet, so it cannot be closed.
    const remedy = trouble.remedy === 'close' ? 'again' : trouble.remedy;
    await new Promise<void>((resolve) => show({ ...trouble, remedy }, resolve));
    await connectInTheEnd(connect, show);
  }
}
