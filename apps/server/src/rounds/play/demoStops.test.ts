import { describe, expect, it } from 'vitest';
import type { GameStop } from '../../store/rounds/maintenance.ts';
import { createDemoStops } from './demoStops.ts';

const CONFIG = { game: 'lines', version: '2.0.0' };
const PLAY = { ...CONFIG, mode: 'base' };

/** The stop applies to all games when nothing else is given. */
const stop = (more: Partial<GameStop>): GameStop => {
  return { gameID: '', version: '', mode: '', level: 'no_new_rounds', ...more };
};
const ALL = { level: 'nothing_at_all' } as const;

it.each<[string, GameStop[], stopped: { config: boolean; play: boolean }]>([
  ['nothing', [], { config: false, play: false }],
  ['no new rounds of the server', [stop({})], { config: false, play: true }],
  ['nothing at all of the server', [stop(ALL)], { config: true, play: true }],
  ['no new rounds of the game', [stop({ gameID: 'lines' })], { config: false, play: true }],
  ['nothing at all of the game', [stop({ gameID: 'lines', ...ALL })], { config: true, play: true }],
  ['another game', [stop({ gameID: 'line', ...ALL })], { config: false, play: false }],
  ['the version', [stop({ gameID: 'lines', version: '2.0.0', ...ALL })], { config: true, play: true }],
  ['another version', [stop({ gameID: 'lines', version: '1.0.0', ...ALL })], { config: false, play: false }],
  ['the mode', [stop({ gameID: 'lines', mode: 'BASE' })], { config: false, play: true }],
  ['another mode', [stop({ gameID: 'lines', mode: 'ANTE' })], { config: false, play: false }],
  [
    'another mode, and the version',
    [stop({ gameID: 'lines', mode: 'ANTE' }), stop({ gameID: 'lines', version: '2.0.0' })],
    { config: false, play: true },
  ],
])('a stop of %s stops what it names', async (_, stops, stopped) => {
  const isStopped = createDemoStops(async () => stops);
  expect({ config: await isStopped(CONFIG), play: await isStopped(PLAY) }).toEqual(stopped);
});

describe('the database', () => {
  it('is read once a second, however many play', async () => {
    let reads = 0;
    let nowMs = 5_000;
    const read = async () => {
      reads += 1;
      return reads === 1 ? [] : [stop({})];
    };
    const isStopped = createDemoStops(read, () => nowMs);
    const all = () => Promise.all(Array.from({ length: 100 }, () => isStopped(PLAY)));
    expect(new Set([...(await all()), ...(await all())])).toEqual(new Set([false]));
    nowMs += 999;
    expect([await isStopped(PLAY), reads]).toEqual([false, 1]);
    nowMs += 1;
    expect([await isStopped(PLAY), reads]).toEqual([true, 2]);
  });

  it('fails the requests that wait for it, and no later one', async () => {
    let reads = 0;
    const isStopped = createDemoStops(async () => {
      reads += 1;
      if (reads === 1) throw new Error('no connection');
      return [];
    });
    const results = await Promise.allSettled([isStopped(PLAY), isStopped(PLAY)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([await isStopped(PLAY), reads]).toEqual([false, 2]);
  });
});
