import type { Pace } from '@roundhouse/sdk/events';
import { type Board, REELS, ROWS, type SpinKind, SYMBOLS, type SymbolCode } from '../../../rules.ts';
import type { AudioPort, Cue, Showing } from '../../game/ports.ts';
import type { Picture } from '../picture.ts';
import { REEL_PACES } from '../times.ts';

const SCATTER_CUES: readonly Cue[] = ['scatterLand1', 'scatterLand2', 'scatterLand3'];

/**
 * Starts and stops the reels, and does what happens when one of them lands: sound, the symbols'
 * places, the bounce of special ones.
 */
export class SpinDirector {
  private readonly picture: Picture;
  private readonly audio: AudioPort;
  private board: Board | undefined;
  private spin: SpinKind = 'basegame';
  private scatters = 0;
  private anticipating = -1;
  private sounding = false;
  private done: (() => void) | undefined;

  constructor(picture: Picture, audio: AudioPort) {
    this.picture = picture;
    this.audio = audio;
  }

  /** Shows it at once. It also ends a spin that is being shown. */
  show(board: Board): void {
    this.silence();
    this.board = board;
    this.picture.schedule.set(board.map(codes));
    board.forEach((symbols, reel) => {
      this.picture.board.rest(reel, symbols);
    });
    this.finish();
  }

  start(spin: SpinKind, pace: Pace): void {
    if (pace === 'instant') return;
    this.spin = spin;
    this.scatters = 0;
    this.picture.board.hideActors();
    this.picture.schedule.start(REEL_PACES[pace]);
    this.audio.play('spinStart');
  }

  async stop(board: Board, anticipation: readonly boolean[], showing: Showing): Promise<void> {
    const { schedule } = this.picture;
    if (showing.pace === 'instant' || !schedule.moving) {
      this.show(board);
      return;
    }
    this.board = board;
    schedule.stop(board.map(codes), anticipation);
    const hurry = () => schedule.hurry();
    if (showing.skipped.aborted) hurry();
    showing.skipped.addEventListener('abort', hurry, { once: true });
    await new Promise<void>((resolve) => {
      this.done = resolve;
    });
    showing.skipped.removeEventListener('abort', hurry);
  }

  /** Runs once a frame, after the reels have moved. */
  update(): void {
    const { schedule } = this.picture;
    let struck = false;
    for (let reel = 0; reel < REELS; reel++) {
      const motion = schedule.reels[reel];
      if (motion === undefined) continue;
      if (motion.struck) {
        motion.struck = false;
        struck = true;
        this.soundSpecials(reel);
      }
      if (motion.landed) {
        motion.landed = false;
        this.land(reel);
      }
    }
    if (struck) this.audio.play('reelStop');
    this.followAnticipation(schedule.anticipating);
    if (this.done !== undefined && !schedule.moving) this.finish();
  }

  /** Ends the waiting, without the picture. */
  finish(): void {
    const { done } = this;
    this.done = undefined;
    done?.();
  }

  private soundSpecials(reel: number): void {
    const symbols = this.board?.[reel] ?? [];
    if (symbols.includes('S')) {
      const cue = SCATTER_CUES[Math.min(this.scatters, SCATTER_CUES.length - 1)];
      this.scatters += symbols.filter((code) => code === 'S').length;
      if (cue !== undefined) this.audio.play(cue);
    }
    if (this.spin === 'freegame' && symbols.includes('W')) this.audio.play('wildLand');
  }

  private land(reel: number): void {
    const symbols = this.board?.[reel];
    if (symbols === undefined) return;
    const { board } = this.picture;
    board.rest(reel, symbols);
    for (let row = 0; row < ROWS; row++) {
      if (!isSpecial(symbols[row])) continue;
      board.actor({ reel, row })?.setMode('land');
    }
  }

  private followAnticipation(reel: number): void {
    if (reel === this.anticipating) return;
    this.anticipating = reel;
    if (this.sounding) this.audio.stop('anticipation');
    this.sounding = reel >= 0;
    if (this.sounding) this.audio.play('anticipation');
  }

  private silence(): void {
    if (this.sounding) this.audio.stop('anticipation');
    this.sounding = false;
    this.anticipating = -1;
  }
}

function isSpecial(code: SymbolCode | undefined): boolean {
  return code === 'S' || code === 'W';
}

function codes(symbols: Board[number]): number[] {
  return symbols.map((code) => SYMBOLS.indexOf(code));
}
