import { createEventPlayer } from '@roundhouse/sdk/events';
import type { BookEvent } from '../math/rules.ts';
import { TURBO_TEMPO } from './scene.ts';
import { createStage } from './stage.ts';
import type { Show, ShowParts, ShowWatch } from './types.ts';

const LINE_MS = 650;

/** Shows the events of a book: the reels land, then each line that pays. */
export async function createShow(element: HTMLElement, { texts, sound, onProgress }: ShowParts): Promise<Show> {
  const stage = await createStage(element, texts);
  onProgress(1);
  let watch: ShowWatch | undefined;

  const player = createEventPlayer<BookEvent>({
    reveal: async ({ board }, { onSkip }) => {
      const landed = stage.land(board, () => sound.play('stop'));
      onSkip(stage.landNow);
      watch?.onLanding();
      await landed;
    },
    winInfo: async ({ wins }, { wait }) => {
      const total = wins.reduce((sum, { win }) => sum + win, 0);
      const isCelebrated = watch?.isCelebrated(total) ?? true;
      if (isCelebrated) sound.play('win');
      for (const win of wins) {
        stage.showWin(win, { isCelebrated });
        await wait(LINE_MS);
      }
    },
    finalWin: ({ amount }) => watch?.onWin(amount),
  });

  return {
    begin() {
      stage.clearWins();
      stage.turn();
    },
    play(events, watching) {
      watch = watching;
      return player.play(events as BookEvent[]);
    },
    skip: player.skip,
    setTurbo(isOn) {
      player.setPace(isOn ? 'turbo' : 'normal');
      stage.setTempo(isOn ? TURBO_TEMPO : 1);
    },
    rest: stage.rest,
    // The letters hide no amount that the meters tell.
    async announce(title) {
      sound.play('bigWin');
      stage.announce(title);
    },
    picture: stage.picture,
  };
}
