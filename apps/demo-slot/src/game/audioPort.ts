/** The game's sounds. Music plays until another piece is started. */
export type Cue =
  | 'button'
  | 'betChange'
  | 'spinStart'
  | 'reelStop'
  | 'scatterLand1'
  | 'scatterLand2'
  | 'scatterLand3'
  | 'anticipation'
  | 'lineWin'
  | 'winCount'
  | 'winCountEnd'
  | 'bigWin'
  | 'megaWin'
  | 'epicWin'
  | 'wildLand'
  | 'multiplierUp'
  | 'freeSpinsStart'
  | 'freeSpinsEnd'
  | 'trainWhistle'
  | 'error';

export type Music = 'base' | 'freeSpins' | 'none';

export type AudioPort = {
  /** Browsers let sound start only after a touch or a key. */
  unlock(): void;
  play(cue: Cue): void;
  /** For cues that last: anticipation, winCount. */
  stop(cue: Cue): void;
  music(piece: Music): void;
  setMuted(muted: boolean): void;
};
