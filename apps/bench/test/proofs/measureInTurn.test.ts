import { expect, it } from 'vitest';
import { measureInTurn, median, type Probe } from '../../src/measureInTurn.ts';

it('probes are measured in turn, there and back, and each number is the median of its samples', async () => {
  const taken: string[] = [];
  const rates: Record<string, number[]> = { a: [1, 900, 5000, 1000], b: [1, 100, 10, 100] };
  const probe = (name: string): Probe<{ name: string }> => ({
    facts: { name },
    title: name,
    warmedWith: name,
    async load() {
      taken.push(name);
      const perSecond = rates[name]?.shift() ?? 0;
      return { units: 50, perSecond, p50Ms: 1, p99Ms: 2 };
    },
    serverClock: async () => undefined,
  });
  const options = {
    seconds: 1,
    rounds: 3,
    generatorClock: clockThatAdds(0.001),
    postgresClock: clockThatAdds(0.01),
    untilQuiet: async () => {},
    say: () => {},
  };
  const cells = await measureInTurn([probe('a'), probe('b')], options);

  const warmUp = ['a', 'b'];
  expect(taken).toEqual([...warmUp, 'a', 'b', 'b', 'a', 'a', 'b']);
  expect(cells.map(({ name, perSecond }) => [name, perSecond])).toEqual([
    ['a', 1000],
    ['b', 100],
  ]);
  expect(cells[0]).toMatchObject({ p50Ms: 1, p99Ms: 2, samples: [900, 5000, 1000] });
  expect(cells[0]?.generatorMicros).toBeCloseTo(20);
  expect(cells[0]?.postgresMicros).toBeCloseTo(200);
  expect(cells[0]?.serverMicros).toBeUndefined();
});

function clockThatAdds(seconds: number) {
  let now = 0;
  return async () => {
    now += seconds;
    return now;
  };
}

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[undefined, 7], 7],
  [[undefined], undefined],
])('the median of %j is %s', (values, expected) => {
  expect(median(values)).toBe(expected);
});
