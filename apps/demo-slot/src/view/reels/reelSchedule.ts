import { REELS } from '../../../rules.ts';
import type { ReelPace } from '../times.ts';
import { ReelMotion } from './reelMotion.ts';

/** Skipped reels still land one after the other, but so fast that it looks like one stop. */
const HURRY_GAP_MS = 28;

/**
 * Says when each of the reels starts and stops. It owns the motions; `update` creates nothing.
 * `anticipating` is the reel with anticipation that turns now, -1 without one.
 */
export class ReelSchedule {
  readonly reels: readonly ReelMotion[];
  anticipating = -1;

  private readonly stopAtMs = new Float64Array(REELS);
  private readonly released = new Uint8Array(REELS);
  private readonly awaited = new Uint8Array(REELS);
  private readonly boards: readonly Uint8Array[];
  private pace: ReelPace | undefined;
  private nowMs = 0;
  private stopping = false;

  constructor(options: { symbolCount: number; rows: number }) {
    this.reels = Array.from(
      { length: REELS },
      (_, reel) => new ReelMotion({ symbolCount: options.symbolCount, seed: 0x9e3779b9 ^ (reel * 7919 + 1) }),
    );
    this.boards = Array.from({ length: REELS }, () => new Uint8Array(options.rows));
  }

  get moving(): boolean {
    for (let reel = 0; reel < REELS; reel++) if (this.reels[reel]?.moving) return true;
    return false;
  }

  start(pace: ReelPace): void {
    this.pace = pace;
    this.nowMs = 0;
    this.stopping = false;
    this.anticipating = -1;
    for (let reel = 0; reel < REELS; reel++) this.reels[reel]?.start(pace, reel * pace.startGapMs);
  }

  set(board: readonly ArrayLike<number>[]): void {
    this.stopping = false;
    this.anticipating = -1;
    for (let reel = 0; reel < REELS; reel++) this.reels[reel]?.set(board[reel] ?? []);
  }

  stop(board: readonly ArrayLike<number>[], anticipation: readonly boolean[]): void {
    const pace = this.pace;
    if (pace === undefined) return;
    let dueMs = Math.max(this.nowMs, pace.firstStopMs);
    for (let reel = 0; reel < REELS; reel++) {
      this.boards[reel]?.set(board[reel] ?? []);
      const awaited = anticipation[reel] === true;
      this.awaited[reel] = awaited ? 1 : 0;
      this.released[reel] = 0;
      if (reel > 0) dueMs += pace.stopGapMs;
      if (awaited) dueMs += pace.anticipationMs;
      this.stopAtMs[reel] = dueMs;
    }
    this.stopping = true;
  }

  /** Stops all turning reels now. */
  hurry(): void {
    let gap = 0;
    for (let reel = 0; reel < REELS; reel++) {
      if (this.released[reel] === 1) continue;
      this.awaited[reel] = 0;
      this.stopAtMs[reel] = Math.min(this.stopAtMs[reel] ?? 0, this.nowMs + gap);
      gap += HURRY_GAP_MS;
    }
    this.anticipating = -1;
  }

  update(deltaMs: number): void {
    this.nowMs += deltaMs;
    if (this.stopping) this.release();
    for (let reel = 0; reel < REELS; reel++) this.reels[reel]?.update(deltaMs);
    if (this.stopping) this.anticipating = this.awaitedReel();
  }

  private release(): void {
    for (let reel = 0; reel < REELS; reel++) {
      if (this.released[reel] === 1 || (this.stopAtMs[reel] ?? 0) > this.nowMs) continue;
      this.released[reel] = 1;
      this.reels[reel]?.stop(this.boards[reel] ?? []);
    }
  }

  /** Returns the leftmost turning reel, if it has anticipation. */
  private awaitedReel(): number {
    for (let reel = 0; reel < REELS; reel++) {
      if (this.reels[reel]?.moving) return this.awaited[reel] === 1 ? reel : -1;
    }
    return -1;
  }
}
