import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type BookEvent,
  book,
  outcomeOf,
  recordingPlayer,
  reveal,
  type Win,
  win,
} from '../../test/support/recordingPlayer.ts';
import { createEventPlayer } from './eventPlayer.ts';
import { EventHandlerError, type EventHandlers } from './playback.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('a player', () => {
  it('shows one event after the other, each awaited', async () => {
    const { player, log } = recordingPlayer();
    const play = player.play(book);
    await vi.runAllTimersAsync();
    await play;
    expect(log).toEqual([
      'reveal0 normal@0',
      'done0@100',
      'win1 normal@100',
      'done1@200',
      'win2 normal@200',
      'done2@300',
    ]);
  });

  it.each([
    ['normal', 300],
    ['turbo', 150],
    ['superTurbo', 75],
    ['instant', 0],
  ] as const)('takes at pace %s %i ms', async (pace, durationMs) => {
    const { player, note, log } = recordingPlayer({ pace });
    const play = player.play(book).then(() => note('end'));
    await vi.runAllTimersAsync();
    await play;
    expect(log.at(-1)).toBe(`end@${durationMs}`);
  });

  it('gives a handler the event of its type, and this', async () => {
    const handlers: EventHandlers<BookEvent> & { shown: unknown[] } = {
      shown: [],
      reveal(event) {
        this.shown.push(event.board);
      },
      win(event) {
        this.shown.push(event.amount);
      },
    };
    await createEventPlayer<BookEvent>(handlers).play(book);
    expect(handlers.shown).toEqual(['AAA', 5, 7]);
  });

  it('plays nothing when there is nothing', async () => {
    await recordingPlayer().player.play([]);
  });

  it('plays again and again, and each play from the beginning', async () => {
    const { player, log } = recordingPlayer({ pace: 'instant' });
    await player.play(book);
    player.skip();
    await player.play([win]);
    expect(log.filter((line) => !line.startsWith('done'))).toEqual([
      'reveal0 instant@0',
      'win1 instant@0',
      'win2 instant@0',
      'win0 instant@0',
    ]);
  });

  it('refuses a second play while one runs, which goes on', async () => {
    const { player, log } = recordingPlayer();
    const play = player.play(book);
    await expect(player.play(book)).rejects.toThrow('this player is showing a book already');
    await vi.runAllTimersAsync();
    await play;
    expect(log).toHaveLength(6);
  });

  it('takes a wait of nothing, of less than nothing and of no number as none', async () => {
    const player = createEventPlayer<Win>({
      win: async (_, { wait }) => {
        for (const ms of [0, -5, Number.NaN]) await wait(ms);
      },
    });
    await player.play([win]);
  });
});

describe('events without a handler', () => {
  const odd = [null, undefined, 7, 'text', {}, { type: 'new' }, { type: 'constructor' }, { type: '__proto__' }];

  it('are ignored', async () => {
    const { player, log } = recordingPlayer({ pace: 'instant' });
    await player.play([...odd, win] as BookEvent[]);
    expect(log).toEqual(['win8 instant@0', 'done8@0']);
  });

  it('are given to onUnknown in their turn', async () => {
    const told: unknown[] = [];
    const player = createEventPlayer<Win>(
      { win: () => void told.push('win') },
      { onUnknown: (event) => told.push(event) },
    );
    await player.play([win, { type: 'new' }, win, ...odd] as Win[]);
    expect(told).toEqual(['win', { type: 'new' }, 'win', ...odd]);
  });
});

describe('a failure', () => {
  it.each([
    [
      'thrown',
      () => {
        throw new Error('no sprite');
      },
    ],
    ['rejected', () => Promise.reject(new Error('no sprite'))],
  ])('of a handler, %s, rejects the play with the place of the event', async (_, fail) => {
    const shown: number[] = [];
    const player = createEventPlayer<BookEvent>({ reveal: (event) => void shown.push(event.index), win: fail });
    const error = await outcomeOf(player.play(book));
    expect(error).toBeInstanceOf(EventHandlerError);
    expect(error).toMatchObject({ index: 1, message: 'event 1 (win) could not be shown: no sprite' });
    expect((error as EventHandlerError).cause).toEqual(new Error('no sprite'));
    expect(shown).toEqual([0]);
    await player.play([reveal]);
  });

  it('of onEvent does the same, and the event is not shown', async () => {
    const { player, log } = recordingPlayer({ pace: 'instant' });
    const error = await outcomeOf(player.play(book, { onEvent: () => Promise.reject('offline') }));
    expect(error).toMatchObject({
      index: 0,
      message: 'event 0 (reveal) could not be shown: offline',
      cause: 'offline',
    });
    expect(log).toEqual([]);
  });

  it('of a listener does the same', async () => {
    const player = createEventPlayer<Win>({
      win: async (_, { onSkip, wait }) => {
        onSkip(() => {
          throw new Error('no tween');
        });
        await wait(100);
      },
    });
    const play = outcomeOf(player.play([win]));
    await vi.advanceTimersByTimeAsync(0);
    player.skip();
    expect(await play).toMatchObject({ index: 0, message: 'event 0 (win) could not be shown: no tween' });
  });

  it('ends the other waits of the play', async () => {
    const player = createEventPlayer<Win>({
      win: async (_, { wait }) => {
        await Promise.all([wait(5000), wait(10).then(() => Promise.reject(new Error('no sound')))]);
      },
    });
    const play = outcomeOf(player.play([win]));
    await vi.advanceTimersByTimeAsync(10);
    expect(await play).toBeInstanceOf(EventHandlerError);
  });
});

it('a missing handler does not compile, nor does one for a type that there is not, nor a wrong event', () => {
  // @ts-expect-error: there is no handler for win
  createEventPlayer<BookEvent>({ reveal: () => {} });
  // @ts-expect-error: no event has the type lose
  createEventPlayer<BookEvent>({ reveal: () => {}, win: () => {}, lose: () => {} });
  // @ts-expect-error: a reveal has no amount
  createEventPlayer<BookEvent>({ reveal: (event) => void event.amount, win: () => {} });
  const player = createEventPlayer<BookEvent>({ reveal: (event) => void event.board, win: () => {} });
  // @ts-expect-error: this is not an event of the book
  void player.play([{ index: 0, type: 'lose' }]);
  expect(player).toBeDefined();
});
