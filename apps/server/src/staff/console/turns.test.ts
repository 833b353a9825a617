import { expect, it } from 'vitest';
import { createPlaces, createTurns } from './turns.ts';

/** Work that ends when the test says so. */
function createWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

it('the work of a user runs in its order, a limited number at a time; another user does not wait for it', async () => {
  const turns = createTurns({ each: 2, waiting: 5 });
  const { begun, work, end } = createWork();
  const running = ['a', 'b', 'c', 'd'].map((name) => turns.run('ann', work(name)));
  const others = turns.run('bob', work('of bob'));
  expect(begun).toEqual(['a', 'b', 'of bob']);
  end('b');
  expect(await running[1]).toBe('b');
  expect(begun).toEqual(['a', 'b', 'of bob', 'c']);
  end('a');
  await running[0];
  for (const name of ['c', 'd', 'of bob']) end(name);
  expect(await Promise.all([...running, others])).toEqual(['a', 'b', 'c', 'd', 'of bob']);
});

it('one request more than may wait is refused, and the turn of a failed one goes on', async () => {
  const turns = createTurns({ each: 1, waiting: 1 });
  const { begun, work, end } = createWork();
  let fail = () => {};
  const failing = turns.run('ann', () => new Promise<never>((_, reject) => (fail = () => reject(new Error('broken')))));
  const next = turns.run('ann', work('next'));
  expect(await turns.run('ann', work('refused'))).toMatchObject({ status: 429, body: { error: 'ERR_VAL' } });
  fail();
  await expect(failing).rejects.toThrow('broken');
  expect(begun).toEqual(['next']);
  end('next');
  expect(await next).toBe('next');
  const later = turns.run('ann', work('later'));
  end('later');
  expect(await later).toBe('later');
});

it('a user and all users together have a limited number of slots, and a slot is given back once', () => {
  const places = createPlaces({ each: 2, all: 3, what: 'live pages' });
  const take = (user: string) => places.take(user);
  const first = take('ann');
  expect(take('ann')).toBeTypeOf('function');
  expect(take('ann')).toMatchObject({
    status: 429,
    body: { message: expect.stringMatching(/^you have 2 live pages open already/) },
  });
  expect(take('bob')).toBeTypeOf('function');
  expect(take('bob')).toMatchObject({
    status: 429,
    body: { message: expect.stringMatching(/^all users together have 3 live pages/) },
  });
  if (typeof first !== 'function') throw new Error('the first place is there');
  first();
  first();
  expect(take('bob')).toBeTypeOf('function');
  expect(take('ann')).toMatchObject({ status: 429 });
});
