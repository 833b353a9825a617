import { expect, it } from 'vitest';
import type { StageSize } from '../game/stage.ts';
import { createFakeStage } from '../game/testing/fakeStage.ts';
import { createLazyStage } from './lazyStage.ts';

const SIZE: StageSize = { width: 800, height: 600, free: { x: 0, y: 0, width: 800, height: 500 } };

it('tells the stage the size that it learnt before it was there', async () => {
  const fake = createFakeStage();
  const sizes: StageSize[] = [];
  fake.resize = (size) => void sizes.push(size);
  const stage = createLazyStage(async () => fake);
  stage.resize({ ...SIZE, width: 400 });
  stage.resize(SIZE);
  const seen: number[] = [];
  await stage.load((progress) => seen.push(progress));
  expect(sizes).toEqual([SIZE]);
  expect(seen.at(-1)).toBe(1);
});

it('fails as its stage fails', async () => {
  const stage = createLazyStage(() => Promise.reject(new Error('not fetched')));
  await expect(stage.load(() => {})).rejects.toThrow('not fetched');
  stage.destroy();
});
