import type { Music } from '../game/ports.ts';
import { bass, bell, celesta, clunk, pad, steam } from './instruments.ts';
import { hertz, type Stereo } from './samples.ts';
import { Score } from './score.ts';

export type Piece = Exclude<Music, 'none'>;

/** Both pieces are in D dorian and loop without a seam. */
export const MUSIC: Readonly<Record<Piece, () => Stereo>> = { base: nightLine, freeSpins: northernExpress };

type Bar = { readonly root: number; readonly chord: readonly number[] };

const NIGHT: readonly Bar[] = [
  { root: -12, chord: [0, 7, 15] },
  { root: -7, chord: [5, 9, 17] },
  { root: -12, chord: [0, 10, 15] },
  { root: -14, chord: [2, 10, 14] },
  { root: -9, chord: [3, 7, 15] },
  { root: -14, chord: [-2, 10, 14] },
  { root: -7, chord: [5, 12, 17] },
  { root: -5, chord: [7, 10, 16] },
];

/** Each entry has the bar, the beat (of four) and the note of the melody. */
const NIGHT_MELODY: readonly (readonly [bar: number, beat: number, note: number])[] = [
  [0, 0, 24],
  [0, 1.5, 27],
  [0, 2.5, 31],
  [1, 1, 29],
  [1, 3, 26],
  [2, 0.5, 27],
  [2, 2, 24],
  [3, 1, 22],
  [3, 2.5, 26],
  [4, 0, 27],
  [4, 1.5, 31],
  [4, 2.5, 34],
  [5, 1, 33],
  [5, 3, 29],
  [6, 0.5, 31],
  [6, 2, 29],
  [7, 0.5, 26],
  [7, 2.5, 28],
];

/** The calm music has strings, a few bells and distant wheels: 8 bars of 3.2 s. */
function nightLine(): Stereo {
  const barSeconds = 3.2;
  const beat = barSeconds / 4;
  const score = new Score({ seconds: NIGHT.length * barSeconds, loops: true });
  for (const [bar, { root, chord }] of NIGHT.entries()) {
    const at = bar * barSeconds;
    for (const [voice, note] of chord.entries()) {
      score.add(pad({ frequency: hertz(note), seconds: barSeconds + 1 }), { at, gain: 0.5, pan: voice * 0.5 - 0.5 });
    }
    score.add(bass({ frequency: hertz(root), seconds: 2.6 }), { at, gain: 0.7 });
    // Two axles pass a rail joint, twice a bar.
    for (const joint of [0, 0.22, 2, 2.22]) {
      score.add(clunk({ pitch: 64, seconds: 0.25 }), { at: at + joint * beat, gain: joint < 0.5 ? 0.16 : 0.11 });
    }
  }
  for (const [bar, at, note] of NIGHT_MELODY) {
    const place = { at: bar * barSeconds + at * beat, gain: 0.34, pan: note % 2 ? 0.35 : -0.35 };
    score.add(celesta({ frequency: hertz(note), seconds: 2.2 }), place);
  }
  return score.finish({ peak: 0.3, room: 0.38 });
}

const EXPRESS: readonly Bar[] = [
  { root: -12, chord: [12, 15, 19, 24] },
  { root: -12, chord: [12, 15, 22, 24] },
  { root: -7, chord: [12, 17, 21, 24] },
  { root: -7, chord: [9, 17, 21, 29] },
  { root: -9, chord: [15, 19, 22, 27] },
  { root: -9, chord: [15, 19, 24, 27] },
  { root: -14, chord: [14, 17, 22, 26] },
  { root: -5, chord: [14, 19, 23, 26] },
  { root: -12, chord: [12, 19, 24, 27] },
  { root: -12, chord: [15, 19, 24, 31] },
  { root: -7, chord: [17, 21, 24, 29] },
  { root: -7, chord: [17, 21, 26, 33] },
];

/** The fast music has steam on every eighth, and an arpeggio above: 12 bars of 1.6 s. */
function northernExpress(): Stereo {
  const barSeconds = 1.6;
  const eighth = barSeconds / 8;
  const score = new Score({ seconds: EXPRESS.length * barSeconds, loops: true });
  for (const [bar, { root, chord }] of EXPRESS.entries()) {
    const start = bar * barSeconds;
    for (let step = 0; step < 8; step++) {
      const at = start + step * eighth;
      const isStrong = step % 4 === 0;
      score.add(steam({ seconds: 0.16, pitch: isStrong ? 1100 : 1700, attack: 0.012, seed: step + 3 }), {
        at,
        gain: isStrong ? 0.5 : 0.26,
        pan: step % 2 ? 0.25 : -0.25,
      });
      const note = chord[ARPEGGIO[step] ?? 0] ?? 12;
      score.add(celesta({ frequency: hertz(note), seconds: 0.5 }), { at, gain: 0.4, pan: step % 2 ? -0.3 : 0.3 });
      if (step % 2 === 0)
        score.add(bass({ frequency: hertz(root + (step === 6 ? 12 : 0)), seconds: 0.35 }), { at, gain: 0.8 });
    }
    for (const drum of [0, 4]) score.add(clunk({ pitch: 60, seconds: 0.3 }), { at: start + drum * eighth, gain: 0.55 });
    for (const note of chord.slice(0, 3)) {
      score.add(pad({ frequency: hertz(note - 12), seconds: barSeconds + 1 }), { at: start, gain: 0.28 });
    }
    if (bar % 4 === 0) score.add(bell({ frequency: hertz(36), seconds: 2.4 }), { at: start, gain: 0.22, pan: 0.5 });
  }
  return score.finish({ peak: 0.36, room: 0.26 });
}

/** Each eighth plays this voice of the chord. */
const ARPEGGIO = [0, 2, 1, 3, 2, 1, 3, 2];
