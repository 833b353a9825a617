import { describe, expect, it } from 'vitest';
import { placeAfterKey } from './betDialogs.tsx';

/** 0 1 2 3 / 4 5 6 7 / 8 9 */
const GRID = { count: 10, columns: 4, isRightToLeft: false };

describe('arrow keys in a grid', () => {
  it('move by one in a row and by a row in a column', () => {
    expect(placeAfterKey('ArrowRight', { ...GRID, from: 3 })).toBe(4);
    expect(placeAfterKey('ArrowLeft', { ...GRID, from: 4 })).toBe(3);
    expect(placeAfterKey('ArrowDown', { ...GRID, from: 5 })).toBe(9);
    expect(placeAfterKey('ArrowUp', { ...GRID, from: 5 })).toBe(1);
  });

  it('go the other way along a row that is read from the right', () => {
    expect(placeAfterKey('ArrowRight', { ...GRID, from: 4, isRightToLeft: true })).toBe(3);
    expect(placeAfterKey('ArrowLeft', { ...GRID, from: 4, isRightToLeft: true })).toBe(5);
    expect(placeAfterKey('ArrowDown', { ...GRID, from: 4, isRightToLeft: true })).toBe(8);
  });

  it('stay inside: over an edge, and below a last row that is not full', () => {
    expect(placeAfterKey('ArrowLeft', { ...GRID, from: 0 })).toBeUndefined();
    expect(placeAfterKey('ArrowUp', { ...GRID, from: 2 })).toBeUndefined();
    expect(placeAfterKey('ArrowDown', { ...GRID, from: 7 })).toBeUndefined();
    expect(placeAfterKey('ArrowRight', { ...GRID, from: 9 })).toBeUndefined();
  });

  it('jump to the ends, and leave all other keys alone', () => {
    expect(placeAfterKey('Home', { ...GRID, from: 6 })).toBe(0);
    expect(placeAfterKey('End', { ...GRID, from: 6 })).toBe(9);
    expect(placeAfterKey('Enter', { ...GRID, from: 6 })).toBeUndefined();
  });
});
