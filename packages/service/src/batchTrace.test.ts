import { expect, it } from 'vitest';
import { Batcher } from './batcher.ts';
import type { TraceSpan } from './traceSpan.ts';

/** Notes what is started, linked and ended. */
function recordingSpan(notes: string[], name = 'request'): TraceSpan {
  return {
    ...{ traceID: '1', spanID: '2', traceparent: '' },
    child: (child) => recordingSpan(notes, child),
    link: () => void notes.push(`${name} linked`),
    rename: () => {},
    set: () => {},
    end: (errorType) => void notes.push(`${name} ended${errorType === undefined ? '' : ` by ${errorType}`}`),
  };
}

it('a batch that fails ends its span with the class or code of the error, never its message', async () => {
  const notes: string[] = [];
  const error = Object.assign(new Error('what a client sent'), { code: '40001' });
  const batcher = new Batcher<number, number>({ name: 'b', run: () => Promise.reject(error) });
  await expect(batcher.submit(1, recordingSpan(notes))).rejects.toBe(error);
  expect(notes).toEqual(['batch b linked', 'wait b linked', 'wait b ended', 'batch b ended by 40001']);
});

it('a command that waits too long ends its wait as an overload', async () => {
  const notes: string[] = [];
  const batcher = new Batcher<number, number>({
    name: 'b',
    maxInFlight: 1,
    maxWaitMs: 10,
    run: () => new Promise(() => {}),
  });
  void batcher.submit(1);
  await new Promise(setImmediate);
  await expect(batcher.submit(2, recordingSpan(notes))).rejects.toThrow('has waited');
  expect(notes).toEqual(['wait b ended by Overload']);
});

it('a batch without a traced command makes no span, and one with some makes one', async () => {
  const notes: string[] = [];
  const batcher = new Batcher<number, number>({ name: 'b', run: async (commands) => [...commands] });
  await Promise.all([batcher.submit(1), batcher.submit(2, recordingSpan(notes)), batcher.submit(3)]);
  await batcher.submit(4);
  expect(notes.filter((note) => note.startsWith('batch'))).toEqual(['batch b linked', 'batch b ended']);
});
