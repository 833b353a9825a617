import { CUES } from './cues.ts';
import { MUSIC } from './music.ts';
import type { SynthesisAnswer, SynthesisRequest } from './synthesis.ts';

// Makes sounds in a worker, so that no frame waits for one.
addEventListener('message', ({ data }: MessageEvent<SynthesisRequest>) => {
  const samples = data.kind === 'cue' ? CUES[data.name].make() : MUSIC[data.name]();
  const answer: SynthesisAnswer = { request: data, samples };
  postMessage(answer, { transfer: [samples.left.buffer, samples.right.buffer] });
});
