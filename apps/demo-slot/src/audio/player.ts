import { type IMediaInstance, Sound, sound } from '@pixi/sound';
import type { AudioPort, Cue, Music, SoundChannel, Volumes } from '../game/ports.ts';
import { CUES } from './cues.ts';
import { SAMPLE_RATE, type Stereo } from './samples.ts';
import type { SynthesisRequest, SynthesisResult } from './synthWorker.ts';

export type Player = Omit<AudioPort, 'unlock'>;

const CROSSFADE_MS = 900;
/** A fanfare lowers the volume of the music to this part. */
const DUCKED = 0.35;
const FANFARES: ReadonlySet<Cue> = new Set(['bigWin', 'megaWin', 'epicWin', 'freeSpinsStart', 'freeSpinsEnd']);

/** Lists every sound, in the order in which a player first hears them. */
const SYNTHESIS_ORDER: readonly SynthesisRequest[] = [
  { kind: 'cue', name: 'button' },
  { kind: 'cue', name: 'spinStart' },
  { kind: 'cue', name: 'reelStop' },
  { kind: 'cue', name: 'betChange' },
  { kind: 'cue', name: 'lineWin' },
  { kind: 'cue', name: 'winCount' },
  { kind: 'cue', name: 'winCountEnd' },
  { kind: 'cue', name: 'scatterLand1' },
  { kind: 'cue', name: 'scatterLand2' },
  { kind: 'cue', name: 'anticipation' },
  { kind: 'cue', name: 'scatterLand3' },
  { kind: 'cue', name: 'error' },
  { kind: 'music', name: 'base' },
  { kind: 'cue', name: 'wildLand' },
  { kind: 'cue', name: 'bigWin' },
  { kind: 'cue', name: 'trainWhistle' },
  { kind: 'cue', name: 'freeSpinsStart' },
  { kind: 'music', name: 'freeSpins' },
  { kind: 'cue', name: 'multiplierUp' },
  { kind: 'cue', name: 'freeSpinsEnd' },
  { kind: 'cue', name: 'megaWin' },
  { kind: 'cue', name: 'epicWin' },
];

/** Short enough that single steps of a fade are not audible. */
const FADE_STEP_MS = 30;

type Fade = { readonly to: number; readonly overMs: number; readonly stopAtEnd?: boolean };

/**
 * Has the running fade of each sound. A new one starts at the volume that the old one has reached.
 */
const fades = new WeakMap<IMediaInstance, ReturnType<typeof setInterval>>();

/**
 * Plays through @pixi/sound, whose import opens the AudioContext. Import this file after the
 * player's first touch or key, or the browser logs a warning. Sounds that are not made yet are
 * silent.
 */
export function startPlayer(): Player {
  const sounds = new Map<string, { readonly sound: Sound; readonly channel: SoundChannel }>();
  const running = new Map<Cue, IMediaInstance>();
  let volumes: Volumes = { music: 100, effects: 100 };
  let wanted: Music = 'none';
  let playing: { piece: Music; instance: IMediaInstance } | undefined;

  // Sound continues when the frame loses the focus, and pauses when the page is hidden.
  sound.disableAutoPause = true;
  const followVisibility = () => {
    sound.context.paused = document.hidden;
  };
  document.addEventListener('visibilitychange', followVisibility);
  followVisibility();

  synthesiseAll(({ request, samples }) => {
    const made = toSound(samples, { loop: request.kind === 'music' || CUES[request.name].loops });
    const channel = request.kind === 'music' ? 'music' : 'effects';
    made.volume = gainOf(volumes[channel]);
    sounds.set(nameOf(request), { sound: made, channel });
    if (request.kind === 'music') followMusic();
  });

  function followMusic(): void {
    if (playing?.piece === wanted) return;
    if (playing !== undefined) fade(playing.instance, { to: 0, overMs: CROSSFADE_MS, stopAtEnd: true });
    playing = undefined;
    if (wanted === 'none') return;
    const instance = start(nameOf({ kind: 'music', name: wanted }), { volume: 0 });
    if (instance === undefined) return;
    playing = { piece: wanted, instance };
    fade(instance, { to: 1, overMs: CROSSFADE_MS });
  }

  function start(name: string, { volume }: { volume: number }): IMediaInstance | undefined {
    const started = sounds.get(name)?.sound.play({ volume });
    return started instanceof Promise ? undefined : started;
  }

  function duckUntilEnd(fanfare: IMediaInstance): void {
    if (playing === undefined) return;
    const { instance } = playing;
    fade(instance, { to: DUCKED, overMs: 150 });
    fanfare.once('end', () => {
      if (playing?.instance === instance) fade(instance, { to: 1, overMs: CROSSFADE_MS });
    });
  }

  return {
    play(cue) {
      const instance = start(nameOf({ kind: 'cue', name: cue }), { volume: 1 });
      if (instance === undefined) return;
      if (FANFARES.has(cue)) duckUntilEnd(instance);
      if (!CUES[cue].loops) return;
      running.get(cue)?.stop();
      running.set(cue, instance);
    },
    stop(cue) {
      running.get(cue)?.stop();
      running.delete(cue);
    },
    music(piece) {
      wanted = piece;
      followMusic();
    },
    setMuted(muted) {
      if (muted) sound.muteAll();
      else sound.unmuteAll();
    },
    // Multiplies with the volume of each instance, so that fades go on.
    setVolumes(next) {
      volumes = next;
      for (const { sound: made, channel } of sounds.values()) made.volume = gainOf(next[channel]);
    },
  };
}

/** A worker makes every sound and ends after the last one. */
function synthesiseAll(onSound: (result: SynthesisResult) => void): void {
  const worker = new Worker(new URL('./synthWorker.ts', import.meta.url), { type: 'module' });
  let missing = SYNTHESIS_ORDER.length;
  worker.addEventListener('message', ({ data }: MessageEvent<SynthesisResult>) => {
    onSound(data);
    missing -= 1;
    if (missing === 0) worker.terminate();
  });
  for (const request of SYNTHESIS_ORDER) worker.postMessage(request);
}

/** Ears hear loudness by its logarithm: a square makes half of the slider about half as loud. */
function gainOf(percent: number): number {
  return (percent / 100) ** 2;
}

function nameOf({ kind, name }: SynthesisRequest): string {
  return `${kind}/${name}`;
}

function toSound({ left, right }: Stereo, { loop }: { loop: boolean }): Sound {
  const buffer = new AudioBuffer({ numberOfChannels: 2, length: left.length, sampleRate: SAMPLE_RATE });
  buffer.copyToChannel(left, 0);
  buffer.copyToChannel(right, 1);
  return Sound.from({ source: buffer, loop, preload: true });
}

/** Changes a sound's volume in even steps. */
function fade(instance: IMediaInstance, { to, overMs, stopAtEnd = false }: Fade): void {
  clearInterval(fades.get(instance));
  const from = instance.volume;
  const steps = Math.max(1, Math.round(overMs / FADE_STEP_MS));
  let step = 0;
  const timer = setInterval(() => {
    step += 1;
    instance.volume = from + ((to - from) * step) / steps;
    if (step < steps) return;
    clearInterval(timer);
    fades.delete(instance);
    if (stopAtEnd) instance.stop();
  }, FADE_STEP_MS);
  fades.set(instance, timer);
}
