import { describe, expect, it } from 'vitest';
import { REEL_PACES } from '../times.ts';
import { backOut, CELLS, ReelMotion } from './reelMotion.ts';

const SYMBOL_COUNT = 11;
const FRAME_MS = 1000 / 60;
const BOARD = [4, 9, 2];

function turning(): ReelMotion {
  const reel = new ReelMotion({ symbolCount: SYMBOL_COUNT, seed: 7 });
  reel.start(REEL_PACES.normal, 0);
  return reel;
}

function run(reel: ReelMotion, frames: number, frameMs = FRAME_MS): void {
  for (let frame = 0; frame < frames; frame++) reel.update(frameMs);
}

function inWindow(reel: ReelMotion): number[] {
  return [...reel.cells.slice(1, CELLS - 1)];
}

describe('a reel', () => {
  it('turns until it is stopped', () => {
    const reel = turning();
    run(reel, 1000);
    expect(reel.phase).toBe('turning');
    expect(reel.travel).toBeGreaterThan(400);
  });

  it('shows exactly the target symbols, on whole rows, after 1,000 frames and a stop', () => {
    const reel = turning();
    run(reel, 1000);
    reel.stop(BOARD);
    run(reel, 120);
    expect(reel.phase).toBe('rest');
    expect(reel.fraction).toBe(0);
    expect(Number.isInteger(reel.travel)).toBe(true);
    expect(inWindow(reel)).toEqual(BOARD);
  });

  it.each([4, 7, 16.667, 33, 100, 200])('lands on the same symbols with frames of %d ms', (frameMs) => {
    for (let startFrames = 1; startFrames < 30; startFrames++) {
      const reel = turning();
      run(reel, startFrames, frameMs);
      reel.stop(BOARD);
      run(reel, 2000, frameMs);
      expect(inWindow(reel)).toEqual(BOARD);
      expect(reel.fraction).toBe(0);
    }
  });

  it('takes every target symbol in from above, and changes none that is visible', () => {
    const reel = turning();
    run(reel, 200);
    reel.stop(BOARD);
    let before = [...reel.cells];
    let changes = 0;
    while (reel.moving) {
      // The step is so short that it passes no two rows.
      reel.update(2);
      const after = [...reel.cells];
      if (after.some((symbol, cell) => symbol !== before[cell])) {
        expect(after.slice(1)).toEqual(before.slice(0, -1));
        changes++;
      }
      before = after;
    }
    expect(changes).toBeGreaterThanOrEqual(3);
  });

  it('pulls back a little before it turns', () => {
    const reel = turning();
    reel.update(100);
    expect(reel.fraction).toBeLessThan(0);
    expect(reel.fraction).toBeGreaterThan(-0.5);
  });

  it('runs past its place and comes back, but never by a whole row', () => {
    const reel = turning();
    run(reel, 100);
    reel.stop(BOARD);
    let farthest = 0;
    while (reel.moving) {
      reel.update(4);
      farthest = Math.max(farthest, reel.travel);
    }
    expect(farthest).toBeGreaterThan(reel.travel + 0.05);
    expect(farthest).toBeLessThan(reel.travel + 0.5);
  });

  it('never jumps: no step is longer than its speed allows', () => {
    const reel = turning();
    run(reel, 100);
    reel.stop(BOARD);
    let last = reel.travel;
    while (reel.moving) {
      reel.update(FRAME_MS);
      expect(Math.abs(reel.travel - last)).toBeLessThan((REEL_PACES.normal.speed * FRAME_MS) / 1000 + 0.02);
      last = reel.travel;
    }
  });

  it('reports once when its symbols arrive and once when it rests', () => {
    const reel = turning();
    run(reel, 60);
    reel.stop(BOARD);
    let struck = 0;
    let landed = 0;
    for (let frame = 0; frame < 200; frame++) {
      reel.update(FRAME_MS);
      if (reel.struck) struck++;
      if (reel.landed) landed++;
      reel.struck = false;
      reel.landed = false;
    }
    expect([struck, landed]).toEqual([1, 1]);
  });

  it('keeps the first stop it was given', () => {
    const reel = turning();
    run(reel, 60);
    reel.stop(BOARD);
    reel.stop([0, 0, 0]);
    run(reel, 200);
    expect(inWindow(reel)).toEqual(BOARD);
  });

  it('shows a board at once, also in the middle of a spin', () => {
    const reel = turning();
    run(reel, 33);
    reel.set(BOARD);
    expect(reel.moving).toBe(false);
    expect(reel.fraction).toBe(0);
    expect(inWindow(reel)).toEqual(BOARD);
  });

  it('shows only symbols that exist while it turns', () => {
    const reel = turning();
    const seen = new Set<number>();
    for (let frame = 0; frame < 3000; frame++) {
      reel.update(FRAME_MS);
      for (const symbol of reel.cells) seen.add(symbol);
    }
    expect(Math.max(...seen)).toBeLessThan(SYMBOL_COUNT);
    expect(seen.size).toBe(SYMBOL_COUNT);
  });

  it('settles with the slope at which it turned', () => {
    const slope = (backOut(1e-6, 1.5) - backOut(0, 1.5)) / 1e-6;
    expect(slope).toBeCloseTo(4.5, 3);
    expect(backOut(1, 1.5)).toBe(1);
  });
});
