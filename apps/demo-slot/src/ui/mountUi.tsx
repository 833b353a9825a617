import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/hud.css';
import './styles/spinButton.css';
import './styles/features.css';
import './styles/layoutPortrait.css';
import './styles/layoutLandscape.css';
import './styles/layoutCompact.css';
import './styles/dialog.css';
import './styles/choices.css';
import './styles/rules.css';
import './styles/welcome.css';
// Makes Preact draw a component again when a signal changes that it has read.
import '@preact/signals';
import { render } from 'preact';
import { GAME_TITLE } from '../../rules.ts';
import type { GameActions, GameModel } from '../game/model.ts';
import type { Texts } from '../texts/texts.ts';
import { App } from './app.tsx';
import type { FreeArea } from './hud/freeAreaProbe.tsx';
import { createUi, UiContext } from './uiContext.ts';

export type UiDeps = {
  readonly model: GameModel;
  readonly actions: GameActions;
  readonly texts: Texts;
  /**
   * Called at the start and after each change with the rectangle that no bar of buttons covers, in
   * CSS pixels of the window.
   */
  readonly onFreeArea: (area: FreeArea) => void;
};

/**
 * Draws the buttons, texts and dialogs into the element, over the picture. Returns the function
 * that removes them.
 */
export function mountUi(host: HTMLElement, { model, actions, texts, onFreeArea }: UiDeps): () => void {
  document.documentElement.lang = model.language;
  document.title = GAME_TITLE;
  render(
    <UiContext.Provider value={createUi({ model, actions, texts })}>
      <App onFreeArea={onFreeArea} />
    </UiContext.Provider>,
    host,
  );
  return () => render(null, host);
}
