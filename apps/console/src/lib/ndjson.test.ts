import { expect, it } from 'vitest';
import { readNdjson, type StreamLine } from './ndjson.ts';
import { withLine } from './useStream.ts';

function streamOf(...parts: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(typeof part === 'string' ? encoder.encode(part) : part);
      controller.close();
    },
  });
}

async function linesOf(...parts: (string | Uint8Array)[]): Promise<StreamLine[]> {
  const lines: StreamLine[] = [];
  await readNdjson(streamOf(...parts), (line) => lines.push(line));
  return lines;
}

it('reads lines that are cut anywhere, also within a character', async () => {
  const bytes = new TextEncoder().encode('{"kind":"line","text":"é"}\n{"kind":"result"}');
  const cuts = Array.from(bytes, (byte) => new Uint8Array([byte]));
  expect(await linesOf(...cuts)).toEqual([{ kind: 'line', text: 'é' }, { kind: 'result' }]);
});

it('throws when the connection ends before the result', async () => {
  await expect(linesOf('{"kind":"progress","done":1,"total":2}\n')).rejects.toThrow('before the result');
});

it('throws on a line that is not JSON', async () => {
  await expect(linesOf('<html>\n')).rejects.toThrow(SyntaxError);
});

it('keeps the last progress, every line, and the result', () => {
  const idle = { state: 'running', done: 0, total: null, lines: [], result: undefined, error: undefined } as const;
  const end = [
    { kind: 'progress', done: 3, total: 9 },
    { kind: 'line', text: 'a' },
    { kind: 'result', sum: '5' },
  ].reduce((state, line) => withLine<StreamLine>(state, line), idle as Parameters<typeof withLine<StreamLine>>[0]);
  expect(end).toMatchObject({ state: 'done', done: 3, total: 9, lines: [{ text: 'a' }], result: { sum: '5' } });
});
