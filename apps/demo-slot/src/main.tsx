import { createAudio } from './audio/createAudio.ts';
import { showBareFailure } from './browser/bareFailure.ts';
import { browserClock } from './browser/browserClock.ts';
import { createBrowserPage } from './browser/browserPage.ts';
import { createLazyStage } from './browser/lazyStage.ts';
import { createGame } from './game/createGame.ts';
import { openLaunch } from './game/launch.ts';
import { loadTexts } from './texts/texts.ts';
import { mountUi } from './ui/mountUi.tsx';

async function main(): Promise<void> {
  const launch = openLaunch({ url: location.href });
  const audio = createAudio();
  const stage = createLazyStage(async () => {
    const { createStage } = await import('./view/createStage.ts');
    return createStage({
      host: elementOf('picture'),
      audio,
      reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
    });
  });
  const texts = await loadTexts(launch.language);
  const game = createGame({ launch, stage, audio, texts, clock: browserClock, page: createBrowserPage() });
  mountUi(elementOf('ui'), {
    model: game.model,
    actions: game.actions,
    texts,
    onFreeArea: (free) => stage.resize({ width: innerWidth, height: innerHeight, free }),
  });
  await game.start();
}

function elementOf(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

main().catch(() => showBareFailure(elementOf('ui')));
