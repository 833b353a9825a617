import './styles/base.css';
import './styles/controls.css';
import './styles/hud.css';
import './styles/spinButton.css';
import './styles/features.css';
import './styles/freeRounds.css';
import './styles/layoutPortrait.css';
import './styles/layoutLow.css';
import './styles/layoutMirrored.css';
import './styles/dialog.css';
import './styles/history.css';
import './styles/fairness.css';
import './styles/menu.css';
import './styles/payBubble.css';
import './styles/choices.css';
import './styles/infoDialog.css';
import './styles/welcome.css';
// Makes Preact draw a component again when a signal changes that it has read.
import '@preact/signals';
import { render } from 'preact';
import { GAME_TITLE, type MathStatistics } from '../../rules.ts';
import type { GameModel } from '../game/gameModel.ts';
import type { Dialog, GameActions } from '../game/model.ts';
import type { Texts } from '../texts/texts.ts';
import { AutoplayConfirmDialog, AutoplayDialog, NoticeDialog } from './dialogs/autoplayDialogs.tsx';
import { BetDialog, BuyDialog } from './dialogs/betDialogs.tsx';
import { FailureDialog } from './dialogs/failureDialog.tsx';
import { FairnessDialog } from './dialogs/fairnessDialog.tsx';
import { FreeRoundsDeclineDialog, FreeRoundsDialog, FreeRoundsEndDialog } from './dialogs/freeRoundsDialogs.tsx';
import { HistoryDialog } from './dialogs/historyDialog.tsx';
import { InfoDialog } from './dialogs/infoDialog.tsx';
import { LeaveDialog, RealityCheckDialog } from './dialogs/leaveDialogs.tsx';
import { MenuDialog } from './dialogs/menuDialog.tsx';
import { type FreeArea, Hud } from './hud/hud.tsx';
import { PayBubble } from './payBubble.tsx';
import { createUi, UiContext, useUi } from './uiContext.ts';
import { Welcome } from './welcome.tsx';

type UiDeps = {
  readonly model: GameModel;
  readonly actions: GameActions;
  readonly texts: Texts;
  /** The statistics are those of the math that the page is served with. */
  readonly statistics: MathStatistics;
  /**
   * The UI calls it at the start and after each change with the rectangle that no bar of buttons
   * covers, in CSS pixels of the window.
   */
  readonly onFreeArea: (area: FreeArea) => void;
};

/**
 * Draws the buttons, texts and dialogs into the element, over the picture. Returns the function
 * that removes them.
 */
export function mountUi(host: HTMLElement, { model, actions, texts, statistics, onFreeArea }: UiDeps): () => void {
  document.documentElement.lang = model.language;
  document.title = GAME_TITLE;
  render(
    <UiContext.Provider value={createUi({ model, actions, texts, statistics })}>
      <App onFreeArea={onFreeArea} />
    </UiContext.Provider>,
    host,
  );
  return () => render(null, host);
}

function App({ onFreeArea }: { onFreeArea: (area: FreeArea) => void }) {
  const { model } = useUi();
  return (
    <div class="ui" lang={model.language} dir={model.direction} data-saving={model.batterySaver.value ? '' : undefined}>
      <Hud onFreeArea={onFreeArea} />
      <PayBubble />
      <Welcome />
      <DialogHost />
      <Announcer />
    </div>
  );
}

/** Shows the open dialog of the game. */
function DialogHost() {
  const dialog = useUi().model.dialog.value;
  return dialog ? <OpenDialog key={dialog.kind} dialog={dialog} /> : null;
}

function OpenDialog({ dialog }: { dialog: Dialog }) {
  switch (dialog.kind) {
    case 'bet':
      return <BetDialog />;
    case 'autoplay':
      return <AutoplayDialog />;
    case 'autoplayConfirm':
      return <AutoplayConfirmDialog settings={dialog.settings} />;
    case 'buy':
      return <BuyDialog costMicros={dialog.costMicros} mode={dialog.mode} />;
    case 'info':
      return <InfoDialog />;
    case 'menu':
      return <MenuDialog />;
    case 'fairness':
      return <FairnessDialog />;
    case 'history':
      return <HistoryDialog canReplay={dialog.back === undefined} />;
    case 'freeRounds':
      return <FreeRoundsDialog grant={dialog.grant} />;
    case 'freeRoundsDecline':
      return <FreeRoundsDeclineDialog />;
    case 'freeRoundsEnded':
      return <FreeRoundsEndDialog grant={dialog.grant} />;
    case 'leave':
      return <LeaveDialog to={dialog.to} />;
    case 'realityCheck':
      return <RealityCheckDialog {...dialog} />;
    case 'notice':
      return <NoticeDialog why={dialog.why} />;
    case 'failure':
      return <FailureDialog {...dialog} />;
  }
}

/**
 * Shows the picture for screen readers: the board as text, and what has just happened, announced.
 */
function Announcer() {
  const { model } = useUi();
  return (
    <div class="unseen">
      <section aria-label={GAME_TITLE}>{model.boardText.value}</section>
      <p class="announcement" role="status" aria-live="polite">
        {model.announcement.value}
      </p>
    </div>
  );
}
