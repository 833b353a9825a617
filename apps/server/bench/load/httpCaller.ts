import { once } from 'node:events';
import net from 'node:net';
import { REQUESTS_OF, type Request, type Workload } from '../workload.ts';

/** The calls of one unit of work on one connection. A call that fails rejects. */
export type Caller = {
  calls: readonly (() => Promise<unknown>)[];
  close(): Promise<void>;
};

/**
 * One keep-alive connection that sends finished bytes and counts the bytes of the response. On two
 * cores the generator takes its time from what it measures, so it must be cheap.
 */
export async function openHttpCaller(
  url: string,
  { sessionID, workload }: { sessionID: string; workload: Workload },
): Promise<Caller> {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const send = exchangeOn(socket);
  const calls = REQUESTS_OF[workload].map((request) => {
    const bytes = requestBytes(hostname, sessionID, request);
    return () => send(bytes);
  });
  return {
    calls,
    async close() {
      const closed = once(socket, 'close');
      socket.destroy();
      await closed;
    },
  };
}

function requestBytes(host: string, sessionID: string, { path, fields }: Request): Buffer {
  const json = JSON.stringify({ sessionID, ...fields });
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}`;
  return Buffer.from(`${head}\r\n\r\n${json}`);
}

type Waiting = { resolve: () => void; reject: (error: Error) => void };

/** Requests one after the other, each resolved by the last byte of its response. */
function exchangeOn(socket: net.Socket): (request: Buffer) => Promise<void> {
  let waiting: Waiting | undefined;
  let missingBytes = 0;
  const fail = (error: Error) => waiting?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (chunk) => {
    try {
      missingBytes = (missingBytes === 0 ? lengthOf(chunk) : missingBytes) - chunk.length;
      if (missingBytes < 0) throw new Error('the response is longer than it says');
      if (missingBytes === 0) waiting?.resolve();
    } catch (error) {
      fail(error as Error);
    }
  });
  return (request) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      if (socket.destroyed) return fail(new Error('the server has closed the connection'));
      socket.write(request);
    });
}

/** Head and body. The first chunk holds the whole head: the server is on the same machine. */
function lengthOf(firstChunk: Buffer): number {
  const headEnd = firstChunk.indexOf('\r\n\r\n');
  const head = firstChunk.toString('latin1', 0, headEnd);
  const bodyBytes = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (headEnd < 0 || bodyBytes === undefined || !head.startsWith('HTTP/1.1 200 ')) {
    throw new Error(`not the response of a success: ${firstChunk.toString('utf8')}`);
  }
  return headEnd + 4 + Number(bodyBytes);
}
