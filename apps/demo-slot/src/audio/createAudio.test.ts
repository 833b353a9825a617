import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AudioPort } from '../game/ports.ts';
import type { SynthesisRequest, SynthesisResult } from './synthWorker.ts';

type Playing = { name: string; volume: number; stopped: boolean; end: () => void };

const heard: Playing[] = [];
const library = vi.hoisted(() => ({
  muted: false,
  imports: 0,
  fails: false,
  context: { paused: false },
  volumes: new Map<string, number>(),
}));

/** Makes samples whose length identifies the sound. */
class FakeWorker {
  static requests: SynthesisRequest[] = [];
  static deliver: (result: SynthesisResult) => void = () => {};
  static terminated = 0;

  addEventListener(_type: 'message', listener: (event: { data: SynthesisResult }) => void): void {
    FakeWorker.deliver = (data) => listener({ data });
  }
  postMessage(request: SynthesisRequest): void {
    FakeWorker.requests.push(request);
  }
  terminate(): void {
    FakeWorker.terminated += 1;
  }
}

vi.mock('@pixi/sound', () => {
  library.imports += 1;
  return {
    sound: {
      context: library.context,
      muteAll: () => {
        library.muted = true;
      },
      unmuteAll: () => {
        library.muted = false;
      },
    },
    Sound: {
      from: ({ source }: { source: { length: number } }) => ({
        set volume(volume: number) {
          library.volumes.set(FakeWorker.requests[source.length - 1]?.name ?? '', volume);
        },
        play: ({ volume }: { volume: number }) => {
          if (library.fails) throw new Error('the sound card is gone');
          const request = FakeWorker.requests[source.length - 1];
          const listeners: (() => void)[] = [];
          const playing = {
            name: request?.name ?? '',
            volume,
            stopped: false,
            once: (_event: string, listener: () => void) => listeners.push(listener),
            stop: () => {
              playing.stopped = true;
            },
            end: () => {
              for (const listener of listeners) listener();
            },
          };
          heard.push(playing);
          return playing;
        },
      }),
    },
  };
});

function deliverAll(): void {
  for (const [i, request] of FakeWorker.requests.entries()) {
    const channel = new Float32Array(i + 1);
    FakeWorker.deliver({ request, samples: { left: channel, right: channel } });
  }
}

async function unlocked(): Promise<AudioPort> {
  const { createAudio } = await import('./createAudio.ts');
  const audio = createAudio();
  audio.unlock();
  await expect.poll(() => FakeWorker.requests).not.toEqual([]);
  return audio;
}

const playingNow = (name: string) => heard.filter((playing) => playing.name === name && !playing.stopped);

beforeEach(() => {
  vi.resetModules();
  heard.length = 0;
  Object.assign(library, { muted: false, imports: 0, fails: false });
  FakeWorker.requests = [];
  FakeWorker.terminated = 0;
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('AudioContext', class {});
  vi.stubGlobal('document', { hidden: false, addEventListener: () => {} });
  vi.stubGlobal(
    'AudioBuffer',
    class {
      readonly length: number;
      constructor({ length }: { length: number }) {
        this.length = length;
      }
      copyToChannel(): void {}
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('nothing is fetched or heard before the player touches the game', async () => {
  const { createAudio } = await import('./createAudio.ts');
  const audio = createAudio();
  audio.music('base');
  audio.play('button');
  expect([library.imports, heard]).toEqual([0, []]);
});

it('every cue and every piece is made once, then the worker ends', async () => {
  const { CUES } = await import('./cues.ts');
  const { MUSIC } = await import('./music.ts');
  await unlocked();
  const names = FakeWorker.requests.map(({ name }) => name);
  expect(names.toSorted()).toEqual([...Object.keys(CUES), ...Object.keys(MUSIC)].toSorted());
  deliverAll();
  expect(FakeWorker.terminated).toBe(1);
});

it('a cue is silent until it is made', async () => {
  const audio = await unlocked();
  audio.play('reelStop');
  expect(heard).toEqual([]);
  deliverAll();
  audio.play('reelStop');
  expect(playingNow('reelStop')).toHaveLength(1);
});

it('music starts when it is made, and fades out when the next piece starts', async () => {
  const audio = await unlocked();
  audio.music('base');
  vi.useFakeTimers();
  deliverAll();
  vi.advanceTimersByTime(2000);
  expect(playingNow('base')).toMatchObject([{ volume: 1 }]);
  audio.music('freeSpins');
  vi.advanceTimersByTime(2000);
  expect(playingNow('base')).toEqual([]);
  expect(playingNow('freeSpins')).toMatchObject([{ volume: 1 }]);
  audio.music('none');
  vi.advanceTimersByTime(2000);
  expect(playingNow('freeSpins')).toEqual([]);
});

it('a fanfare lowers the music until it ends', async () => {
  const audio = await unlocked();
  vi.useFakeTimers();
  deliverAll();
  audio.music('base');
  vi.advanceTimersByTime(2000);
  audio.play('bigWin');
  vi.advanceTimersByTime(500);
  expect(playingNow('base')[0]?.volume).toBeLessThan(0.5);
  playingNow('bigWin')[0]?.end();
  vi.advanceTimersByTime(2000);
  expect(playingNow('base')[0]?.volume).toBeCloseTo(1);
});

it('a loop plays once at a time, until it is stopped', async () => {
  const audio = await unlocked();
  deliverAll();
  audio.play('winCount');
  audio.play('winCount');
  expect(playingNow('winCount')).toHaveLength(1);
  audio.stop('winCount');
  expect(playingNow('winCount')).toEqual([]);
});

it('muted before the first touch is muted after it', async () => {
  const { createAudio } = await import('./createAudio.ts');
  const audio = createAudio();
  audio.setMuted(true);
  audio.unlock();
  await expect.poll(() => library.muted).toBe(true);
  audio.setMuted(false);
  expect(library.muted).toBe(false);
});

it('music and effects have separate volumes, also before they are made', async () => {
  const audio = await unlocked();
  audio.setVolumes({ music: 0, effects: 50 });
  deliverAll();
  expect(library.volumes.get('base')).toBe(0);
  expect(library.volumes.get('bigWin')).toBe(0.25);
  audio.setVolumes({ music: 100, effects: 0 });
  expect(library.volumes.get('base')).toBe(1);
  expect(library.volumes.get('bigWin')).toBe(0);
});

it('the game is silent in a browser without sound, or in one that loses it', async () => {
  const audio = await unlocked();
  deliverAll();
  library.fails = true;
  expect(() => audio.play('button')).not.toThrow();
  expect(() => audio.music('base')).not.toThrow();
  vi.stubGlobal('AudioContext', undefined);
  const { createAudio } = await import('./createAudio.ts');
  expect(() => createAudio().unlock()).not.toThrow();
});
