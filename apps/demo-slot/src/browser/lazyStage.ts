import type { Stage, StageSize } from '../game/stage.ts';

/** A stage whose code `load` fetches. Before that it stores only the size. */
export function createLazyStage(fetchStage: () => Promise<Stage>): Stage {
  let fetched: Stage | undefined;
  let size: StageSize | undefined;
  const stage = (): Stage => {
    if (!fetched) throw new Error('the stage is not loaded');
    return fetched;
  };
  return {
    async load(onProgress) {
      fetched = await fetchStage();
      if (size) fetched.resize(size);
      await fetched.load(onProgress);
    },
    enter: () => stage().enter(),
    showBoard: (board) => stage().showBoard(board),
    startReels: (spin, pace) => stage().startReels(spin, pace),
    stopReels: (board, anticipation, showing) => stage().stopReels(board, anticipation, showing),
    showLineWins: (wins, write, showing) => stage().showLineWins(wins, write, showing),
    clearWins: () => stage().clearWins(),
    celebrate: (win, showing) => stage().celebrate(win, showing),
    pulse: (positions, showing) => stage().pulse(positions, showing),
    changeScene: (scene, showing) => stage().changeScene(scene, showing),
    announce: (card, showing) => stage().announce(card, showing),
    setMultiplier: (multiplier, positions, showing) => stage().setMultiplier(multiplier, positions, showing),
    resize(next) {
      size = next;
      fetched?.resize(next);
    },
    destroy: () => fetched?.destroy(),
  };
}
