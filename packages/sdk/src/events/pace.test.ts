import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BookEvent, book, recordingPlayer, reveal, type Win, win } from '../../test/support/recordingPlayer.ts';
import { createEventPlayer } from './eventPlayer.ts';
import { PACE_FACTORS, type Pace } from './playback.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('skip', () => {
  it('ends the running wait and makes the rest instant, but not the next play', async () => {
    const { player, log } = recordingPlayer();
    const play = player.play(book);
    await vi.advanceTimersByTimeAsync(130);
    player.skip();
    await play;
    expect(log.slice(2)).toEqual(['win1 normal@100', 'done1@130', 'win2 instant@130', 'done2@130']);
    const next = player.play([win]);
    await vi.runAllTimersAsync();
    await next;
    expect(log.at(-1)).toBe('done0@230');
  });

  it('stays in force when the pace is changed afterwards', async () => {
    const { player, note, log } = recordingPlayer();
    const play = player.play(book).then(() => note('end'));
    player.skip();
    player.setPace('normal');
    await play;
    expect(log.at(-1)).toBe('end@0');
  });

  it('ends waits that run side by side, and one that the handler left behind', async () => {
    const ended: string[] = [];
    const player = createEventPlayer<BookEvent>({
      reveal: (_, { wait }) => void wait(5000).then(() => ended.push('left behind')),
      win: async (_, { wait }) => {
        await Promise.all([wait(1000), wait(2000), wait(3000)]);
        ended.push('side by side');
      },
    });
    const play = player.play([reveal, win]);
    await vi.advanceTimersByTimeAsync(10);
    player.skip();
    await play;
    expect(ended.sort()).toEqual(['left behind', 'side by side']);
  });

  it('tells who listens, once, and only while the event is shown', async () => {
    const heard: string[] = [];
    const player = createEventPlayer<BookEvent>({
      reveal: (_, { onSkip }) => void onSkip(() => heard.push('reveal')),
      win: async (_, { onSkip, wait }) => {
        onSkip(() => heard.push('win'));
        onSkip(() => heard.push('taken back'))();
        await wait(100);
      },
    });
    const play = player.play([reveal, win]);
    await vi.advanceTimersByTimeAsync(10);
    player.skip();
    player.skip();
    await play;
    expect(heard).toEqual(['win']);
  });

  it('calls a listener that comes later, after the handler has what onSkip returns', async () => {
    const heard: string[] = [];
    const player = createEventPlayer<Win>(
      {
        win: async (_, { onSkip }) => {
          onSkip(() => heard.push('skipped'));
          const takeBack = onSkip(() => heard.push('taken back'));
          heard.push('listening');
          takeBack();
          await Promise.resolve();
        },
      },
      { pace: 'instant' },
    );
    await player.play([win]);
    expect(heard).toEqual(['listening', 'skipped']);
  });

  it('does nothing when nothing plays', async () => {
    const { player, note, log } = recordingPlayer();
    player.skip();
    player.stop();
    const play = player.play([win]).then(() => note('end'));
    await vi.runAllTimersAsync();
    await play;
    expect(log.at(-1)).toBe('end@100');
  });
});

describe('setPace', () => {
  it('shortens what is left of the running wait in proportion', async () => {
    const { player, log } = recordingPlayer();
    const play = player.play([win]);
    await vi.advanceTimersByTimeAsync(40);
    player.setPace('turbo');
    await vi.runAllTimersAsync();
    await play;
    expect(log.at(-1)).toBe('done0@70');
  });

  it('lengthens it too', async () => {
    const { player, log } = recordingPlayer({ pace: 'superTurbo' });
    const play = player.play([win]);
    await vi.advanceTimersByTimeAsync(10);
    player.setPace('normal');
    await vi.runAllTimersAsync();
    await play;
    expect(log.at(-1)).toBe('done0@70');
  });

  it('counts for the rest of the play and for the next', async () => {
    const { player, log } = recordingPlayer();
    player.setPace('turbo');
    for (let round = 0; round < 2; round++) {
      const play = player.play([win]);
      await vi.runAllTimersAsync();
      await play;
    }
    expect(log).toEqual(['win0 turbo@0', 'done0@50', 'win0 turbo@50', 'done0@100']);
  });

  it('to instant is a skip that can be taken back', async () => {
    const heard: string[] = [];
    const player = createEventPlayer<Win>({
      win: async (_, controls) => {
        controls.onSkip(() => heard.push('skipped'));
        await controls.wait(100);
        player.setPace('normal');
        heard.push(controls.pace);
        await controls.wait(100);
      },
    });
    const play = player.play([win]);
    player.setPace('instant');
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(100);
    await play;
    expect(heard).toEqual(['skipped', 'normal']);
  });
});

const anyPace = fc.constantFrom<Pace>('normal', 'turbo', 'superTurbo', 'instant');
const anyAction = fc.record({ afterMs: fc.nat(300), to: fc.oneof(anyPace, fc.constant('skip' as const)) });

describe('whatever the player of the game presses', () => {
  it('each event is shown once, in order, one at a time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(200), { maxLength: 12 }),
        fc.nat(14),
        fc.array(anyAction, { maxLength: 12 }),
        async (waitsMs, from, actions) => {
          const log: string[] = [];
          const events = waitsMs.map((ms, index) => ({ index, type: 'step' as const, ms }));
          const player = createEventPlayer<(typeof events)[number]>({
            step: async (event, { wait, index }) => {
              log.push(`begin ${event.index} ${index}`);
              await wait(event.ms);
              log.push(`end ${event.index} ${index}`);
            },
          });
          const play = player.play(events, { from, onEvent: (index) => void log.push(`mark ${index}`) });
          for (const { afterMs, to } of actions) {
            await vi.advanceTimersByTimeAsync(afterMs);
            if (to === 'skip') player.skip();
            else player.setPace(to);
          }
          await vi.runAllTimersAsync();
          await play;
          const expected = events.flatMap(({ index }) => [
            ...(index >= from ? [`mark ${index}`] : []),
            `begin ${index} ${index}`,
            `end ${index} ${index}`,
          ]);
          expect(log).toEqual(expected);
        },
      ),
    );
  });

  it('a wait takes what its milliseconds come to at each pace', async () => {
    const changes = fc.array(fc.record({ afterMs: fc.integer({ min: 1, max: 100 }), to: anyPace }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), changes, async (ms, steps) => {
        const { player, log } = recordingPlayer({ waitMs: ms });
        const play = player.play([win]);
        await vi.advanceTimersByTimeAsync(0);
        let [pace, leftMs, tookMs]: [Pace, number, number] = ['normal', ms, 0];
        for (const { afterMs, to } of steps) {
          await vi.advanceTimersByTimeAsync(afterMs);
          player.setPace(to);
          const passesMs = Math.min(afterMs, leftMs * PACE_FACTORS[pace]);
          if (leftMs > 0) tookMs += passesMs;
          leftMs = pace === 'instant' ? 0 : Math.max(0, leftMs - passesMs / PACE_FACTORS[pace]);
          pace = to;
        }
        await vi.runAllTimersAsync();
        await play;
        const actualMs = Number(log.at(-1)?.split('@')[1]);
        // Timers keep whole milliseconds, and each change of pace may lose a part of one.
        expect(Math.abs(actualMs - (tookMs + leftMs * PACE_FACTORS[pace]))).toBeLessThanOrEqual(1 + steps.length);
      }),
    );
  });
});
