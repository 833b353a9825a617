import type { Cue } from '../game/audioPort.ts';
import type { Piece } from './music.ts';
import type { Stereo } from './synth/samples.ts';

export type SynthesisRequest =
  | { readonly kind: 'cue'; readonly name: Cue }
  | { readonly kind: 'music'; readonly name: Piece };
export type SynthesisAnswer = { readonly request: SynthesisRequest; readonly samples: Stereo };

/**
 * In the order in which a player first hears them. Each is made once and plays when it is ready.
 */
const ORDER: readonly SynthesisRequest[] = [
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

/** A worker makes every sound and ends after the last one. */
export function synthesiseAll(onSound: (answer: SynthesisAnswer) => void): void {
  const worker = new Worker(new URL('./synthWorker.ts', import.meta.url), { type: 'module' });
  let missing = ORDER.length;
  worker.addEventListener('message', ({ data }: MessageEvent<SynthesisAnswer>) => {
    onSound(data);
    missing -= 1;
    if (missing === 0) worker.terminate();
  });
  for (const request of ORDER) worker.postMessage(request);
}
