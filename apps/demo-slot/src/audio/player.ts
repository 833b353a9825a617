import { type IMediaInstance, Sound, sound } from '@pixi/sound';
import type { AudioPort, Cue, Music } from '../game/audioPort.ts';
import { CUES } from './cues.ts';
import { fade } from './fade.ts';
import { SAMPLE_RATE, type Stereo } from './synth/samples.ts';
import { type SynthesisRequest, synthesiseAll } from './synthesis.ts';

export type Player = Omit<AudioPort, 'unlock'>;

const CROSSFADE_MS = 900;
/** How loud music is under a fanfare. */
const DUCKED = 0.35;
const FANFARES: ReadonlySet<Cue> = new Set(['bigWin', 'megaWin', 'epicWin', 'freeSpinsStart', 'freeSpinsEnd']);

/**
 * Plays through @pixi/sound, whose import opens the AudioContext: so import this file after the
 * player's first touch or key; otherwise the browser logs a warning. Sounds that are not made yet
 * are silent.
 */
export function startPlayer(): Player {
  const sounds = new Map<string, Sound>();
  const running = new Map<Cue, IMediaInstance>();
  let wanted: Music = 'none';
  let playing: { piece: Music; instance: IMediaInstance } | undefined;

  // A click beside the game's frame takes its focus, but does not silence it. A hidden page does.
  sound.disableAutoPause = true;
  const followVisibility = () => {
    sound.context.paused = document.hidden;
  };
  document.addEventListener('visibilitychange', followVisibility);
  followVisibility();

  synthesiseAll(({ request, samples }) => {
    sounds.set(nameOf(request), toSound(samples, { loop: request.kind === 'music' || CUES[request.name].loops }));
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
    const started = sounds.get(name)?.play({ volume });
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
  };
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
