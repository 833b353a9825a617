/**
 * Plays notes of a small synthesizer, so that the game needs no sound files. It is off until the
 * player switches it on.
 */
export type Sound = { readonly isOn: boolean; toggle(): void; play(name: keyof typeof CUES): void };

/** Each cue plays these frequencies in hertz, one after the other. */
const CUES = {
  spin: [220, 277],
  stop: [150],
  win: [523, 659, 784],
  bigWin: [523, 659, 784, 1047, 1319],
};
const NOTE_SECONDS = 0.11;
const VOLUME = 0.12;

export function createSound(): Sound {
  // Browsers allow sound only after a press. The toggle is one.
  let context: AudioContext | undefined;
  let isOn = false;
  return {
    get isOn() {
      return isOn;
    },
    toggle() {
      isOn = !isOn;
      context ??= new AudioContext();
      void context.resume();
    },
    play(name) {
      if (!isOn || context === undefined) return;
      for (const [place, frequency] of CUES[name].entries()) {
        const start = context.currentTime + place * NOTE_SECONDS;
        const gain = new GainNode(context, { gain: 0 });
        gain.gain.setValueAtTime(VOLUME, start);
        gain.gain.exponentialRampToValueAtTime(0.001, start + 2 * NOTE_SECONDS);
        const note = new OscillatorNode(context, { frequency, type: 'triangle' });
        note.connect(gain).connect(context.destination);
        note.start(start);
        note.stop(start + 2 * NOTE_SECONDS);
      }
    },
  };
}
