import { createEventPlayer } from '@roundhouse/sdk/events';
import { tumble } from '../math/clusters.ts';
import { type Board, type BookEvent, MULTIPLIERS, WIN_CAP } from '../math/rules.ts';
import { createCelebration, type Tier } from './celebration.ts';
import { beginMotion } from './motion.ts';
import { createReef } from './reef.ts';
import { TURBO_TEMPO } from './scene.ts';
import { createStage } from './stage.ts';
import type { Texts } from './texts.ts';
import type { Show, ShowParts, ShowWatch } from './types.ts';
import { drawTitle } from './wordmark.ts';

const SEEN_MS = 700;
/** A win sounds higher by this with each multiplier, and so does a title with each tier. */
const SEMITONES = 2;
/** Nobody misses the maximum win. */
const TOP_HOLD_MS = 10_000;

// The page has its looks before the game is loaded.
createReef();
for (const heading of document.querySelectorAll('h1')) drawTitle(heading);

/** Shows the events of a book: the board falls in, and tumbles as long as there are clusters. */
export async function createShow(element: HTMLElement, { texts, sound, onProgress }: ShowParts): Promise<Show> {
  const celebrate = createCelebration();
  const stage = await createStage(element, onProgress);
  void beginMotion();
  const { grid } = stage;
  let watch: ShowWatch | undefined;
  let kept: Board = stage.board;
  let tumbles = 0;
  let won = 0;

  const textOf = (amount: number) => watch?.textOf(amount) ?? '';

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
      if (isCelebrated) sound.play('win', SEMITONES * Math.min(tumbles, MULTIPLIERS.length) - SEMITONES);
      stage.showWins(wins, { isCelebrated, textOf, sum: won });
      watch?.onWin(won);
      await wait(SEEN_MS);
      stage.clearWins();
      const fallen = grid.tumble(gone, fresh);
      onSkip(() => grid.place(after));
      await fallen;
    },
    finalWin: ({ amount }) => watch?.onWin(amount),
  });

  return {
    begin() {
      kept = stage.board;
      tumbles = 0;
      won = 0;
      stage.setTumbles(0);
      stage.clearWins();
      stage.clearBand();
      grid.drop();
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
    rest() {
      stage.setTumbles(0);
      stage.clearWins();
      stage.clearBand();
      grid.place(kept);
    },
    announce(title) {
      const onTier = (place: number) => sound.play('bigWin', SEMITONES * place);
      return celebrate({ amount: won, textOf, tiers: tiersOf(texts, title), onTier });
    },
    picture: stage.picture,
  };
}

/** Returns the tiers up to the one of this title, which the game has chosen. */
function tiersOf(texts: Texts, title: string): Tier[] {
  const tiers = [
    { from: 0, title: texts.bigWin, countMs: 2200 },
    { from: 2500, title: texts.megaWin, countMs: 3200 },
    { from: 6000, title: texts.epicWin, countMs: 4200 },
  ];
  const top = { from: WIN_CAP, title, countMs: 5000, holdMs: TOP_HOLD_MS };
  return title === texts.maxWin ? [...tiers, top] : tiers;
}
