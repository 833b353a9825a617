import { expect, it } from 'vitest';
import { spreadApart } from './lineNumbers.ts';

const ROOM = { spacing: 60, from: -300, to: 300 };

it('leaves numbers where they wish to be when none touches another', () => {
  expect(spreadApart([-200, 0, 200], ROOM)).toEqual([-200, 0, 200]);
  expect(spreadApart([], ROOM)).toEqual([]);
});

it('moves numbers with one wish apart, around it, and their neighbours with them', () => {
  expect(spreadApart([0, 0, 0], ROOM)).toEqual([-60, 0, 60]);
  expect(spreadApart([0, 0, 0, 70], ROOM)).toEqual([-72.5, -12.5, 47.5, 107.5]);
});

it('stays inside the room', () => {
  expect(spreadApart([-300, -300, 0, 300, 300], ROOM)).toEqual([-300, -240, 0, 240, 300]);
});

it('shares the room evenly when the numbers need more than there is', () => {
  expect(spreadApart(Array(21).fill(10), ROOM)).toEqual(Array.from({ length: 21 }, (_, place) => -300 + place * 30));
});
