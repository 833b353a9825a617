import { describe, expect, it } from 'vitest';
import type { GameStop, MaintenanceRefusal } from '../../store/rounds/maintenance.ts';
import { createDemoStops } from './demoStops.ts';

const CONFIG = { game: 'lines', version: '2.0.0' };
const PLAY = { ...CONFIG, mode: 'base' };

/** The stop applies to all games when nothing else is given. */
const stop = (more: Partial<GameStop>): GameStop => {
  return { gameID: '', version: '', mode: '', level: 'no_new_rounds', ...more };
};
const ALL = { level: 'nothing_at_all' } as const;

const NONE = undefined;
const SERVER = 'server_maintenance';
const GAME = 'game_maintenance';
type Refusals = { config: MaintenanceRefusal | undefined; play: MaintenanceRefusal | undefined };

it.each<[string, GameStop[], Refusals]>([
  ['nothing', [], { config: NONE, play: NONE }],
  ['no new rounds of the server', [stop({})], { config: NONE, play: SERVER }],
  ['nothing at all of the server', [stop(ALL)], { config: SERVER, play: SERVER }],
  ['no new rounds of the game', [stop({ gameID: 'lines' })], { config: NONE, play: GAME }],
  ['nothing at all of the game', [stop({ gameID: 'lines', ...ALL })], { config: GAME, play: GAME }],
  ['another game', [stop({ gameID: 'line', ...ALL })], { config: NONE, play: NONE }],
  ['the version', [stop({ gameID: 'lines', version: '2.0.0', ...ALL })], { config: GAME, play: GAME }],
  ['another version', [stop({ gameID: 'lines', version: '1.0.0', ...ALL })], { config: NONE, play: NONE }],
  ['the mode', [stop({ gameID: 'lines', mode: 'BASE' })], { config: NONE, play: GAME }],
  ['another mode', [stop({ gameID: 'lines', mode: 'ANTE' })], { config: NONE, play: NONE }],
  [
    'another mode, and the version',
    [stop({ gameID: 'lines', mode: 'ANTE' }), stop({ gameID: 'lines', version: '2.0.0' })],
    { config: NONE, play: GAME },
  ],
  ['the game and the server', [stop({ gameID: 'lines' }), stop(ALL)], { config: SERVER, play: SERVER }],
])('a stop of %s stops what it names', async (_, stops, refusals) => {
  const stopOf = createDemoStops(async () => stops);
  expect({ config: await stopOf(CONFIG), play: await stopOf(PLAY) }).toEqual(refusals);
});

describe('the database', () => {
  it('is read once a second, however many play', async () => {
    let reads = 0;
    let nowMs = 5_000;
    const read = async () => {
      reads += 1;
      return reads === 1 ? [] : [stop({})];
    };
    const stopOf = createDemoStops(read, () => nowMs);
    const all = () => Promise.all(Array.from({ length: 100 }, () => stopOf(PLAY)));
    expect(new Set([...(await all()), ...(await all())])).toEqual(new Set([NONE]));
    nowMs += 999;
    expect([await stopOf(PLAY), reads]).toEqual([NONE, 1]);
    nowMs += 1;
    expect([await stopOf(PLAY), reads]).toEqual([SERVER, 2]);
  });

  it('fails the requests that wait for it, and no later one', async () => {
    let reads = 0;
    const stopOf = createDemoStops(async () => {
      reads += 1;
      if (reads === 1) throw new Error('no connection');
      return [];
    });
    const results = await Promise.allSettled([stopOf(PLAY), stopOf(PLAY)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([await stopOf(PLAY), reads]).toEqual([NONE, 2]);
  });
});
