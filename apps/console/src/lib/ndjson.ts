/** The last line has the kind `result` or `error`. */
export type StreamLine = { kind: string } & Record<string, unknown>;

/**
 * Reads lines of JSON as they come, and calls `onLine` for each.
 * @throws SyntaxError for a line that is not JSON; Error when the stream ends without a result
 */
export async function readNdjson(body: ReadableStream<Uint8Array>, onLine: (line: StreamLine) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = '';
  let last: string | undefined;
  const take = (text: string) => {
    if (text.trim() === '') return;
    const line = JSON.parse(text) as StreamLine;
    last = line.kind;
    onLine(line);
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  }
  take(rest);
  if (last !== 'result' && last !== 'error') throw new Error('The connection ended before the result came.');
}
