import { once } from 'node:events';
import net from 'node:net';
import { responseOf, type TestResponse } from './testServer.ts';

/** Opens a connection to the server that takes anything at all. */
export async function connectRaw(url: string): Promise<net.Socket> {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port) });
  // The server may well hang up in the middle of what is written here.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Writes the bytes as they are and reads until the server hangs up. */
export async function exchangeRaw(url: string, bytes: string | Uint8Array): Promise<string> {
  const socket = await connectRaw(url);
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  const closed = once(socket, 'close');
  socket.write(bytes);
  await closed;
  return Buffer.concat(received).toString('utf8');
}

/** Reads the one response in what the server wrote, with a body that is not chunked. */
export function parseRaw(received: string): Promise<TestResponse> {
  const endOfHead = received.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = received.slice(0, endOfHead).split('\r\n');
  const headers = lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]);
  return responseOf(new Response(received.slice(endOfHead + 4), { status: Number(statusLine.split(' ')[1]), headers }));
}

/** Returns everything before a request's body; the server hangs up after the response. */
export function rawHead(path: string, headers: Record<string, string | number>, method = 'POST'): string {
  const all = { Host: 'localhost', Connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Sends a request whose path is written to the letter: fetch would tidy it up. */
export async function sendRaw(url: string, method: string, path: string, { headers = {}, body = '' } = {}) {
  const head = rawHead(path, { 'Content-Length': Buffer.byteLength(body), ...headers }, method);
  return parseRaw(await exchangeRaw(url, head + body));
}
