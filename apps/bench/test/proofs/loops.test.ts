import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { closedLoop, openLoop } from '../../src/loops.ts';

it('what falls due while every player waits is done afterwards, and its latency counts from when it was due', async () => {
  const units: { dueMs: number; beganMs: number }[] = [];
  let atOnce = 0;
  const play = async (dueMs = Number.NaN) => {
    atOnce += 1;
    expect(atOnce).toBe(1);
    units.push({ dueMs, beganMs: performance.now() });
    // The first unit lasts longer than all units take to fall due.
    if (units.length === 1) await wait(100);
    atOnce -= 1;
    return true;
  };
  const { done } = await openLoop([play], { seconds: 0.05, arrivalsPerSecond: 1_000 });
  expect(done).toBe(units.length);
  const [first, ...later] = units;
  expect(later.length).toBeGreaterThan(0);
  for (const { dueMs, beganMs } of later) {
    expect(dueMs - (first?.dueMs ?? 0)).toBeLessThan(50);
    expect(beganMs).toBeGreaterThan(dueMs);
  }
});

it('who gives up leaves no unit waiting, and a latency counts from when its unit was sent', async () => {
  const dueMs: (number | undefined)[] = [];
  const play = async (unitDueMs?: number) => {
    dueMs.push(unitDueMs);
    await wait(20);
    return true;
  };
  const { done, gaveUp } = await openLoop([play], { seconds: 0.1, arrivalsPerSecond: 5_000, givesUp: true });
  expect(done).toBeLessThanOrEqual(6);
  expect(dueMs).toEqual(Array(done).fill(undefined));
  expect(gaveUp).toBeGreaterThan(10 * done);
});

it.each([
  ['closed', closedLoop],
  ['open', openLoop],
])('the %s loop counts refusals apart, and a player that fails ends it', async (_name, loop) => {
  const options = { seconds: 0.2, arrivalsPerSecond: 1_000 };
  const refused = await loop([async () => false], options);
  expect(refused).toEqual({ done: 0, refused: expect.any(Number), gaveUp: 0 });
  expect(refused.refused).toBeGreaterThan(0);
  const failing = async () => Promise.reject(new Error('the connection is gone'));
  await expect(loop([failing], options)).rejects.toThrow('the connection is gone');
});
