import { createEventPlayer } from '@roundhouse/sdk/events';
import { tumble } from '../math/clusters.ts';
import { type Board, type BookEvent, WIN_CAP } from '../math/rules.ts';
import type { Sound } from './sound.ts';
import { createStage } from './stage.ts';
import type { Texts } from './texts.ts';
import type { Show, ShowWatch } from './types.ts';

const SEEN_MS = 700;

/** Shows the events of a book: the board falls in, and tumbles as long as there are clusters. */
export async function createShow(element: HTMLElement, { sound }: { texts: Texts; sound: Sound }): Promise<Show> {
  const stage = await createStage(element);
  const { grid } = stage;
  let watch: ShowWatch | undefined;
  let before: Board = stage.board;
  let tumbles = 0;
  let won = 0;

  const player = createEventPlayer<BookEvent>({
    reveal: async ({ board }, { onSkip }) => {
      const filled = grid.fill(board);
      onSkip(() => grid.place(board));
      watch?.onLanding();
      await filled;
      sound.play('stop');
    },
    tumble: async ({ wins, fresh }, { wait, onSkip }) => {
      const total = wins.reduce((sum, { win }) => sum + win, 0);
      const gone = wins.flatMap(({ cells }) => cells);
      const after = tumble(stage.board, gone, fresh);
      won = Math.min(WIN_CAP, won + total);
      tumbles += 1;
      stage.setTumbles(tumbles);
      const isCelebrated = watch?.isCelebrated(won) ?? true;
      if (isCelebrated) sound.play('win');
      stage.showWins(wins, { isCelebrated, textOf: (win) => watch?.textOf(win) ?? '' });
      await wait(SEEN_MS);
      watch?.onWin(won);
      stage.clearWins();
      const fallen = grid.tumble(gone, fresh);
      onSkip(() => grid.place(after));
      await fallen;
    },
    finalWin: ({ amount }) => watch?.onWin(amount),
  });

  return {
    begin() {
      before = stage.board;
      tumbles = 0;
      won = 0;
      stage.setTumbles(0);
      stage.clearWins();
      grid.drop();
    },
    play(events, watching) {
      watch = watching;
      return player.play(events as BookEvent[]);
    },
    skip: player.skip,
    rest() {
      stage.setTumbles(0);
      stage.clearWins();
      grid.place(before);
    },
    announce: stage.announce,
    picture: stage.picture,
  };
}
