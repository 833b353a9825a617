import type { Cue } from '../game/ports.ts';
import { bell, brass, celesta, click, clunk, steam, timpani, tremolo, whistle } from './instruments.ts';
import { hertz, type Stereo } from './samples.ts';
import { Score } from './score.ts';

/** How a cue is made. A loop plays until it is stopped. */
export type CueRecipe = { readonly loops: boolean; readonly make: () => Stereo };

/** Peaks set how loud a cue is: 0.2 for a button, 0.9 for the largest win. */
export const CUES: Readonly<Record<Cue, CueRecipe>> = {
  button: once(() => new Score({ seconds: 0.09 }).add(click({ pitch: 1900, seconds: 0.09 }), { at: 0 }), {
    peak: 0.22,
  }),
  betChange: once(
    () =>
      new Score({ seconds: 0.16 })
        .add(click({ pitch: 1500, seconds: 0.06 }), { at: 0 })
        .add(celesta({ frequency: hertz(31), seconds: 0.14 }), { at: 0.02, gain: 0.4 }),
    { peak: 0.25, room: 0.1 },
  ),
  spinStart: once(
    () =>
      new Score({ seconds: 0.6 })
        .add(clunk({ pitch: 95, seconds: 0.2 }), { at: 0, gain: 0.8 })
        .add(steam({ seconds: 0.3, pitch: 1500, attack: 0.03 }), { at: 0.02, gain: 0.7, pan: -0.3 })
        .add(steam({ seconds: 0.3, pitch: 1900, attack: 0.03, seed: 9 }), { at: 0.24, gain: 0.5, pan: 0.3 }),
    { peak: 0.4, room: 0.12 },
  ),
  reelStop: once(
    () =>
      new Score({ seconds: 0.3 })
        .add(clunk({ pitch: 82, seconds: 0.28 }), { at: 0 })
        .add(click({ pitch: 1150, seconds: 0.08 }), { at: 0.012, gain: 0.4 }),
    { peak: 0.5, room: 0.08 },
  ),
  scatterLand1: once(() => rings([12, 19]), { peak: 0.5, room: 0.3 }),
  scatterLand2: once(() => rings([14, 21, 26]), { peak: 0.55, room: 0.3 }),
  scatterLand3: once(() => rings([17, 24, 29, 36]), { peak: 0.65, room: 0.35 }),
  anticipation: {
    loops: true,
    make: () => {
      const score = new Score({ seconds: 1.6, loops: true });
      for (const note of [12, 15, 18]) score.add(faded(tremolo({ frequency: hertz(note), seconds: 1.6 })), { at: 0 });
      for (const beat of [0, 0.28, 0.8, 1.08]) {
        score.add(clunk({ pitch: 58, seconds: 0.25 }), { at: beat, gain: beat % 0.8 === 0 ? 1.3 : 0.8 });
      }
      return score.finish({ peak: 0.4, room: 0.2 });
    },
  },
  lineWin: once(() => melody([12, 16, 19, 24], { every: 0.07, seconds: 0.6 }), { peak: 0.4, room: 0.25 }),
  winCount: {
    loops: true,
    make: () => {
      const score = new Score({ seconds: 0.48, loops: true });
      for (const [i, note] of [36, 38, 36, 41, 36, 38].entries()) {
        score.add(celesta({ frequency: hertz(note), seconds: 0.12 }), {
          at: i * 0.08,
          gain: 0.6,
          pan: i % 2 ? 0.3 : -0.3,
        });
      }
      return score.finish({ peak: 0.22, room: 0.1 });
    },
  },
  winCountEnd: once(() => rings([12, 19, 24, 28]), { peak: 0.5, room: 0.3 }),
  bigWin: once(() => fanfare([0, 7, 12, 16], { steps: [0, 4, 7, 12], seconds: 2.4 }), { peak: 0.8, room: 0.28 }),
  megaWin: once(() => fanfare([0, 7, 12, 16, 19], { steps: [0, 4, 7, 12, 16], seconds: 3 }), { peak: 0.85, room: 0.3 }),
  epicWin: once(() => fanfare([-5, 2, 7, 12, 16, 19], { steps: [0, 4, 7, 12, 16, 19, 24], seconds: 4 }), {
    peak: 0.9,
    room: 0.32,
  }),
  wildLand: once(() => melody([24, 28, 31, 36, 40], { every: 0.045, seconds: 0.9 }), { peak: 0.4, room: 0.4 }),
  multiplierUp: once(
    () =>
      melody([19, 24, 31], { every: 0.06, seconds: 0.7 }).add(steam({ seconds: 0.5, pitch: 2400, attack: 0.2 }), {
        at: 0,
        gain: 0.4,
      }),
    { peak: 0.5, room: 0.25 },
  ),
  freeSpinsStart: once(
    () => {
      const score = fanfare([0, 7, 12, 16], { steps: [0, 7, 12, 16, 19], seconds: 3.2 });
      for (const at of [0, 0.35, 0.7, 1.05])
        score.add(bell({ frequency: hertz(26), seconds: 1.4 }), { at, gain: 0.5, pan: 0.4 });
      return score.add(whistle({ pipes: WHISTLE, seconds: 1.3 }), { at: 1.5, gain: 0.5, pan: -0.3 });
    },
    { peak: 0.8, room: 0.3 },
  ),
  freeSpinsEnd: once(() => fanfare([0, 7, 12], { steps: [12, 7, 4, 0, 12], seconds: 2.6 }), { peak: 0.7, room: 0.32 }),
  trainWhistle: once(
    () =>
      new Score({ seconds: 2.2 })
        .add(whistle({ pipes: WHISTLE, seconds: 0.5 }), { at: 0 })
        .add(whistle({ pipes: WHISTLE, seconds: 1.2 }), { at: 0.65 }),
    { peak: 0.4, room: 0.45 },
  ),
  error: once(
    () =>
      new Score({ seconds: 0.6 })
        .add(bell({ frequency: hertz(-2), seconds: 0.4 }), { at: 0 })
        .add(bell({ frequency: hertz(-5), seconds: 0.4 }), { at: 0.16 }),
    { peak: 0.4, room: 0.15 },
  ),
};

/** D, F, A and C are the chord of a steam whistle. */
const WHISTLE = [hertz(12), hertz(15), hertz(19), hertz(22)];

function once(score: () => Score, finish: Parameters<Score['finish']>[0]): CueRecipe {
  return { loops: false, make: () => score().finish(finish) };
}

/** The bells are struck almost together. */
function rings(notes: readonly number[]): Score {
  const score = new Score({ seconds: 1.5 });
  for (const [i, note] of notes.entries()) {
    score.add(bell({ frequency: hertz(note), seconds: 1.4 }), { at: i * 0.035, gain: 0.7, pan: i % 2 ? 0.3 : -0.3 });
  }
  return score;
}

function melody(notes: readonly number[], { every, seconds }: { every: number; seconds: number }): Score {
  const score = new Score({ seconds: every * notes.length + seconds });
  for (const [i, note] of notes.entries()) {
    score.add(celesta({ frequency: hertz(note), seconds }), { at: i * every, pan: i % 2 ? 0.25 : -0.25 });
  }
  return score;
}

/** Brass climbs the steps over drums and holds the chord. */
function fanfare(chord: readonly number[], { steps, seconds }: { steps: readonly number[]; seconds: number }): Score {
  const every = 0.13;
  const held = steps.length * every;
  const score = new Score({ seconds: seconds + 0.4 });
  for (const [i, step] of steps.entries()) {
    score.add(brass({ frequency: hertz(step), seconds: every * 1.4 }), { at: i * every, gain: 0.8, pan: -0.2 });
    score.add(timpani({ frequency: hertz(-24), seconds: 0.4 }), { at: i * every, gain: 0.35 });
  }
  for (const [i, note] of chord.entries()) {
    score.add(brass({ frequency: hertz(note), seconds: seconds - held }), {
      at: held,
      gain: 0.5,
      pan: (i / chord.length) * 1.2 - 0.5,
    });
    score.add(bell({ frequency: hertz(note + 24), seconds: 1.6 }), { at: held + i * 0.05, gain: 0.3, pan: 0.3 });
  }
  return score.add(timpani({ frequency: hertz(-24), seconds: 1.2 }), { at: held, gain: 1.2 });
}

/** Fades in and out over its length, so that the seam of the loop is not audible. */
function faded(part: Float32Array): Float32Array {
  return part.map((sample, i) => sample * (0.6 + 0.4 * Math.sin((Math.PI * i) / part.length)) * edge(i, part.length));
}

function edge(i: number, length: number): number {
  return Math.min(1, i / 400, (length - i) / 400);
}
