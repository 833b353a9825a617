/**
 * Plays notes of a small synthesizer, so that the game needs no sound files. The browser remembers
 * whether the player has switched it off.
 */
export type Sound = {
  readonly isOn: boolean;
  /** Call it at a press: browsers allow sound only then. */
  unlock(): void;
  toggle(): void;
  /** Plays a cue, this many semitones higher. */
  play(name: keyof typeof CUES, semitones?: number): void;
};

/** Each cue plays these frequencies in hertz, one after the other. */
const CUES = {
  spin: [220, 277],
  stop: [150],
  win: [523, 659, 784],
  bigWin: [523, 659, 784, 1047, 1319],
};
const NOTE_SECONDS = 0.11;
const VOLUME = 0.12;
const STORED = 'sound';

export function createSound(): Sound {
  let context: AudioContext | undefined;
  let isOn = remembered(() => localStorage.getItem(STORED)) !== 'off';
  const unlock = () => {
    context ??= new AudioContext();
    void context.resume();
  };
  return {
    get isOn() {
      return isOn;
    },
    unlock,
    toggle() {
      isOn = !isOn;
      unlock();
      remembered(() => localStorage.setItem(STORED, isOn ? 'on' : 'off'));
    },
    play(name, semitones = 0) {
      if (!isOn || context === undefined) return;
      for (const [place, frequency] of CUES[name].entries()) {
        const start = context.currentTime + place * NOTE_SECONDS;
        const gain = new GainNode(context, { gain: 0 });
        gain.gain.setValueAtTime(VOLUME, start);
        gain.gain.exponentialRampToValueAtTime(0.001, start + 2 * NOTE_SECONDS);
        const note = new OscillatorNode(context, { frequency, type: 'triangle', detune: 100 * semitones });
        note.connect(gain).connect(context.destination);
        note.start(start);
        note.stop(start + 2 * NOTE_SECONDS);
      }
    },
  };
}

/** In a private window or a frame of another site, a browser may refuse its storage. */
function remembered<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
