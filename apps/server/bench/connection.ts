import { once } from 'node:events';
import net from 'node:net';
import { REQUESTS_OF, type Workload } from './benchGame.ts';

/**
 * One request at a time. Resolves when the whole response has been read, with its text unless it is
 * a 200.
 */
export type Connection = { send(request: Uint8Array): Promise<string | undefined>; close(): void };

/**
 * A response of the bench is about 2 KB. A longer one is read in several pieces. All connections
 * read into this one buffer: each piece is looked at before the next one is read.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(16 * 1024);
const HEAD_END = '\r\n\r\n';
const SUCCESS = 'HTTP/1.1 200 ';

type Waiting = { resolve(refusal: string | undefined): void; reject(error: Error): void };

/**
 * A keep-alive connection that writes finished bytes and counts those of the response: the
 * generator takes its processor time from what it measures, and undici takes twice as much.
 */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const onread = { buffer: READ_BUFFER, callback: read };
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true, onread });
  await once(socket, 'connect');
  let waiting: Waiting | undefined;
  /** Head and, in one piece with it, the begin of the body. Empty until the response begins. */
  let text = '';
  let missingBytes = 0;
  const fail = (error: Error) => waiting?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));

  function read(bytes: number, buffer: Uint8Array): boolean {
    if (missingBytes > 0) missingBytes -= bytes;
    else {
      text += (buffer as Buffer).toString('latin1', 0, bytes);
      const headEnd = text.indexOf(HEAD_END);
      if (headEnd < 0) return true;
      missingBytes = headEnd + HEAD_END.length + bodyBytesOf(text) - text.length;
    }
    if (missingBytes < 0) socket.destroy(new Error(`not one response to one request: ${text}`));
    if (missingBytes === 0) {
      const refusal = text.startsWith(SUCCESS) ? undefined : text;
      text = '';
      waiting?.resolve(refusal);
    }
    return true;
  }

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (socket.destroyed) fail(new Error('the server has closed the connection'));
        else socket.write(request);
      }),
    close: () => void socket.destroy(),
  };
}

/** Every server of the bench says how long its responses are; another one is refused. */
function bodyBytesOf(head: string): number {
  return Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1] ?? Number.NEGATIVE_INFINITY);
}

/** The finished bytes of each request of a unit of work. */
export function requestsOf({ url, workload }: { url: string; workload: Workload }, sessionID: string): Buffer[] {
  return REQUESTS_OF[workload].map(({ path, fields }) => {
    const body = JSON.stringify({ sessionID, ...fields });
    return Buffer.from(`${headOf(url, path)}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
}

/** The begin of the head of a POST. */
export function headOf(url: string, path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\n`;
}
