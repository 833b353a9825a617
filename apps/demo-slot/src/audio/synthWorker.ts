import type { Cue } from '../game/ports.ts';
import { CUES } from './cues.ts';
import { MUSIC, type Piece } from './music.ts';
import type { Stereo } from './samples.ts';

export type SynthesisRequest =
  | { readonly kind: 'cue'; readonly name: Cue }
  | { readonly kind: 'music'; readonly name: Piece };
export type SynthesisResult = { readonly request: SynthesisRequest; readonly samples: Stereo };

// Makes sounds in a worker, so that no frame waits for one.
addEventListener('message', ({ data }: MessageEvent<SynthesisRequest>) => {
  const samples = data.kind === 'cue' ? CUES[data.name].make() : MUSIC[data.name]();
  const result: SynthesisResult = { request: data, samples };
  postMessage(result, { transfer: [samples.left.buffer, samples.right.buffer] });
});
