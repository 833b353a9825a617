import type { OpenTable, Table } from './table.ts';
import { showRestingBoard } from './trouble/recovery.ts';
import { type Trouble, troubleDialog, troubleOf } from './trouble/troubleOf.ts';
import type { Troubles } from './trouble/troubles.ts';

/** How much of the progress bar is the picture; the rest is the server's answer. */
const PICTURE_SHARE = 0.85;

/**
 * Loads the picture and asks the server, both at once. False when the game cannot be shown; a dialog then says why. What can be
 * tried again is, for as long as the player wants.
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
    // Without a picture there is only one thing to do, and the dialog that says so stays.
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
    // Else a part of the game could not be fetched. The browser remembers that a script has failed, so only a new page helps.
    return isWebGlMissing ? troubleDialog('noWebGl', 'none') : troubleDialog('noNetwork', 'reload');
  }
}

/** Resolves when it has worked. */
async function connectInTheEnd(connect: () => Promise<void>, show: Troubles['show']): Promise<void> {
  try {
    await connect();
  } catch (error) {
    const trouble = troubleOf(error);
    // There is nothing behind the dialog yet that it could be closed for.
    const remedy = trouble.remedy === 'close' ? 'again' : trouble.remedy;
    await new Promise<void>((resolve) => show({ ...trouble, remedy }, resolve));
    await connectInTheEnd(connect, show);
  }
}
