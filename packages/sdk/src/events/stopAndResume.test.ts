import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BookEvent, book, outcomeOf, recordingPlayer, type Win, win } from '../../test/support/recordingPlayer.ts';
import { createEventPlayer, type EventPlayer } from './eventPlayer.ts';
import { type Pace, PlaybackStoppedError, type PlayControls } from './playback.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('stop', () => {
  it('rejects the play at once, and the handler does not go on', async () => {
    const { player, log } = recordingPlayer();
    const play = outcomeOf(player.play(book));
    await vi.advanceTimersByTimeAsync(130);
    player.stop();
    expect(await play).toBeInstanceOf(PlaybackStoppedError);
    await vi.runAllTimersAsync();
    expect(log).toEqual(['reveal0 normal@0', 'done0@100', 'win1 normal@100']);
  });

  it('does not wait for a handler that never ends, and ignores its later result', async () => {
    let finish: (error: Error) => void = () => {};
    const calls: string[] = [];
    const player = createEventPlayer<BookEvent>({
      reveal: () => new Promise<void>((_, reject) => (finish = reject)),
      win: () => void calls.push('win'),
    });
    const play = outcomeOf(player.play(book));
    await vi.advanceTimersByTimeAsync(0);
    player.stop();
    expect(await play).toBeInstanceOf(PlaybackStoppedError);
    finish(new Error('too late'));
    await vi.runAllTimersAsync();
    expect(calls).toEqual([]);
  });

  it('lets the next play begin at once, without effects of the old one', async () => {
    const { player, log } = recordingPlayer();
    const first = outcomeOf(player.play(book));
    await vi.advanceTimersByTimeAsync(0);
    player.stop();
    const second = player.play([win]);
    expect(await first).toBeInstanceOf(PlaybackStoppedError);
    await expect(player.play([win])).rejects.toThrow('already');
    await vi.runAllTimersAsync();
    await second;
    expect(log).toEqual(['reveal0 normal@0', 'win0 normal@0', 'done0@100']);
  });

  it('ends a wait that nobody looks at, without an unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const player: EventPlayer<BookEvent> = createEventPlayer({
      reveal: (_, { wait }) => void wait(5000),
      win: () => player.stop(),
    });
    expect(await outcomeOf(player.play(book))).toBeInstanceOf(PlaybackStoppedError);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('rejects a wait that begins afterwards', async () => {
    let kept: PlayControls | undefined;
    const player = createEventPlayer<Win>({
      win: (_, controls) => {
        kept = controls;
        return controls.wait(100);
      },
    });
    const play = outcomeOf(player.play([win]));
    await vi.advanceTimersByTimeAsync(0);
    player.stop();
    await play;
    await expect(kept?.wait(10)).rejects.toBeInstanceOf(PlaybackStoppedError);
  });
});

describe('catching up', () => {
  it('shows what comes before instantly, the rest at the chosen pace', async () => {
    const { player, log } = recordingPlayer({ pace: 'turbo' });
    const play = player.play(book, { from: 2 });
    await vi.runAllTimersAsync();
    await play;
    expect(log).toEqual(['reveal0 instant@0', 'done0@0', 'win1 instant@0', 'done1@0', 'win2 turbo@0', 'done2@50']);
  });

  it('stays instant when the pace is changed meanwhile', async () => {
    const paces: Pace[] = [];
    const player = createEventPlayer<Win>({
      win: (_, controls) => {
        player.setPace('normal');
        paces.push(controls.pace);
      },
    });
    await player.play([win, win, win], { from: 2 });
    expect(paces).toEqual(['instant', 'instant', 'normal']);
  });

  it('calls onEvent for the events from there on, and awaits it before the handler', async () => {
    const { player, log, note } = recordingPlayer();
    const onEvent = async (index: number) => {
      await new Promise<void>((resolve) => setTimeout(resolve, 5));
      note(`recorded${index}`);
    };
    const play = player.play(book, { from: 1, onEvent });
    await vi.runAllTimersAsync();
    await play;
    expect(log.slice(2)).toEqual([
      'recorded1@5',
      'win1 normal@5',
      'done1@105',
      'recorded2@110',
      'win2 normal@110',
      'done2@210',
    ]);
  });

  it('shows nothing more when it was stopped while an event was recorded', async () => {
    const { player, log } = recordingPlayer();
    const play = outcomeOf(player.play(book, { onEvent: () => player.stop() }));
    expect(await play).toBeInstanceOf(PlaybackStoppedError);
    expect(log).toEqual([]);
  });
});
