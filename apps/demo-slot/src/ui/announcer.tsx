import { GAME_TITLE } from '../../rules.ts';
import { useUi } from './uiContext.ts';

/** The picture for screen readers: the board as text, and what has just happened, announced. */
export function Announcer() {
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
