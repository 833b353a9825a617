/** One answer as it stood on the wire. */
export type Answer = { status: number; headers: ReadonlyMap<string, string>; body: Buffer };

type Taken = { answer: Answer; length: number };

const END_OF_HEAD = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [ -~]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\0\r\n]*)$/;

/**
 * The first answer in the bytes, undefined when it is not whole yet. Stricter than a browser: what
 * is no HTTP to the letter throws. `isHead`: it answers a HEAD, so there is no body. `isOver`: no
 * more bytes will come.
 */
export function takeAnswer(bytes: Buffer, { isHead, isOver }: { isHead: boolean; isOver: boolean }): Taken | undefined {
  const headLength = bytes.indexOf(END_OF_HEAD);
  if (headLength < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headLength).split('\r\n');
  const status = Number(STATUS_LINE.exec(statusLine)?.[1] ?? fail(`no status line: ${statusLine}`));
  const headers = new Map(lines.map(headerOf));
  const start = headLength + END_OF_HEAD.length;
  const whole = (body: Buffer, length: number): Taken => ({ answer: { status, headers, body }, length });
  if (isHead || status === 304 || status === 204 || status < 200) return whole(Buffer.alloc(0), start);
  if (headers.get('transfer-encoding') === 'chunked') {
    const chunks = takeChunks(bytes, start);
    return chunks && whole(chunks.body, chunks.end);
  }
  const length = headers.get('content-length');
  if (length === undefined) return isOver ? whole(bytes.subarray(start), bytes.length) : undefined;
  const end = start + Number(length);
  return bytes.length < end ? undefined : whole(bytes.subarray(start, end), end);
}

function headerOf(line: string): [string, string] {
  const [, name, value] = HEADER_LINE.exec(line) ?? fail(`no header: ${line}`);
  return [String(name).toLowerCase(), String(value)];
}

function takeChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const line = bytes.toString('latin1', at, lineEnd);
    if (!/^[\da-f]+$/i.test(line)) fail(`no chunk size: ${line}`);
    const size = Number.parseInt(line, 16);
    const from = lineEnd + 2;
    if (bytes.length < from + size + 2) return undefined;
    if (bytes.toString('latin1', from + size, from + size + 2) !== '\r\n') fail('a chunk has no end');
    at = from + size + 2;
    if (size === 0) return { body: Buffer.concat(parts), end: at };
    parts.push(bytes.subarray(from, from + size));
  }
}

function fail(what: string): never {
  throw new Error(`not HTTP: ${what}`);
}
