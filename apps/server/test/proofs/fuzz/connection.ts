import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Holds one response as it was on the wire. */
export type WireResponse = { status: number; headers: ReadonlyMap<string, string>; body: Buffer };
export type Target = { port: number; timeoutMs: number };

/** Opens a connection that takes any bytes. No response may take longer than `timeoutMs`. */
export async function connect({ port, timeoutMs }: Target) {
  const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  const news = new EventEmitter();
  let received: Buffer = Buffer.alloc(0);
  let isOver = false;
  const take = (chunk?: Buffer | boolean) => {
    if (chunk instanceof Buffer) received = Buffer.concat([received, chunk]);
    else isOver = true;
    news.emit('more');
  };
  socket.on('data', take).on('end', take).on('close', take);
  // The server may hang up while bytes are written here.
  socket.on('error', () => {});

  return {
    /** Writes the bytes in pieces, cut at these shares of the whole, until the server hangs up. */
    async write(bytes: Buffer, { cuts, pauseMs }: { cuts: readonly number[]; pauseMs: number }) {
      const ends = [...cuts.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b), bytes.length];
      for (const [index, end] of ends.entries()) {
        if (isOver || socket.destroyed) return;
        if (index > 0) await pause(pauseMs);
        socket.write(bytes.subarray(ends[index - 1] ?? 0, end));
      }
    },
    /** Reads a response; undefined when the server has hung up. Throws when it is not HTTP. */
    async read({ isHead }: { isHead: boolean }): Promise<WireResponse | undefined> {
      const deadline = AbortSignal.timeout(timeoutMs);
      for (;;) {
        const parsed = parseResponse(received, { isHead, isOver });
        if (parsed !== undefined) {
          received = received.subarray(parsed.end);
          return parsed.response;
        }
        if (isOver && received.length === 0) return undefined;
        if (isOver) throw new Error(`cut in the middle of a response: ${received.toString('latin1', 0, 500)}`);
        if (deadline.aborted) throw new Error(`no whole response after ${timeoutMs} ms`);
        await once(news, 'more', { signal: deadline }).catch(() => {});
      }
    },
    end: () => void socket.end(),
    drop: () => void socket.destroy(),
  };
}

type Part = { body: Buffer; end: number };

/**
 * Returns the first response in the bytes, undefined until it is whole. It throws when the bytes
 * are not HTTP to the letter, unlike a browser. With `isHead` the response has no body.
 */
function parseResponse(bytes: Buffer, { isHead, isOver }: { isHead: boolean; isOver: boolean }) {
  const start = bytes.indexOf('\r\n\r\n') + 4;
  if (start < 4) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, start - 4).split('\r\n');
  const status = Number(matched(statusLine, /^HTTP\/1\.1 (\d{3}) [ -~]*$/)[1]);
  const headers = new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = matched(line, /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\0\r\n]*)$/);
      return [name.toLowerCase(), value];
    }),
  );
  const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304;
  const isChunked = hasBody && headers.get('transfer-encoding') === 'chunked';
  const length = hasBody ? (headers.get('content-length') ?? (isOver ? bytes.length - start : Infinity)) : 0;
  const part = isChunked ? parseChunks(bytes, start) : parseBytes(bytes, start, Number(length));
  return part && { response: { status, headers, body: part.body }, end: part.end };
}

function parseBytes(bytes: Buffer, start: number, length: number): Part | undefined {
  const end = start + length;
  return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end };
}

/** Reads chunks up to the last one, which is empty. */
function parseChunks(bytes: Buffer, start: number): Part | undefined {
  const lineEnd = bytes.indexOf('\r\n', start);
  if (lineEnd < 0) return undefined;
  const size = Number.parseInt(matched(bytes.toString('latin1', start, lineEnd), /^[\da-f]+$/i)[0], 16);
  const chunk = parseBytes(bytes, lineEnd + 2, size + 2);
  if (chunk === undefined) return undefined;
  matched(chunk.body.toString('latin1', size), /^\r\n$/);
  const rest = size === 0 ? { body: Buffer.alloc(0), end: chunk.end } : parseChunks(bytes, chunk.end);
  return rest && { body: Buffer.concat([chunk.body.subarray(0, size), rest.body]), end: rest.end };
}

function matched(text: string, pattern: RegExp): RegExpExecArray {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`not HTTP: ${JSON.stringify(text)}`);
  return match;
}
