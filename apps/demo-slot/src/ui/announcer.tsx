import { GAME_TITLE } from '../../rules/gameRules.ts';
import { useUi } from './uiContext.ts';

/** What the picture shows, for those who listen: the board to be read at leisure, and what has just happened, spoken. */
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
