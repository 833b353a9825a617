import { createAudio } from './audio/createAudio.ts';
import { browserClock, createBrowserPage, createLazyStage } from './browser.ts';
import { createGame } from './game/createGame.ts';
import { openLaunch } from './game/launch.ts';
import { loadStatistics } from './statistics.ts';
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
  const [texts, statistics] = await Promise.all([loadTexts(launch.language), loadStatistics()]);
  const game = createGame({ launch, stage, audio, texts, clock: browserClock, page: createBrowserPage() });
  mountUi(elementOf('ui'), {
    model: game.model,
    actions: game.actions,
    texts,
    statistics,
    onFreeArea: (free) => stage.resize({ width: innerWidth, height: innerHeight, free }),
  });
  await game.start();
}

function elementOf(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Replaces the game when its texts could not be loaded: one sentence in English and a button. */
function showBareFailure(host: HTMLElement): void {
  const sentence = document.createElement('p');
  sentence.setAttribute('role', 'alert');
  sentence.textContent = 'The game could not be loaded. Check your internet connection.';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Reload';
  button.addEventListener('click', () => location.reload());
  const box = document.createElement('main');
  box.style.cssText =
    'display:grid;place-content:center;justify-items:center;gap:1rem;height:100%;font:1.1rem system-ui';
  box.append(sentence, button);
  host.replaceChildren(box);
}

main().catch(() => showBareFailure(elementOf('ui')));
