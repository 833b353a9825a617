import { describe, expect, it } from 'vitest';
import { REEL_PACES, type ReelPace } from '../times.ts';
import { CELLS } from './reelMotion.ts';
import { ReelSchedule } from './reelSchedule.ts';

const BOARD = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [9, 10, 0],
  [1, 2, 3],
];
const NONE = [false, false, false, false, false];
const FRAME_MS = 10;

/** Returns when each reel came to rest, in milliseconds after `stop`. */
function landings(schedule: ReelSchedule): number[] {
  const at = [0, 0, 0, 0, 0];
  for (let timeMs = FRAME_MS; schedule.moving && timeMs < 20_000; timeMs += FRAME_MS) {
    schedule.update(FRAME_MS);
    schedule.reels.forEach((reel, index) => {
      if (reel.landed) at[index] = timeMs;
      reel.landed = false;
    });
  }
  return at;
}

function started(pace: ReelPace, turnedMs = 3000): ReelSchedule {
  const schedule = new ReelSchedule({ symbolCount: 11, rows: 3 });
  schedule.start(pace);
  for (let timeMs = 0; timeMs < turnedMs; timeMs += FRAME_MS) schedule.update(FRAME_MS);
  return schedule;
}

function board(schedule: ReelSchedule): number[][] {
  return schedule.reels.map((reel) => [...reel.cells.slice(1, CELLS - 1)]);
}

describe('the reels', () => {
  it('turn on while no board is known', () => {
    const schedule = started(REEL_PACES.normal, 30_000);
    expect(schedule.reels.every((reel) => reel.moving)).toBe(true);
  });

  it('stop one after the other on the target board', () => {
    const schedule = started(REEL_PACES.normal);
    schedule.stop(BOARD, NONE);
    const at = landings(schedule);
    for (let reel = 1; reel < 5; reel++) {
      const gapMs = (at[reel] ?? 0) - (at[reel - 1] ?? 0);
      expect(gapMs).toBeGreaterThan(REEL_PACES.normal.stopGapMs - 60);
      expect(gapMs).toBeLessThan(REEL_PACES.normal.stopGapMs + 60);
    }
    expect(board(schedule)).toEqual(BOARD);
  });

  it('turn for a moment even when the response is immediate', () => {
    const schedule = started(REEL_PACES.normal, 0);
    schedule.stop(BOARD, NONE);
    const [first = 0] = landings(schedule);
    expect(first).toBeGreaterThanOrEqual(REEL_PACES.normal.firstStopMs);
    expect(first).toBeLessThan(REEL_PACES.normal.firstStopMs + 700);
    expect(board(schedule)).toEqual(BOARD);
  });

  it('turn longer with anticipation, and report which reel has it', () => {
    const plain = started(REEL_PACES.normal);
    plain.stop(BOARD, NONE);
    const usual = landings(plain);
    const schedule = started(REEL_PACES.normal);
    schedule.stop(BOARD, [false, false, true, true, false]);
    const named = new Set<number>();
    const at: number[] = [];
    for (let timeMs = FRAME_MS; schedule.moving; timeMs += FRAME_MS) {
      schedule.update(FRAME_MS);
      named.add(schedule.anticipating);
      schedule.reels.forEach((reel, index) => {
        if (reel.landed) at[index] = timeMs;
        reel.landed = false;
      });
    }
    expect((at[1] ?? 0) - (usual[1] ?? 0)).toBeLessThan(50);
    expect((at[2] ?? 0) - (usual[2] ?? 0)).toBeGreaterThan(REEL_PACES.normal.anticipationMs - 80);
    expect((at[4] ?? 0) - (usual[4] ?? 0)).toBeGreaterThan(2 * REEL_PACES.normal.anticipationMs - 80);
    expect([...named].sort((a, b) => a - b)).toEqual([-1, 2, 3]);
    expect(schedule.anticipating).toBe(-1);
    expect(board(schedule)).toEqual(BOARD);
  });

  it('all land soon when they are hurried, on the same board and without waiting', () => {
    const schedule = started(REEL_PACES.normal);
    schedule.stop(BOARD, [false, false, true, true, true]);
    schedule.update(FRAME_MS);
    schedule.hurry();
    const at = landings(schedule);
    expect(Math.max(...at)).toBeLessThan(700);
    expect(board(schedule)).toEqual(BOARD);
  });

  it('stop faster at each faster pace', () => {
    const ends = (['normal', 'turbo', 'superTurbo'] as const).map((pace) => {
      const schedule = started(REEL_PACES[pace], 0);
      schedule.stop(BOARD, NONE);
      return Math.max(...landings(schedule));
    });
    const [normal = 0, turbo = 0, superTurbo = 0] = ends;
    expect(turbo).toBeLessThan(normal * 0.62);
    expect(superTurbo).toBeLessThan(turbo);
  });

  it('stop together at the fastest pace', () => {
    const schedule = started(REEL_PACES.superTurbo);
    schedule.stop(BOARD, NONE);
    const at = landings(schedule);
    expect(Math.max(...at) - Math.min(...at)).toBeLessThan(60);
  });

  it('show a board at once', () => {
    const schedule = started(REEL_PACES.normal);
    schedule.set(BOARD);
    expect(schedule.moving).toBe(false);
    expect(board(schedule)).toEqual(BOARD);
  });
});
