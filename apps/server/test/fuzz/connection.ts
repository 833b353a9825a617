import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** One response as it stood on the wire. */
export type WireResponse = { status: number; headers: ReadonlyMap<string, string>; body: Buffer };
export type Connection = Awaited<ReturnType<typeof connect>>;
export type Target = { port: number; timeoutMs: number };

const END_OF_HEAD = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [ -~]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\0\r\n]*)$/;

/** A connection on which any bytes may be written. No response may take longer than `timeoutMs`. */
export async function connect({ port, timeoutMs }: Target) {
  const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  let received: Buffer = Buffer.alloc(0);
  let isOver = false;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // The server may hang up while bytes are written here.
  socket.on('error', () => {});
  const onOver = () => {
    isOver = true;
    wake();
  };
  socket.on('end', onOver).on('close', onOver);

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
    /**
     * The next response; undefined when the server has hung up. Throws when it is late, cut or no
     * HTTP.
     */
    async read({ isHead }: { isHead: boolean }): Promise<WireResponse | undefined> {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const parsed = parseResponse(received, { isHead, isOver });
        if (parsed !== undefined) {
          received = received.subarray(parsed.end);
          return parsed.response;
        }
        if (isOver && received.length === 0) return undefined;
        if (isOver) throw new Error(`cut in the middle of a response: ${received.toString('latin1', 0, 500)}`);
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) throw new Error(`no whole response after ${timeoutMs} ms`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    end: () => void socket.end(),
    stopReading: () => void socket.pause(),
    drop: () => void socket.destroy(),
    isUsable: () => !isOver && !socket.destroyed && received.length === 0,
  };
}

type Parsed = { response: WireResponse; end: number };

/**
 * The first response in the bytes, undefined as long as it is not whole. Stricter than a browser:
 * throws when the bytes are not HTTP to the letter. `isHead`: it answers a HEAD, without a body.
 */
function parseResponse(bytes: Buffer, { isHead, isOver }: { isHead: boolean; isOver: boolean }): Parsed | undefined {
  const headLength = bytes.indexOf(END_OF_HEAD);
  if (headLength < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headLength).split('\r\n');
  const status = Number(STATUS_LINE.exec(statusLine)?.[1] ?? fail(`no status line: ${statusLine}`));
  const headers = new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? fail(`no header: ${line}`);
      return [name.toLowerCase(), value];
    }),
  );
  const start = headLength + END_OF_HEAD.length;
  const whole = (body: Buffer, end: number): Parsed => ({ response: { status, headers, body }, end });
  if (isHead || status === 304 || status === 204 || status < 200) return whole(Buffer.alloc(0), start);
  if (headers.get('transfer-encoding') === 'chunked') {
    const chunks = parseChunks(bytes, start);
    return chunks && whole(chunks.body, chunks.end);
  }
  const length = headers.get('content-length');
  if (length === undefined) return isOver ? whole(bytes.subarray(start), bytes.length) : undefined;
  const end = start + Number(length);
  return bytes.length < end ? undefined : whole(bytes.subarray(start, end), end);
}

function parseChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const line = bytes.toString('latin1', at, lineEnd);
    const size = /^[\da-f]+$/i.test(line) ? Number.parseInt(line, 16) : fail(`no chunk size: ${line}`);
    const from = lineEnd + 2;
    at = from + size + 2;
    if (bytes.length < at) return undefined;
    if (bytes.toString('latin1', from + size, at) !== '\r\n') fail('a chunk has no end');
    if (size === 0) return { body: Buffer.concat(parts), end: at };
    parts.push(bytes.subarray(from, from + size));
  }
}

function fail(what: string): never {
  throw new Error(`not HTTP: ${what}`);
}
