import type { ClientContext, Context } from './context.ts';
import { type Failure, type Failures, failureDialog, failureOf, showRestingBoard } from './failure.ts';

/** The picture has this share of the progress bar; the rest is the server's response. */
const PICTURE_SHARE = 0.85;

/**
 * Loads the picture and authenticates at the same time. Returns false when the game cannot be
 * shown; then a dialog says why. The player may retry as often as wanted.
 */
export async function boot(context: Context, failures: Failures, connect: () => Promise<void>): Promise<boolean> {
  const { store } = context;
  let picture = 0;
  let isPictureLost = false;
  let isConnected = false;
  const showProgress = () => {
    const loaded = picture * PICTURE_SHARE + (isConnected ? 1 - PICTURE_SHARE : 0);
    // The bar never goes back.
    store.progress.value = Math.max(store.progress.peek(), Math.min(1, loaded));
  };
  const loading = loadPicture(context, (progress) => {
    picture = progress;
    showProgress();
  });
  const connecting = connectWithRetries(context, connect, (failure, again) => {
    // Without a picture only a reload helps, so this dialog stays.
    if (!isPictureLost) failures.show(failure, again);
  }).then(() => {
    isConnected = true;
    showProgress();
  });
  const lost = await loading;
  if (lost) {
    isPictureLost = true;
    failures.show(lost, () => {});
    return false;
  }
  await connecting;
  return true;
}

/** Goes from the loading screen to the intro. */
export function showIntro(context: ClientContext): void {
  const { store, client } = context;
  showRestingBoard(context);
  store.openRound.value = client.state.activeRound !== undefined;
  store.phase.value = 'intro';
}

/** Undefined when the picture is loaded. */
async function loadPicture({ stage }: Context, onProgress: (progress: number) => void): Promise<Failure | undefined> {
  try {
    await stage.load(onProgress);
    onProgress(1);
    return undefined;
  } catch (error) {
    const isWebGlMissing = error instanceof Error && error.name === 'NoWebGlError';
    // Otherwise a script could not be loaded. The browser remembers that, so only a reload helps.
    return isWebGlMissing ? failureDialog('noWebGl', 'none') : failureDialog('noNetwork', 'reload');
  }
}

/** Resolves when the client has connected. */
async function connectWithRetries(
  context: Context,
  connect: () => Promise<void>,
  show: Failures['show'],
): Promise<void> {
  try {
    await connect();
  } catch (error) {
    const failure = startFailureOf(error, context);
    // Nothing is behind the dialog yet, so it cannot be closed.
    const remedy = failure.remedy === 'close' ? 'again' : failure.remedy;
    await new Promise<void>((resolve) => show({ ...failure, remedy }, resolve));
    await connectWithRetries(context, connect, show);
  }
}

function startFailureOf(error: unknown, { launch }: Context): Failure {
  const failure = failureOf(error);
  // The server has fun mode off, or not for this game. Trying again does not help.
  const isNoDemo = launch.isFunMode && failure.failure === 'badRequest';
  return isNoDemo ? failureDialog('noDemo', 'none') : failure;
}
