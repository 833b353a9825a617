import { once } from 'node:events';
import net from 'node:net';
import { REQUESTS_OF, type Workload } from './benchGame.ts';

/** A connection sends one request at a time. Both calls resolve after the whole response. */
export type Connection = {
  /** Resolves with the text of the response. */
  exchange(request: Uint8Array): Promise<string>;
  /** Resolves with the text of the response unless it is a 200. */
  send(request: Uint8Array): Promise<string | undefined>;
  isClosed(): boolean;
  close(): void;
};

/**
 * A response of the bench is about 2 KB. A longer one is read in several pieces. All connections
 * read into this one buffer: each piece is looked at before the next one is read.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(16 * 1024);
const HEAD_END = '\r\n\r\n';
export const SUCCESS = 'HTTP/1.1 200 ';

type Waiting = { resolve(response: string): void; reject(error: Error): void };

/**
 * Opens a keep-alive connection that writes finished bytes and counts those of the response. The
 * generator shares the processor with what it measures, and undici takes twice as much time.
 */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const onread = { buffer: READ_BUFFER, callback: read };
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true, onread });
  await once(socket, 'connect');
  let waiting: Waiting | undefined;
  /** The response's text; it is empty until the response begins. */
  let text = '';
  let missingBytes = 0;
  const fail = (error: Error) => waiting?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));

  function read(bytes: number, buffer: Uint8Array): boolean {
    text += (buffer as Buffer).toString('latin1', 0, bytes);
    if (missingBytes > 0) missingBytes -= bytes;
    else {
      const headEnd = text.indexOf(HEAD_END);
      if (headEnd < 0) return true;
      missingBytes = headEnd + HEAD_END.length + bodyBytesOf(text) - text.length;
    }
    if (missingBytes < 0) socket.destroy(new Error(`not one response to one request: ${text}`));
    if (missingBytes === 0) {
      const response = text;
      text = '';
      waiting?.resolve(response);
    }
    return true;
  }

  const exchange = (request: Uint8Array) =>
    new Promise<string>((resolve, reject) => {
      waiting = { resolve, reject };
      if (socket.destroyed) fail(new Error('the server has closed the connection'));
      else socket.write(request);
    });
  return {
    exchange,
    async send(request) {
      const response = await exchange(request);
      return response.startsWith(SUCCESS) ? undefined : response;
    },
    isClosed: () => socket.destroyed,
    close: () => void socket.destroy(),
  };
}

/** Every server of the bench says how long its responses are; the bench refuses another one. */
function bodyBytesOf(head: string): number {
  return Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? Number.NEGATIVE_INFINITY);
}

/** Returns the finished bytes of each request of a unit of work. */
export function requestsOf({ url, workload }: { url: string; workload: Workload }, sessionID: string): Buffer[] {
  return REQUESTS_OF[workload].map(({ path, fields }) => {
    const body = JSON.stringify({ sessionID, ...fields });
    return Buffer.from(`${headOf(url, path)}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
}

/** Returns the begin of the head of a POST. */
export function headOf(url: string, path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\n`;
}
